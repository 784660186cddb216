//! Where tests come from: the repository, the folder beside the checkout, and what environment variables name.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// A path in this repository.
pub fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A path in the folder of shared inputs beside the checkout, where there is one.
pub fn beside_checkout(path: &str) -> Option<PathBuf> {
    let path = in_repository("../shared").join(path);
    path.exists().then_some(path)
}

/// The paths that an environment variable names, separated by colons.
pub fn named_in(variable: &str) -> Vec<PathBuf> {
    let value = env::var_os(variable).unwrap_or_default();
    env::split_paths(&value)
        .filter(|path| !path.as_os_str().is_empty())
        .collect()
}

/// The files in a folder whose name ends in `suffix`, sorted; a file stands for itself. None at all is an error.
pub fn listed(path: &Path, suffix: &str) -> io::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        if file.is_file() && name(&file).ends_with(suffix) {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(io::Error::other(format!("no file *{suffix}")));
    }
    Ok(files)
}

/// The last part of a path, as text.
pub fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// One object a line: each with its line number, or with what is wrong with that line. No line at all is an error.
pub fn json_lines(path: &Path) -> io::Result<Vec<(usize, Result<Value, String>)>> {
    let text = fs::read_to_string(path)?;
    let lines: Vec<_> = (1..)
        .zip(text.split('\n'))
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            (
                number,
                serde_json::from_str(line).map_err(|e| e.to_string()),
            )
        })
        .collect();
    if lines.is_empty() {
        return Err(io::Error::other("no line in it"));
    }
    Ok(lines)
}
