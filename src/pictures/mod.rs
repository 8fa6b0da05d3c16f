//! Pictures of what contests and experiments found, as SVG and PNG. Uses `contest` and all below it.
