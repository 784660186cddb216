#![no_main]
use rpcslice_fuzz as fuzz;
libfuzzer_sys::fuzz_target!(init: fuzz::count::report_at_exit(), |data: &[u8]| fuzz::variants::run(data));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match seed % 5 {
        0 => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
        _ => fuzz::variants::mutate_in_place(data, size, max_size, seed),
    }
});
