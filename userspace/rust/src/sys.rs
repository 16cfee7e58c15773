// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//! The structs and calls of nfpchan.h that the crate uses.

use crate::{Case, Event};
use std::os::raw::{c_char, c_int, c_uint};
use std::ptr::NonNull;

pub enum Card {}
pub enum Chan {}
pub enum Port {}

pub const TO_HOST: u32 = 1;
pub const STREAM: u32 = 2;
pub const ALONE: u32 = 1;

/// struct nfpchan_opts
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Opts {
    pub size: usize,
    pub ring_size: u32,
    pub spin_us: i32,
    pub flags: u32,
    pub inline_max: i32,
    pub irq_count: u32,
    pub irq_usecs: u32,
    pub wait: u32,
    pub rsvd: u32,
    pub port: Option<NonNull<Port>>,
}

/// struct nfp_chan_layout, up to what the crate uses
#[repr(C)]
pub struct Layout {
    pub head: [u32; 3],
    pub dir: u32,
    pub elem_size: u32,
    pub max_size: u32,
    pub others: [u32; 15],
    pub kind: u32,
}

type Text = *mut c_char;
type Name = *const c_char;

extern "C" {
    pub fn nfpchan_card_open(card: *mut *mut Card, name: Name, err: Text, len: usize) -> c_int;
    pub fn nfpchan_card_close(card: *mut Card);
    pub fn nfpchan_card_error(card: *mut Card, buf: Text, len: usize) -> Text;
    pub fn nfpchan_open(ch: *mut *mut Chan, on: *mut Card, name: Name, opts: *const Opts) -> c_int;
    pub fn nfpchan_close(ch: *mut Chan);
    pub fn nfpchan_error(ch: *mut Chan, buf: Text, len: usize) -> Text;
    pub fn nfpchan_name(ch: *const Chan) -> Name;
    pub fn nfpchan_layout(ch: *const Chan) -> *const Layout;
    pub fn nfpchan_fd(ch: *const Chan) -> c_int;
    pub fn nfpchan_send(ch: *mut Chan, buf: *const u8, len: usize, timeout: i64) -> c_int;
    pub fn nfpchan_write(ch: *mut Chan, buf: *const u8, len: usize, timeout: i64) -> isize;
    pub fn nfpchan_drain(ch: *mut Chan, timeout: i64) -> c_int;
    pub fn nfpchan_raise(ch: *mut Chan) -> c_int;
    pub fn nfpchan_recv(ch: *mut Chan, buf: *mut u8, size: usize, timeout: i64) -> isize;
    pub fn nfpchan_read(ch: *mut Chan, buf: *mut u8, size: usize, timeout: i64) -> isize;
    pub fn nfpchan_borrow(ch: *mut Chan, data: *mut *const u8, timeout: i64) -> isize;
    pub fn nfpchan_release(ch: *mut Chan, n: c_uint) -> c_int;
    pub fn nfpchan_wait(ch: *mut Chan, timeout: i64) -> c_int;
    pub fn nfpchan_select(cases: *mut Case, n: c_uint, timeout: i64) -> c_int;
    pub fn nfpchan_port_open(port: *mut *mut Port, on: *mut Card, opts: *const Opts) -> c_int;
    pub fn nfpchan_port_close(port: *mut Port);
    pub fn nfpchan_port_fd(port: *const Port) -> c_int;
    pub fn nfpchan_port_wait(port: *mut Port, to: *mut Event, n: c_uint, timeout: i64) -> c_int;
}
