#error "hls::fft is scheduled, not executed: its values are those of the vendor's model of its core; leave out --testbench"
