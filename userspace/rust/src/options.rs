// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//! How a channel or a port is opened.

use crate::{c_string, opened, port::OpenPort, sys, Alone, Card, Channel, Port, Shared};
use std::marker::PhantomData;
use std::{io, mem, ptr, sync::Arc, time::Duration};

/// How calls on a channel wait: the policies of `nfpchan.h`
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Wait {
    Default = 0,
    Spin = 1,
    Adaptive = 2,
    Monitor = 3,
    Sleep = 4,
    Best = 5,
}

/// Options. What is not set has the library's default. A value out of range fails in `open()`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    raw: sys::Opts,
    port: Option<Arc<OpenPort>>,
}

impl Options {
    /// Bytes of the data ring, a power of 2
    pub fn ring_size(mut self, bytes: u32) -> Self {
        self.raw.ring_size = bytes;
        self
    }

    /// How calls wait, and how long they watch before they sleep (0: the default time)
    pub fn wait(mut self, wait: Wait, watch: Duration) -> Self {
        self.raw.wait = wait as u32;
        self.raw.spin_us = i32::try_from(watch.as_micros()).unwrap_or(i32::MAX);
        self
    }

    /// Messages to the NFP up to this many bytes go inline; `None`: no message does.
    pub fn inline_max(mut self, bytes: Option<u16>) -> Self {
        self.raw.inline_max = bytes.map_or(-1, i32::from);
        self
    }

    /// The interrupt waits for `messages`, but no longer than `time`.
    pub fn interrupt(mut self, messages: u32, time: Duration) -> Self {
        self.raw.irq_count = messages;
        self.raw.irq_usecs = u32::try_from(time.as_micros()).unwrap_or(u32::MAX);
        self
    }

    /// The channel reports to a port.
    pub fn port(mut self, port: &Port) -> Self {
        self.raw.port = Some(port.0 .0);
        self.port = Some(port.0.clone());
        self
    }

    /// Open one end of a channel.
    pub fn open(&self, card: &Card, name: &str) -> io::Result<Channel<Shared>> {
        self.open_as(card, name, 0)
    }

    /// Open one end of a channel whose calls take no lock.
    pub fn open_alone(&self, card: &Card, name: &str) -> io::Result<Channel<Alone>> {
        self.open_as(card, name, sys::ALONE)
    }

    fn open_as<M>(&self, card: &Card, name: &str, flags: u32) -> io::Result<Channel<M>> {
        let (name, mut ch) = (c_string(name)?, ptr::null_mut());
        let opts = sys::Opts { flags, ..self.sized() };
        // SAFETY: card and port are open, and all else lives through the call.
        let ret = unsafe { sys::nfpchan_open(&mut ch, card.raw(), name.as_ptr(), &opts) };
        Ok(Channel { raw: opened(ret, ch)?, mode: PhantomData, _port: self.port.clone() })
    }

    pub(crate) fn sized(&self) -> sys::Opts {
        sys::Opts { size: mem::size_of::<sys::Opts>(), ..self.raw }
    }
}
