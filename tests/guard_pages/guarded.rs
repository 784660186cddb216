//! Memory between two pages that nobody may read.

use std::ptr;

/// Room for the longest frame.
const ROOM: usize = 4096;
/// What stands where no frame is: within the pages that may be read, it would change what is parsed.
const AROUND: u8 = b'"';

/// Invariant: `all` bytes are mapped from `start` on. The first and the last `page` of them are inaccessible; what is
/// between, more than `ROOM` bytes, is readable, writable, initialised, and used by nobody but through `self`.
pub(crate) struct Guarded {
    start: *mut u8,
    page: usize,
    all: usize,
}

impl Guarded {
    pub(crate) fn new() -> Self {
        // SAFETY: `sysconf` reads nothing of ours.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).unwrap();
        let inner = ROOM.next_multiple_of(page);
        let all = inner + 2 * page;
        // SAFETY: a new mapping, at an address of the system's choice, touches no memory that is in use.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                all,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANON,
                -1,
                0,
            )
        };
        assert_ne!(
            start,
            libc::MAP_FAILED,
            "{}",
            std::io::Error::last_os_error()
        );
        let start = start.cast::<u8>();
        // SAFETY: these pages are inside of the mapping, and nobody has a reference to them.
        let result = unsafe {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            libc::mprotect(start.add(page).cast(), inner, access)
        };
        assert_eq!(result, 0, "{}", std::io::Error::last_os_error());
        Self { start, page, all }
    }

    fn inner(&mut self) -> &mut [u8] {
        // SAFETY: the invariant: these bytes are readable, writable and initialised (a new mapping is all zeros), and
        // nobody else has them as long as `self` is borrowed.
        unsafe {
            std::slice::from_raw_parts_mut(self.start.add(self.page), self.all - 2 * self.page)
        }
    }

    /// Copies the frame so that it ends where the last page begins.
    pub(crate) fn put_before_end(&mut self, frame: &[u8]) -> &[u8] {
        let inner = self.inner();
        inner.fill(AROUND);
        let start = inner.len() - frame.len();
        inner[start..].copy_from_slice(frame);
        &inner[start..]
    }

    /// Copies the frame so that it begins where the first page ends.
    pub(crate) fn put_behind_start(&mut self, frame: &[u8]) -> &[u8] {
        let inner = self.inner();
        inner.fill(AROUND);
        inner[..frame.len()].copy_from_slice(frame);
        &inner[..frame.len()]
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and goes with the only thing that knows its address.
        unsafe { libc::munmap(self.start.cast(), self.all) };
    }
}

/// Whether a process that reads this byte dies of it: a child of this one.
pub(crate) fn is_fault(at: *const u8) -> bool {
    // SAFETY: the child of a process with several threads may only call what may be called in a signal handler:
    // `signal`, `alarm` and `_exit` may, and the read allocates nothing.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "{}", std::io::Error::last_os_error());
    if child == 0 {
        // SAFETY: as above. The read is meant to be a fault: what is there is no object of Rust's, so it is volatile,
        // and whatever comes of it ends with the child.
        unsafe {
            // Not what Rust or a sanitizer would say about it.
            libc::signal(libc::SIGSEGV, libc::SIG_DFL);
            libc::signal(libc::SIGBUS, libc::SIG_DFL);
            libc::alarm(10);
            let _ = at.read_volatile();
            libc::_exit(0);
        }
    }
    let mut status = 0;
    // SAFETY: `waitpid` writes the status where it is told to.
    let waited = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!(waited, child, "{}", std::io::Error::last_os_error());
    let is_killed = libc::WIFSIGNALED(status);
    assert!(is_killed || libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0);
    is_killed && matches!(libc::WTERMSIG(status), libc::SIGSEGV | libc::SIGBUS)
}
