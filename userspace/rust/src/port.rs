// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//! Many channels at a time: select, and ports.

use crate::{nanoseconds, opened, result, sys, Card, Channel, Options};
use std::io;
use std::marker::PhantomData;
use std::os::raw::{c_int, c_uint, c_void};
use std::os::unix::io::{AsFd, BorrowedFd};
use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::time::Duration;

/// One receive or send of a [`select`]
#[repr(C)]
pub struct Case<'a> {
    ch: *mut sys::Chan,
    buf: *mut u8,
    len: usize,
    guard: c_int,
    ret: isize,
    uses: PhantomData<&'a mut [u8]>,
}

impl<'a> Case<'a> {
    fn new<M>(ch: &'a Channel<M>, fits: bool, buf: *mut u8, len: usize) -> Self {
        let buf = if fits { buf } else { ptr::null_mut() };
        Case { ch: ch.raw(), buf, len, guard: 1, ret: 0, uses: PhantomData }
    }

    /// Receive a message. On a channel to the NFP the case only waits for room.
    pub fn recv<M>(channel: &'a Channel<M>, buf: &'a mut [u8]) -> Self {
        Case::new(channel, channel.to_host(), buf.as_mut_ptr(), buf.len())
    }

    /// Send a message. On a channel to the host the case only waits for a message.
    pub fn send<M>(channel: &'a Channel<M>, message: &'a [u8]) -> Self {
        let buf = message.as_ptr() as *mut u8; // which the library only reads
        Case::new(channel, !channel.to_host(), buf, message.len())
    }

    /// Wait until a message can be received or sent.
    pub fn wait<M>(channel: &'a Channel<M>) -> Self {
        Case::new(channel, false, ptr::null_mut(), 0)
    }
}

/// Do one of several receives and sends, at random if several can be done. Returns the index of the
/// case, and what its `recv()`, `send()` or `wait()` has returned.
pub fn select<T>(cases: &mut [Case<'_>], timeout: T) -> io::Result<(usize, io::Result<usize>)>
where
    T: Into<Option<Duration>>,
{
    let (at, n) = (cases.as_mut_ptr(), cases.len() as c_uint);
    // SAFETY: a Case is a struct nfpchan_case, whose channel and buffer it borrows.
    let i = result(unsafe { sys::nfpchan_select(at, n, nanoseconds(timeout)) } as isize)?;
    Ok((i, result(cases[i].ret)))
}

/// One place to wait for the channels that report to it ([`Options::port`]). It is closed when it
/// and all of these are dropped.
#[derive(Debug)]
pub struct Port(pub(crate) Arc<OpenPort>);

#[derive(Debug)]
pub(crate) struct OpenPort(pub(crate) NonNull<sys::Port>);

// SAFETY: any number of threads may make calls on one handle. No port is opened with
// NFPCHAN_ALONE, so a channel that reports to one takes its lock.
unsafe impl Send for OpenPort {}
unsafe impl Sync for OpenPort {}

/// News of a channel
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Event {
    ch: *mut sys::Chan,
    req: *mut c_void,
}

impl Event {
    /// Whether the news are this channel's. If not, the channel may have been dropped since.
    pub fn is_of<M>(&self, channel: &Channel<M>) -> bool {
        self.ch == channel.raw()
    }
}

impl Port {
    /// Open a port. The options may have a wait policy and what the interrupt waits for.
    pub fn open(card: &Card, options: &Options) -> io::Result<Port> {
        let mut port = ptr::null_mut();
        // SAFETY: the card is open.
        let ret = unsafe { sys::nfpchan_port_open(&mut port, card.raw(), &options.sized()) };
        opened(ret, port).map(|port| Port(Arc::new(OpenPort(port))))
    }

    /// Wait for news of the channels, `most` at a time. Channel to the host: a message is there, or
    /// the channel has ended. To the NFP: the ME process has taken messages, or ended.
    pub fn wait(&self, most: u32, timeout: impl Into<Option<Duration>>) -> io::Result<Vec<Event>> {
        let mut events = vec![Event { ch: ptr::null_mut(), req: ptr::null_mut() }; most as usize];
        let (at, limit) = (events.as_mut_ptr(), nanoseconds(timeout));
        // SAFETY: there is room for so many events.
        let got = unsafe { sys::nfpchan_port_wait(self.raw(), at, most, limit) };
        events.truncate(result(got as isize)?);
        Ok(events)
    }

    fn raw(&self) -> *mut sys::Port {
        self.0 .0.as_ptr()
    }
}

impl Drop for OpenPort {
    fn drop(&mut self) {
        // SAFETY: no other thread is in a call on it or on its channels.
        unsafe { sys::nfpchan_port_close(self.0.as_ptr()) }
    }
}

impl AsFd for Port {
    fn as_fd(&self) -> BorrowedFd<'_> {
        // SAFETY: the descriptor is open as long as the port.
        unsafe { BorrowedFd::borrow_raw(sys::nfpchan_port_fd(self.raw())) }
    }
}
