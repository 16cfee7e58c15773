// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//! Find libnfpchan: in the folder `NFPCHAN_LIB_DIR`, else by pkg-config, else where the linker looks.
//! With `NFPCHAN_STATIC` the program has libnfpchan.a in it.

use std::{env, process::Command};

fn main() {
    println!("cargo:rerun-if-env-changed=NFPCHAN_LIB_DIR");
    println!("cargo:rerun-if-env-changed=NFPCHAN_STATIC");
    let kind = env::var("NFPCHAN_STATIC").map_or("dylib", |_| "static");
    println!("cargo:rustc-link-lib={kind}=nfpchan");
    let ask = || Command::new("pkg-config").args(["--variable=libdir", "libnfpchan"]).output();
    let asked = |_| ask().map(|out| String::from_utf8_lossy(&out.stdout).trim().to_string());
    match env::var("NFPCHAN_LIB_DIR").or_else(asked) {
        Ok(dir) if !dir.is_empty() => println!("cargo:rustc-link-search=native={dir}"),
        _ => {}
    }
}
