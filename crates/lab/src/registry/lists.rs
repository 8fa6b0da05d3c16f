//! How a list of policies becomes one type that is any of them, and a table of words.

use super::error::{Ability, ReadError};
use super::parameters::Parameters;

/// A word of a list: what it makes of its parameters.
pub(super) struct Ready<M> {
    pub word: &'static str,
    pub about: &'static str,
    /// What the game must be able to do.
    pub needs: Option<Ability>,
    pub read: fn(&mut Parameters) -> Result<M, ReadError>,
}

/// Lets a closure read the parameters; here its argument gets a type.
pub(super) fn reads<M>(
    parameters: &mut Parameters,
    read: impl FnOnce(&mut Parameters) -> Result<M, ReadError>,
) -> Result<M, ReadError> {
    read(parameters)
}

/// The type that is any policy of a list, and the list of its words.
///
/// ```text
/// any! {
///     /// What it is.
///     Name making Made by of, matched by each_name;
///     Variant: Type = "word", "about", |p| { let c = p.number(..)?; Ok(move || Type::new(c)) };
///     Variant: Type = "word" needs Numbers, "about", |p| ..;
/// }
/// ```
///
/// A word followed by `[hot]` is one whose policy is compiled into the loop, for speed, where the others stand apart: that takes the compiler
/// some 0.2 s per game and loop, so let few be hot.
///
/// This makes `enum Name<G>` with a variant a line, and `Name::<G>::words()`, a list of what reads a `Made<G>`. To make it,
/// `Made::<G>::of` gets the parameters, what makes a `Type`, and what makes the union of all lists of it. `each_name!(any,
/// policy => call)` then calls the same for whichever it is.
macro_rules! any {
    (
        $(#[$about_all:meta])* $name:ident making $made:ident by $of:ident, matched by $each:ident;
        $($variant:ident: $kind:ty = $word:literal $(needs $ability:ident)? $([$hot:ident])?, $about:literal, $read:expr;)*
    ) => {
        $(#[$about_all])*
        #[allow(clippy::large_enum_variant, reason = "there is one in a search")]
        pub(super) enum $name<G: ::ramure::game::GameState> {
            $($variant($kind),)*
            /// None: so that every list uses its `G`.
            #[expect(dead_code, reason = "there is none of it")]
            Never(core::convert::Infallible, core::marker::PhantomData<fn(G)>),
        }

        impl<G: $crate::registry::able::Full> $name<G> {
            /// Whether there is any.
            #[allow(dead_code, reason = "asked only of lists that may be empty")]
            pub const EXISTS: bool = !(&[$(stringify!($variant)),*] as &[&str]).is_empty();

            /// The words.
            pub fn words() -> Vec<$crate::registry::lists::Ready<$made<G>>> {
                vec![$(
                    $crate::registry::lists::Ready {
                        word: $word,
                        about: $about,
                        needs: None $(.or(Some($crate::registry::Ability::$ability)))?,
                        read: |parameters| {
                            let make = $crate::registry::lists::reads(parameters, $read)?;
                            <$made<G>>::$of(parameters, make, |policy: $kind| $name::$variant(policy).into())
                        },
                    },
                )*]
            }
        }

        /// Calls the same for whichever it is.
        macro_rules! $each {
            ($any:expr, $policy:ident => $call:expr) => {
                $each!($any, $policy => $call, hot => $call)
            };
            ($any:expr, $policy:ident => $call:expr, hot => $hot_call:expr) => {
                match $any {
                    $($name::$variant($policy) => $crate::registry::lists::one!($hot_call, $($hot)? $call),)*
                    $name::Never(never, _) => match *never {},
                }
            };
        }
    };
}
pub(super) use any;

/// The call of a policy that is hot, or of another.
macro_rules! one {
    ($hot:expr, hot $call:expr) => {
        $hot
    };
    ($hot:expr, $call:expr) => {
        $call
    };
}
pub(super) use one;
