internal import ArgumentParser
// Which module of the C library declares the functions depends on the order of imports.
internal import CMicroHTTPDShims
internal import Glibc

/// Standard output and standard error of the program.
///
/// `FileHandle.write` ends the process if a write fails; a log on a full disk, or a collector of logs that went away, must not end
/// a server.
enum StandardStreams {
    /// Opens `/dev/null` for each of the standard streams that the program was started without. Otherwise a file that is opened later,
    /// such as the log's lock, gets that number, and messages are written into it.
    static func reserve() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest number that is free is this one.
            // SAFETY: the string lives for the call.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// Writes to standard error. What cannot be written is lost.
    static func report(_ bytes: [UInt8]) { _ = send(bytes, to: STDERR_FILENO) }

    /// Writes to standard output what the program can do without. What cannot be written is lost.
    static func announce(_ text: String) { _ = send(Array(text.utf8), to: STDOUT_FILENO) }

    /// Writes a result to standard output. If that fails, the program ends with 74 and a line that says why.
    static func output(_ bytes: [UInt8]) {
        guard let code = send(bytes, to: STDOUT_FILENO) else { return }
        // SAFETY: the C string is copied at once.
        let reason = unsafe String(cString: strerror(code))
        complain("standard output cannot be written: \(reason)")
        exit(ExitCode.ioError.rawValue)
    }

    /// Ends the program with 74 and one line if something that was printed could not be written. To be called at the end: `print` buffers,
    /// and ignores errors.
    static func requireOutput() {
        guard micro_output_failed() != 0 else { return }
        complain("standard output cannot be written")
        exit(ExitCode.ioError.rawValue)
    }

    /// - Returns: `errno` of the write that failed; nil if everything was written.
    private static func send(_ bytes: [UInt8], to descriptor: CInt) -> CInt? {
        var rest = bytes[...]
        while !rest.isEmpty {
            // SAFETY: the pointer and the count are those of one array that lives for the call.
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                return errno
            }
        }
        return nil
    }
}
