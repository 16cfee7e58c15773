// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//! Tests with a card (selftests/lib/languages.t); `cargo test` alone runs the one without.

use nfpchan::{select, Card, Case, Options, Port, Wait};
use std::io::{Read, Result, Write};
use std::os::unix::io::{AsFd, AsRawFd};
use std::{env, thread, time::Duration};

const NOW: Duration = Duration::ZERO;

fn patience() -> Duration {
    Duration::from_secs(10) * env::var("NFPCHAN_SLOW").map_or(1, |slow| slow.parse().unwrap())
}

fn errno<T>(got: Result<T>) -> Option<i32> {
    got.err().expect("an error").raw_os_error()
}

#[test]
fn no_card() {
    let mut why = String::new();
    assert_eq!(errno(Card::open_why("77", &mut why)), Some(19), "ENODEV");
    assert!(why.contains("77"), "{why}");
    assert_eq!(errno(Card::open("a\0b")), Some(22), "EINVAL");
}

#[test]
#[ignore = "needs a card"]
fn messages() {
    let card = Card::open("").unwrap();
    let (tx, rx) = (card.channel("echo-in").unwrap(), card.channel("echo-out").unwrap());
    assert_eq!((tx.name(), tx.to_host(), rx.to_host()), ("echo-in", false, true));
    for i in 0..200 {
        let message = vec![i as u8; i * 29 % 2049];
        tx.send(&message, patience()).unwrap();
        assert_eq!(rx.recv_vec(patience()).unwrap(), message);
    }
    tx.drain(patience()).unwrap();
    let mut buf = [0; 8];
    assert_eq!(errno(rx.try_recv(&mut buf)), Some(11), "EAGAIN");
    assert_eq!(errno(rx.recv(&mut buf, Duration::from_millis(1))), Some(110), "ETIMEDOUT");
    assert_eq!(errno(rx.send(b"", None)), Some(9), "EBADF");
    assert_eq!(errno(tx.send(&[0; 2049], None)), Some(90), "EMSGSIZE");
    assert!(tx.error_text().contains("2049"), "{}", tx.error_text());
    assert_eq!(errno(card.channel("nobody")), Some(2), "ENOENT");
    assert!(card.error_text().contains("nobody"), "{}", card.error_text());
    assert_eq!(errno(Options::default().ring_size(5000).open(&card, "tick")), Some(22), "EINVAL");
}

/// Without the drops the ring would be full, as it buffers 16 messages.
#[test]
#[ignore = "needs a card"]
fn messages_in_place_in_another_thread() {
    let card = Card::open("").unwrap();
    let options = Options::default().wait(Wait::Sleep, NOW).inline_max(None);
    let tx = options.open_alone(&card, "echo-in").unwrap();
    let mut rx = card.channel("echo-out").unwrap();
    let sender = thread::spawn(move || {
        (0..100u8).for_each(|i| tx.send(&[i; 2000], patience()).unwrap());
        tx.drain(patience())
    });
    for i in 0..100u8 {
        let message = rx.borrow(patience()).unwrap();
        let mut part = [0; 4];
        assert_eq!((message.copy_to(1999, &mut part), part), (1, [i, 0, 0, 0]));
        assert_eq!((message.len(), message.copy_to(2001, &mut part)), (2000, 0));
        assert_eq!(unsafe { message.as_slice() }, message.to_vec());
        message.intact().unwrap();
    }
    sender.join().unwrap().unwrap();
    assert_eq!(errno(rx.borrow(NOW)), Some(11), "EAGAIN");
}

#[test]
#[ignore = "needs a card"]
fn select_and_port() {
    let card = Card::open("").unwrap();
    let port = Port::open(&card, &Options::default()).unwrap();
    let options = Options::default().port(&port).interrupt(1, NOW);
    let rx = options.open(&card, "echo-out").unwrap();
    let (tick, tx) = (options.open(&card, "tick").unwrap(), card.channel("echo-in").unwrap());
    assert_eq!(errno(port.wait(4, NOW)), Some(11), "EAGAIN");
    tick.signal().unwrap();
    let events = port.wait(4, patience()).unwrap();
    assert_eq!((events.len(), events[0].is_of(&tick), events[0].is_of(&rx)), (1, true, false));
    assert_ne!(port.as_fd().as_raw_fd(), tick.as_raw_fd());
    let (mut a, mut b) = ([0; 8], [0; 8]);
    let receives = &mut [Case::recv(&rx, &mut a), Case::recv(&tick, &mut b)];
    let (which, got) = select(receives, patience()).unwrap();
    assert_eq!((which, got.unwrap()), (1, 8));
    let cases = &mut [Case::wait(&rx), Case::send(&tx, b"sent")];
    let (which, got) = select(cases, patience()).unwrap();
    assert_eq!((which, got.unwrap()), (1, 0));
    assert_eq!(rx.recv_vec(patience()).unwrap(), b"sent");
}

#[test]
#[ignore = "needs a card"]
fn streams_of_two_threads() {
    let card = Card::open("").unwrap();
    let (tx, rx) = (card.channel("loop-in").unwrap(), card.channel("loop-out").unwrap());
    let want: Vec<_> = (0..300_000u32).map(|i| i as u8 ^ (i >> 8) as u8).collect();
    let mut got = vec![0; want.len()];
    thread::scope(|scope| {
        scope.spawn(|| (&tx).write_all(&want).unwrap());
        (&rx).read_exact(&mut got).unwrap();
    });
    assert!(tx.is_stream() && got == want);
}

/// The ME process "once" sends a message to one of its receivers, and ends.
#[test]
#[ignore = "needs a card and lang.py"]
fn end() {
    let once = Card::open("").and_then(|card| card.channel("once")).unwrap();
    println!("waiting");
    println!("received {}", once.iter().map(|message| message.unwrap().len()).sum::<usize>());
    assert_eq!(errno(once.try_recv(&mut [0; 8])), Some(32), "EPIPE");
}
