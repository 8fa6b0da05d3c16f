//! Errors print sentences with `Debug`, too: Rust prints an error that `main` returns with `Debug`, and so
//! does `unwrap`.

use core::error::Error;
use core::fmt;

/// Prints the sentence of an error, followed by those of its [sources](Error::source) that it does not
/// contain.
#[doc(hidden)]
pub fn __sentence(error: &dyn Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let reason = error.to_string();
        if !text.contains(&reason) {
            text += &format!(": {reason}");
        }
        source = error.source();
    }
    f.write_str(&text)
}

/// Implements `Debug` for an error type: it prints the sentence of `Display`, and the reasons for it.
#[doc(hidden)]
#[macro_export]
macro_rules! debug_as_sentence {
    ($error:ty) => {
        impl ::core::fmt::Debug for $error {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::__sentence(self, f)
            }
        }
    };
}
