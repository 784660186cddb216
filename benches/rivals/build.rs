//! Compiles our two readers in C++ against the header that `simdjson-sys` ships. Only with the feature `simdjson`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "simdjson")]
    simdjson::compile();
}

#[cfg(feature = "simdjson")]
mod simdjson {
    use std::path::Path;

    const FOLDER: &str = "src/rivals/simdjson";

    pub fn compile() {
        println!("cargo::rerun-if-changed={FOLDER}");
        // Where `simdjson-sys` has put the header and the library that it compiled; Cargo hands it on for `links`.
        let root = std::env::var("DEP_SIMDJSON_ROOT").expect("simdjson-sys says where it is");
        cc::Build::new()
            .cpp(true)
            .std("c++17")
            .opt_level(3)
            .define("NDEBUG", None)
            .include(Path::new(&root).join("include"))
            .file(Path::new(FOLDER).join("dom.cpp"))
            .file(Path::new(FOLDER).join("on_demand.cpp"))
            .compile("rivals_simdjson");
    }
}
