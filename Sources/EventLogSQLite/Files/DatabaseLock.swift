import EventLog
import Glibc

/// An exclusive lock on a database file under all its names. Symbolic links, hard links and a mount of the single file have a
/// `LockFile` each, but lead to one file.
///
/// It is on a byte that SQLite neither locks nor stores anything in, and belongs to the open file: closing another descriptor
/// leaves it. It is not `flock`, which file systems of networks (NFS, SMB) make a lock on all bytes, SQLite's own among them.
///
/// Closing its descriptor drops the locks that SQLite has in this process, as closing any descriptor of the file does. Therefore
/// it is opened before SQLite's connections, and closed after them.
enum DatabaseLock {
    /// - Returns: The descriptor that has the lock; nil if there is no file.
    /// - Throws: `.locked` if another process has it, or another log of this process; otherwise `.unavailable`.
    static func take(_ path: String) throws(EventLogError) -> CInt? {
        // SAFETY: the string lives for the call.
        let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw LogFile.failure("open", path)
        }
        if apply(F_WRLCK, descriptor) { return descriptor }
        // The kernel is older than these locks, or imitates Linux without them: the lock file has to suffice.
        if errno == EINVAL { return descriptor }
        let isHeld = errno == EAGAIN || errno == EACCES
        let failure = isHeld ? held(path) : LogFile.failure("lock", path)
        close(descriptor)
        throw failure
    }

    /// Gives up the lock and closes its descriptor.
    static func release(_ descriptor: CInt) {
        // Explicitly, for the reason that `LockFile` has.
        _ = apply(F_UNLCK, descriptor)
        close(descriptor)
    }

    /// In the page with SQLite's own locks, behind them; that page of a file of more than a gibibyte stays unused.
    private static let byte = 0x4000_0000 + 1024
    /// `F_OFD_SETLK`, which C declares for GNU sources only.
    private static let setLockOfOpenFile: CInt = 37

    private static func apply(_ type: CInt, _ descriptor: CInt) -> Bool {
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = off_t(byte)
        range.l_len = 1
        // SAFETY: the structure lives for the call.
        return unsafe fcntl(descriptor, setLockOfOpenFile, &range) == 0
    }

    private static func held(_ path: String) -> EventLogError {
        EventLogError(
            .locked,
            "the log is open in another process, under this or another name: \(path) is locked; "
                + "one process at a time may use a log"
        )
    }
}
