// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//! Send each argument to the ME process "echo", and print what comes back.

use std::{env, process, time::Duration};

fn main() {
    let mut why = String::new();
    let card = nfpchan::Card::open_why("", &mut why).unwrap_or_else(|_| {
        eprintln!("{why}");
        process::exit(1)
    });
    let (to, mut from) = (card.channel("echo-in").unwrap(), card.channel("echo-out").unwrap());
    for word in env::args().skip(1) {
        to.send(word.as_bytes(), Duration::from_secs(10)).unwrap();
        let message = from.borrow(Duration::from_secs(10)).unwrap();
        println!("{}", String::from_utf8_lossy(&message.to_vec()));
    }
}
