// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//! One open end of a channel, and a message that is received in place.

use crate::{done, nanoseconds, port::OpenPort, result, sys, text};
use std::cell::Cell;
use std::ffi::CStr;
use std::io::{self, ErrorKind, Read, Write};
use std::marker::PhantomData;
use std::os::unix::io::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::time::Duration;

const ENODEV: i32 = 19;

/// Several threads may use the channel at a time.
#[derive(Debug)]
pub struct Shared;
/// One thread at a time uses the channel ([`Options::open_alone`](crate::Options::open_alone)).
#[derive(Debug)]
pub struct Alone(PhantomData<Cell<()>>);

/// One open end of a channel. Its file descriptor is for `poll()` and `epoll`: readable when a
/// message is there, writable when the largest message has room.
#[derive(Debug)]
pub struct Channel<M = Shared> {
    pub(crate) raw: NonNull<sys::Chan>,
    pub(crate) mode: PhantomData<M>,
    pub(crate) _port: Option<Arc<OpenPort>>, // calls on the channel use it
}

// SAFETY: no call depends on its thread. A lock in the handle serialises the calls, except in a
// channel that was opened with NFPCHAN_ALONE: Alone is not Sync.
unsafe impl<M: Send> Send for Channel<M> {}
unsafe impl<M: Sync> Sync for Channel<M> {}

// SAFETY of all calls of the library: the handle is open until drop(), and slices live through
// the call, which does not use them afterwards.
impl<M> Channel<M> {
    pub(crate) fn raw(&self) -> *mut sys::Chan {
        self.raw.as_ptr()
    }

    fn layout(&self) -> &sys::Layout {
        unsafe { &*sys::nfpchan_layout(self.raw()) }
    }

    pub fn name(&self) -> &str {
        let name = unsafe { CStr::from_ptr(sys::nfpchan_name(self.raw())) };
        name.to_str().unwrap_or("")
    }

    pub fn to_host(&self) -> bool {
        self.layout().dir == sys::TO_HOST
    }

    /// Whether it is a stream. A stream has [`Read`] or [`Write`].
    pub fn is_stream(&self) -> bool {
        self.layout().kind == sys::STREAM
    }

    /// Bytes of the largest message
    pub fn max_size(&self) -> usize {
        self.layout().max_size as usize
    }

    /// Send a message. Buffered channel: it is in the ring. Rendezvous: the ME process has it.
    pub fn send(&self, message: &[u8], timeout: impl Into<Option<Duration>>) -> io::Result<()> {
        let (data, len) = (message.as_ptr(), message.len());
        done(unsafe { sys::nfpchan_send(self.raw(), data, len, nanoseconds(timeout)) })
    }

    /// Wait until the ME process has taken all messages. A close then loses none.
    pub fn drain(&self, timeout: impl Into<Option<Duration>>) -> io::Result<()> {
        done(unsafe { sys::nfpchan_drain(self.raw(), nanoseconds(timeout)) })
    }

    /// Receive a message, and return its length.
    pub fn recv(&self, buf: &mut [u8], timeout: impl Into<Option<Duration>>) -> io::Result<usize> {
        let (data, size) = (buf.as_mut_ptr(), buf.len());
        result(unsafe { sys::nfpchan_recv(self.raw(), data, size, nanoseconds(timeout)) })
    }

    /// Receive a message if one is there.
    pub fn try_recv(&self, buf: &mut [u8]) -> io::Result<usize> {
        self.recv(buf, Duration::ZERO)
    }

    /// Receive a message into new memory.
    pub fn recv_vec(&self, timeout: impl Into<Option<Duration>>) -> io::Result<Vec<u8>> {
        let mut buf = vec![0; self.max_size()];
        let len = self.recv(&mut buf, timeout)?;
        buf.truncate(len);
        Ok(buf)
    }

    /// Receive the messages that come, until the ME process ends.
    pub fn iter(&self) -> impl Iterator<Item = io::Result<Vec<u8>>> + '_ {
        std::iter::from_fn(move || loop {
            match self.recv_vec(None) {
                Err(err) if err.kind() == ErrorKind::Interrupted => continue,
                Err(err) if err.kind() == ErrorKind::BrokenPipe => return None,
                other => return Some(other),
            }
        })
    }

    /// Receive a message in place, in the ring. It goes back to the card when it is dropped. Until
    /// then nothing else can be received: the reference is exclusive.
    pub fn borrow(&mut self, timeout: impl Into<Option<Duration>>) -> io::Result<Message<'_, M>> {
        let (mut data, timeout) = (ptr::null(), nanoseconds(timeout));
        let len = result(unsafe { sys::nfpchan_borrow(self.raw(), &mut data, timeout) })?;
        Ok(Message { channel: self, data, len })
    }

    /// Wait until a message can be received or sent.
    pub fn wait(&self, timeout: impl Into<Option<Duration>>) -> io::Result<()> {
        done(unsafe { sys::nfpchan_wait(self.raw(), nanoseconds(timeout)) })
    }

    /// Set the signal of the channel's ME process.
    pub fn signal(&self) -> io::Result<()> {
        done(unsafe { sys::nfpchan_raise(self.raw()) })
    }

    /// The library's text for the last failure
    pub fn error_text(&self) -> String {
        text(|buf, len| unsafe { sys::nfpchan_error(self.raw(), buf, len) })
    }
}

impl<M> Drop for Channel<M> {
    /// Close this end. Messages that nobody has taken are lost, and the card counts them.
    fn drop(&mut self) {
        unsafe { sys::nfpchan_close(self.raw()) }
    }
}

impl<M> AsFd for Channel<M> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        unsafe { BorrowedFd::borrow_raw(self.as_raw_fd()) }
    }
}

impl<M> AsRawFd for Channel<M> {
    fn as_raw_fd(&self) -> RawFd {
        unsafe { sys::nfpchan_fd(self.raw()) }
    }
}

/// Of a stream: at least one element. The stream ends when the ME process does.
impl<M> Read for &Channel<M> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let (data, size) = (buf.as_mut_ptr(), buf.len());
        match result(unsafe { sys::nfpchan_read(self.raw(), data, size, -1) }) {
            Err(err) if err.kind() == ErrorKind::BrokenPipe => Ok(0),
            other => other,
        }
    }
}

/// Of a stream: whole elements
impl<M> Write for &Channel<M> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        result(unsafe { sys::nfpchan_write(self.raw(), buf.as_ptr(), buf.len(), -1) })
    }

    /// Nothing is kept back. [`Channel::drain`] waits for the ME process.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A message in the ring, which goes back to the card when it is dropped.
///
/// The card can write to the ring at any time, and the kernel replaces the ring by zeros when the
/// card goes. So the safe calls copy; [`intact`](Message::intact) says afterwards whether the
/// card was there.
pub struct Message<'a, M> {
    channel: &'a mut Channel<M>,
    data: *const u8,
    len: usize,
}

#[allow(clippy::len_without_is_empty)]
impl<M> Message<'_, M> {
    pub fn len(&self) -> usize {
        self.len
    }

    /// Copy the bytes from `offset` on, and return their number.
    pub fn copy_to(&self, offset: usize, buf: &mut [u8]) -> usize {
        let n = self.len.saturating_sub(offset).min(buf.len());
        let from = self.data.wrapping_add(offset);
        // SAFETY: n is 0, or the message has offset + n bytes, is mapped, and is apart from buf.
        unsafe { ptr::copy_nonoverlapping(from, buf.as_mut_ptr(), n) }
        n
    }

    pub fn to_vec(&self) -> Vec<u8> {
        let mut copy = vec![0; self.len];
        self.copy_to(0, &mut copy);
        copy
    }

    /// The bytes in place.
    ///
    /// # Safety
    /// The caller trusts the card not to write to the message before it is dropped, and accepts
    /// that the bytes become 0 when the card goes.
    pub unsafe fn as_slice(&self) -> &[u8] {
        std::slice::from_raw_parts(self.data, self.len)
    }

    /// Fails with ENODEV if the ring may have been replaced before this call.
    pub fn intact(&self) -> io::Result<()> {
        match self.channel.wait(Duration::ZERO) {
            Err(err) if err.raw_os_error() == Some(ENODEV) => Err(err),
            _ => Ok(()),
        }
    }
}

impl<M> Drop for Message<'_, M> {
    fn drop(&mut self) {
        // SAFETY: one message is given back, the oldest. A message that was forgotten instead of
        // dropped is older, so no message goes back before its time.
        unsafe { sys::nfpchan_release(self.channel.raw(), 1) };
    }
}
