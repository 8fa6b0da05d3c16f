//! A wall time in a serialized value: a number of seconds. It is written and read by
//! `#[serde(with = "crate::run::seconds")]`.

use core::time::Duration;
use serde::{Deserialize, Deserializer, Serializer, de};

pub(crate) fn serialize<Out: Serializer>(time: &Duration, serializer: Out) -> Result<Out::Ok, Out::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

pub(crate) fn deserialize<'de, In: Deserializer<'de>>(deserializer: In) -> Result<Duration, In::Error> {
    let seconds = f64::deserialize(deserializer)?;
    if seconds.is_nan() || seconds < 0.0 {
        let message = format_args!("the time is {seconds}; it must be a number of seconds, at least 0");
        return Err(de::Error::custom(message));
    }
    // What remains are times that are too long. `Duration::MAX` is one itself when written in seconds.
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// The same for a time that may be missing.
pub(crate) mod optional {
    use core::time::Duration;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Seconds(#[serde(with = "super")] Duration);

    pub(crate) fn serialize<Out: Serializer>(
        time: &Option<Duration>,
        serializer: Out,
    ) -> Result<Out::Ok, Out::Error> {
        time.map(Seconds).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, In>(deserializer: In) -> Result<Option<Duration>, In::Error>
    where
        In: Deserializer<'de>,
    {
        Ok(Option::<Seconds>::deserialize(deserializer)?.map(|Seconds(time)| time))
    }
}
