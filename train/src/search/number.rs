//! Numbers in agents' options.

use std::ops::RangeInclusive;

/// Reads the whole number of an option such as `depth=3`.
///
/// # Errors
/// What would be right.
pub(super) fn whole<T>(name: &str, text: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: TryFrom<u64> + Into<u64> + Copy,
{
    let (least, most): (u64, u64) = ((*range.start()).into(), (*range.end()).into());
    let number = text.parse().ok().filter(|n| (least..=most).contains(n)).and_then(|n| T::try_from(n).ok());
    number.ok_or_else(|| {
        let range = if most == u64::MAX { format!("of at least {least}") } else { format!("from {least} to {most}") };
        format!("{name}={text}: expected a whole number {range}")
    })
}
