#![doc = include_str!("requirements.md")]
