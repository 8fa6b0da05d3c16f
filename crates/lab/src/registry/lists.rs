//! Lists of policies: each becomes one type, an enum over its policies, and a table of words.

use super::error::{Ability, ReadError};
use super::parameters::Parameters;

/// A word of a list, with the function that reads its parameters.
pub(super) struct Ready<M> {
    pub word: &'static str,
    pub about: &'static str,
    /// The ability that the game must have.
    pub needs: Option<Ability>,
    pub read: fn(&mut Parameters) -> Result<M, ReadError>,
}

/// Defines the enum over the policies of a list, and the list of its words.
///
/// ```text
/// any! {
///     /// What it is.
///     Name making Made, matched by each_name;
///     Variant: Type = "word", "about" => Type::new(c), |p|
///         c = p.number(..)?;
///     Variant: Type = "word" needs Numbers, "about" => Type;
/// }
/// ```
///
/// Mark a word with `[hot]` to compile its policy into the loop, for speed. The other policies are called
/// through functions outside the loop. A hot policy costs about 0.2 s of compile time per game and loop, so
/// mark few.
///
/// The macro defines `enum Name<G>` with one variant per line, and `Name::<G>::words()`, a list of functions
/// that read a `Made<G>`. A `Made<G>` is created by `Made::<G>::of` from the parameters, a function that
/// creates a `Type`, and a function that wraps it in the enum over all lists. `each_name!(any, policy =>
/// call)` makes the same call for whichever policy `any` holds.
macro_rules! any {
    (
        $(#[$about_all:meta])* $name:ident making $made:ident, matched by $each:ident;
        $($variant:ident: $kind:ty = $word:literal $(needs $ability:ident)? $([$mark:ident])?, $about:literal
            => $make:expr $(, |$parameters:ident| $($value:pat = $read:expr),+)?;)*
    ) => {
        $(#[$about_all])*
        #[allow(clippy::large_enum_variant, reason = "a search has only one")]
        #[derive(Clone)]
        pub(super) enum $name<G: ::ramure::GameState> {
            $($variant($kind),)*
            /// Has no values; it exists so that every list uses its `G`.
            #[expect(dead_code, reason = "it has no values")]
            Never(core::convert::Infallible, core::marker::PhantomData<fn(G)>),
        }

        impl<G: $crate::registry::able::Full> $name<G> {
            /// The words of the list.
            pub fn words() -> Vec<$crate::registry::lists::Ready<$made<G>>> {
                vec![$(
                    $crate::registry::lists::Ready {
                        word: $word,
                        about: $about,
                        needs: None $(.or(Some($crate::registry::Ability::$ability)))?,
                        read: |parameters| {
                            $(
                                let $parameters = &mut *parameters;
                                $(let $value = $read;)+
                            )?
                            <$made<G>>::of(parameters, move || $make, |policy: $kind| $name::$variant(policy).into())
                        },
                    },
                )*]
            }
        }

        /// Makes the same call for whichever policy it is.
        macro_rules! $each {
            ($any:expr, $policy:ident => $call:expr) => {
                $each!($any, $policy => $call, hot => $call)
            };
            ($any:expr, $policy:ident => $call:expr, hot => $hot_call:expr) => {
                match $any {
                    $($name::$variant($policy) => $crate::registry::lists::one!($call, $hot_call $(, $mark)?),)*
                    $name::Never(never, _) => match *never {},
                }
            };
        }
    };
}
pub(super) use any;

/// The part of a policy: that of its mark, if it has one.
macro_rules! one {
    ($call:expr, $hot:expr) => {
        $call
    };
    ($call:expr, $hot:expr, hot) => {
        $hot
    };
}
pub(super) use one;
