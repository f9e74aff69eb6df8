internal import CMicroHTTPD

/// Which versions of libmicrohttpd the server runs with.
///
/// It relies on what the library does not promise: which functions it reads and polls with, that a read of fewer bytes than asked for
/// means an empty socket, the data of its epoll events, and when it calls back (`CMicroHTTPDShims`). The sources of these versions were
/// compared with that, and tests ran with them: those of Debian 12, Ubuntu 24.04 and Debian 13.
enum LibraryVersion {
    static let checked = ["0.9.75", "1.0.0", "1.0.1"]

    /// Throws unless the library that was found is one of `checked`.
    static func check(_ found: String = unsafe String(cString: MHD_get_version())) throws(HTTPServerError) {
        guard !checked.contains(found) else { return }
        throw HTTPServerError(
            .unknownLibrary,
            "libmicrohttpd \(found) was found, and this program was checked only with \(checked.joined(separator: ", ")), on whose "
                + "internals it relies: install one of these")
    }
}
