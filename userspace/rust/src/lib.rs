// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//! Messages and streams to the microengines of a Netronome Agilio card, by libnfpchan.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! fn main() -> std::io::Result<()> {
//!     let card = nfpchan::Card::open("")?;
//!     let (to, from) = (card.channel("echo-in")?, card.channel("echo-out")?);
//!     to.send(b"hello", Duration::from_secs(1))?;
//!     println!("{:?}", from.recv_vec(Duration::from_secs(1))?);
//!     Ok(())
//! }
//! ```
//!
//! A timeout is a [`Duration`], or `None` for no limit. A failure is an [`io::Error`] with the
//! library's errno, which `nfpchan.h` lists for each call: EAGAIN after a `Duration` of 0,
//! ETIMEDOUT, EINTR by a signal handler, EPIPE when the ME process has ended. `error_text()` has the
//! library's text for the last failure.
//!
//! Any number of threads may use a card, a channel or a port. A channel of
//! [`Options::open_alone`] takes no lock, so it is [`Send`] but not [`Sync`]:
//!
//! ```compile_fail,E0277
//! fn shared(card: &nfpchan::Card) -> impl Sync {
//!     nfpchan::Options::default().open_alone(card, "echo-in").unwrap()
//! }
//! ```
//!
//! The crate has no links, devices, events of XDP programs, handlers, asynchronous requests,
//! messages made in place, or ports of several cards.

use std::ffi::CString;
use std::io;
use std::os::raw::{c_char, c_int};
use std::ptr::{self, NonNull};
use std::time::Duration;

mod channel;
mod options;
mod port;
mod sys;

pub use channel::{Alone, Channel, Message, Shared};
pub use options::{Options, Wait};
pub use port::{select, Case, Event, Port};

const EINVAL: i32 = 22;

/// Nanoseconds of a timeout, as the library has it
fn nanoseconds(timeout: impl Into<Option<Duration>>) -> i64 {
    timeout.into().map_or(-1, |t| i64::try_from(t.as_nanos()).unwrap_or(i64::MAX))
}

/// The result of a call that returns a negative errno, or a number
fn result(ret: isize) -> io::Result<usize> {
    usize::try_from(ret).map_err(|_| io::Error::from_raw_os_error(-ret as i32))
}

fn done(ret: c_int) -> io::Result<()> {
    result(ret as isize).map(drop)
}

/// The handle that a call has opened, unless it has failed
fn opened<T>(ret: c_int, handle: *mut T) -> io::Result<NonNull<T>> {
    done(ret)?;
    NonNull::new(handle).ok_or_else(|| io::Error::from_raw_os_error(EINVAL))
}

fn c_string(name: &str) -> io::Result<CString> {
    CString::new(name).map_err(|_| io::Error::from_raw_os_error(EINVAL))
}

/// A text that a call writes to a buffer
fn text<T>(write: impl FnOnce(*mut c_char, usize) -> T) -> String {
    let mut buf = [0u8; 512];
    write(buf.as_mut_ptr().cast(), buf.len());
    let end = buf.iter().position(|&byte| byte == 0).unwrap_or(buf.len());
    String::from_utf8_lossy(&buf[..end]).into_owned()
}

/// A card, whose channels may outlive it
#[derive(Debug)]
pub struct Card(NonNull<sys::Card>);

// SAFETY: any number of threads may make calls on one handle (nfpchan.h).
unsafe impl Send for Card {}
unsafe impl Sync for Card {}

// SAFETY of the calls: the handle is open until drop(), when no other thread has a reference.
impl Card {
    /// Open a card: "0", "/dev/nfp_chan0", "0000:01:00.0", "bpf:eth0"; "": the first one.
    pub fn open(name: &str) -> io::Result<Card> {
        Card::open_why(name, &mut String::new())
    }

    /// As [`open`](Card::open); `why` gets the library's text for a failure.
    pub fn open_why(name: &str, why: &mut String) -> io::Result<Card> {
        let (name, mut card, mut ret) = (c_string(name)?, ptr::null_mut(), 0);
        *why = text(|buf, len| unsafe {
            ret = sys::nfpchan_card_open(&mut card, name.as_ptr(), buf, len);
        });
        opened(ret, card).map(Card)
    }

    /// Open one end of a channel with the default options.
    pub fn channel(&self, name: &str) -> io::Result<Channel> {
        Options::default().open(self, name)
    }

    /// The text of the last failure, also of opening a channel or a port
    pub fn error_text(&self) -> String {
        text(|buf, len| unsafe { sys::nfpchan_card_error(self.raw(), buf, len) })
    }

    fn raw(&self) -> *mut sys::Card {
        self.0.as_ptr()
    }
}

impl Drop for Card {
    fn drop(&mut self) {
        unsafe { sys::nfpchan_card_close(self.raw()) }
    }
}
