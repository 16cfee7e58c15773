#!/usr/bin/perl
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# Example: use channels without a binding, in a language that has ioctl() and syscall().
#
# Sends each argument to the card's echo process, sleeps on an eventfd until the
# card raises an interrupt, and prints the reply. Nothing is mapped.

use strict;
use warnings;
use Errno;

use constant {
    SYS_EVENTFD2 => 290,            # x86-64
    IOC_OPEN     => 0xe1 << 8 | 0x02,
    IOC_EVENTFD  => 0xe1 << 8 | 0x05,
    IOC_ARM      => 0xe1 << 8 | 0x06,
    OPEN_NONBLOCK => 0x1,           # NFP_CHAN_OPEN_NONBLOCK
    OPEN   => "L L a32 L l L L l l Q",  # struct nfp_chan_open
    EVENTFD => "L L l L",           # struct nfp_chan_eventfd
    ARM    => "L L L L",            # struct nfp_chan_arm
    LARGEST => 2048,                # max_size of echo-out
};

# Make a struct, whose size is its first field.
sub packed {
    my ($form, @fields) = @_;
    return pack($form, length pack($form, (0) x (@fields + 1)), @fields);
}

# Open a channel of the card. Returns a file handle.
sub channel {
    my ($card, $mode, $name) = @_;
    my $open = packed(OPEN, OPEN_NONBLOCK, $name, 0, -1, 0, 0, -1, -1, 0);
    ioctl($card, IOC_OPEN, $open) or die "$name: $!\n";
    open(my $channel, "$mode&=", (unpack OPEN, $open)[4]) or die "$name: $!\n";
    return $channel;
}

# Have the card raise one interrupt when a message comes. False: one is there.
sub arm {
    my ($channel) = @_;
    my $arm = packed(ARM, 0, 0, 0);
    ioctl($channel, IOC_ARM, $arm) or die "arm: $!\n";
    return (unpack ARM, $arm)[3] == 0;
}

my $node = "/dev/nfp_chan0";
open(my $card, "+<", $node) or die "$node: $!\n";
my $out = channel($card, "<", "echo-out");
my $in = channel($card, ">", "echo-in");

my $number = syscall(SYS_EVENTFD2, 0, 0);
die "eventfd: $!\n" if $number < 0;
open(my $event, "<&=", $number) or die "eventfd: $!\n";
my $bind = packed(EVENTFD, 0, $number, 0);
ioctl($out, IOC_EVENTFD, $bind) or die "echo-out: $!\n";

for my $word (@ARGV) {
    my ($armed, $reply) = arm($out);
    defined syswrite($in, $word) or die "echo-in: $!\n";
    for (;;) {
        # The eventfd may be signalled without a message. Then arm again.
        sysread($event, my $count, 8) or die "eventfd: $!\n" if $armed;
        last if defined sysread($out, $reply, LARGEST);
        die "echo-out: $!\n" unless $!{EAGAIN};
        $armed = arm($out);
    }
    print "$reply\n";
}
