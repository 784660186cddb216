//! Who runs: all rivals, or those that were asked for, less what this machine or this build lacks.

use super::{BASELINE, RIVALS, Rival, Role};

pub struct Lineup {
    pub rivals: Vec<&'static Rival>,
    /// Who doesn't run, and why.
    pub left_out: Vec<String>,
}

impl Lineup {
    /// Everybody that can run here.
    pub fn all() -> Self {
        let (rivals, lacking): (Vec<_>, Vec<_>) =
            RIVALS.iter().partition(|rival| match rival.role {
                Role::Forced(variant) => variant.is_supported(),
                _ => true,
            });
        let lacking = lacking.iter();
        let mut left_out: Vec<String> = lacking
            .map(|rival| format!("{}: the machine lacks it", rival.name))
            .collect();
        if !cfg!(feature = "simdjson") {
            left_out.push("simdjson C++: built without the feature `simdjson`".to_owned());
        }
        Self { rivals, left_out }
    }

    /// The baseline, and those whose name contains one of `parts`; everybody if there is no part.
    pub fn of(parts: &[String]) -> Result<Self, String> {
        let mut lineup = Self::all();
        if parts.is_empty() {
            return Ok(lineup);
        }
        let contains = |text: &str, part: &String| {
            let text = text.to_ascii_lowercase();
            text.contains(&part.to_ascii_lowercase())
        };
        for part in parts {
            let mut names = lineup.rivals.iter().map(|rival| rival.name);
            if !names.any(|name| contains(name, part)) {
                let left_out = lineup.left_out.iter();
                let left_out: String = left_out.map(|line| format!("\nleft out: {line}")).collect();
                return Err(format!("no row contains `{part}`{left_out}"));
            }
        }
        let is_wanted = |text: &str| parts.iter().any(|part| contains(text, part));
        let rivals = &mut lineup.rivals;
        rivals.retain(|rival| rival.name == BASELINE || is_wanted(rival.name));
        lineup.left_out.retain(|line| is_wanted(line));
        Ok(lineup)
    }
}
