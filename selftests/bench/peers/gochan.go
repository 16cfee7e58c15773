// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

// gochan measures Go's channels between two goroutines.
//
// usage: gochan [SECONDS]
//
// It prints lines "KEY VALUE", as the other benchmarks do. Each figure is the best of several runs
// of SECONDS.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"time"
)

const runs = 5

var seconds = 0.05

// rate returns the messages a second through a channel of depth elements. Messages are passed by
// value.
func rate[T any](depth int) float64 {
	ch := make(chan T, depth)
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		var m T
		for {
			select {
			case <-stop:
				return
			default:
			}
			for i := 0; i < 1024; i++ {
				ch <- m
			}
		}
	}()
	best := 0.0
	for run := 0; run <= runs; run++ {
		n := 0
		start := time.Now()
		for time.Since(start).Seconds() < seconds {
			for i := 0; i < 1024; i++ {
				<-ch
			}
			n += 1024
		}
		if r := float64(n) / time.Since(start).Seconds(); run > 0 && r > best {
			best = r
		}
	}
	close(stop)
	for {
		select {
		case <-ch:
		case <-done:
			return best
		}
	}
}

// roundTrip returns the median and the 99th percentile, in microseconds, of the run with the
// smallest median. It uses two channels without buffer.
func roundTrip() (median, p99 float64) {
	there, back := make(chan [64]byte), make(chan [64]byte)
	go func() {
		for m := range there {
			back <- m
		}
		close(back)
	}()
	var m [64]byte
	took := make([]float64, 0, 20000)
	for run := 0; run <= runs; run++ {
		took = took[:0]
		begin := time.Now()
		for len(took) < cap(took) && time.Since(begin).Seconds() < seconds {
			start := time.Now()
			there <- m
			m = <-back
			took = append(took, float64(time.Since(start).Nanoseconds())/1e3)
		}
		sort.Float64s(took)
		if run == 1 || run > 1 && took[len(took)/2] < median {
			median, p99 = took[len(took)/2], took[len(took)*99/100]
		}
	}
	close(there)
	return median, p99
}

func show(key string, value float64) {
	fmt.Printf("%s %.5g\n", key, value)
	time.Sleep(100 * time.Millisecond)
}

func main() {
	if len(os.Args) > 1 {
		s, err := strconv.ParseFloat(os.Args[1], 64)
		if err != nil || s <= 0 || len(os.Args) > 2 {
			fmt.Fprintln(os.Stderr, "usage: gochan [SECONDS]")
			os.Exit(2)
		}
		seconds = s
	}
	runtime.GOMAXPROCS(2)
	show("go64_one_Mps", rate[[64]byte](4096)/1e6)
	show("go64_unbuffered_Mps", rate[[64]byte](0)/1e6)
	show("go1k_Mps", rate[[1024]byte](256)/1e6)
	median, p99 := roundTrip()
	show("go64_rtt_us_median", median)
	show("go64_rtt_us_p99", p99)
}
