//! The four methods that load a file, for each kind of search that can be saved.

/// Defines `load`, `load_from`, `resume` and `resume_from`, with the given documentation of `load` and
/// `resume`, in an `impl` of a type that has `read(&self, reader, root_state) -> Result<Loaded, FileError>`,
/// which leaves the search as it is, and `replace(&mut self, loaded)`; or that has a field with these methods,
/// under a bound of each of the four.
macro_rules! loading_methods {
    ($(#[$about_load:meta])* load; $(#[$about_resume:meta])* resume; $(of $field:ident, where $left:ty: $right:path;)?) => {
        $(#[$about_load])*
        #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
        pub fn load(
            &mut self,
            path: impl AsRef<std::path::Path>,
        ) -> Result<(), $crate::saved::FileError>
        $(where $left: $right)?
        {
            use $crate::saved::{RootState, file, reading};
            let loaded = file::read(path.as_ref(), |file| reading(|| self$(.$field)?.read(file, RootState::IsTheSame)))?;
            self$(.$field)?.replace(loaded);
            Ok(())
        }

        /// Reads what [`save_to`](Self::save_to) has written, and no byte after it. The reader should be
        /// buffered. See [`load`](Self::load).
        ///
        /// # Errors
        ///
        /// Returns the errors of [`load`](Self::load).
        #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
        pub fn load_from(
            &mut self,
            reader: impl std::io::Read,
        ) -> Result<(), $crate::saved::FileError>
        $(where $left: $right)?
        {
            use $crate::saved::{RootState, reading};
            let loaded = reading(|| self$(.$field)?.read(reader, RootState::IsTheSame))?;
            self$(.$field)?.replace(loaded);
            Ok(())
        }

        $(#[$about_resume])*
        ///
        /// # Errors
        ///
        /// Returns the errors of [`load`](Self::load), except
        /// [`FileError::OtherState`](crate::saved::FileError::OtherState).
        #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
        pub fn resume(
            &mut self,
            path: impl AsRef<std::path::Path>,
        ) -> Result<(), $crate::saved::FileError>
        $(where $left: $right)?
        {
            use $crate::saved::{RootState, file, reading};
            let loaded = file::read(path.as_ref(), |file| reading(|| self$(.$field)?.read(file, RootState::IsOfTheFile)))?;
            self$(.$field)?.replace(loaded);
            Ok(())
        }

        /// Reads what [`save_to`](Self::save_to) has written, and takes the state from the file, too. The
        /// reader should be buffered. See [`resume`](Self::resume).
        ///
        /// # Errors
        ///
        /// Returns the errors of [`resume`](Self::resume).
        #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
        pub fn resume_from(
            &mut self,
            reader: impl std::io::Read,
        ) -> Result<(), $crate::saved::FileError>
        $(where $left: $right)?
        {
            use $crate::saved::{RootState, reading};
            let loaded = reading(|| self$(.$field)?.read(reader, RootState::IsOfTheFile))?;
            self$(.$field)?.replace(loaded);
            Ok(())
        }
    };
}

pub(crate) use loading_methods;
