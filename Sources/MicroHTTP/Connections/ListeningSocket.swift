internal import Glibc

/// The sockets a server listens on: one per loop, all on the same address and port.
enum ListeningSocket {
    /// Opens `count` bound and listening sockets, in the order of the loops. Returns them with the port they are bound to.
    ///
    /// - Parameter sendBuffer: send buffer in bytes, inherited by every accepted connection.
    static func open(
        host: String, port: UInt16, count: Int, sendBuffer: Int
    ) throws(HTTPServerError) -> (descriptors: [Int32], port: UInt16) {
        var address = try resolve(host, port: port)
        // Several sockets on one port need SO_REUSEPORT, and with it a second server would silently share the port: so first one
        // socket is opened without it, which fails if another socket listens.
        if count > 1, port != 0 {
            _ = close(try listening(at: address, sharing: false))
        }
        var descriptors: [Int32] = []
        do throws(HTTPServerError) {
            for _ in 0..<count {
                let descriptor = try listening(at: address, sharing: count > 1)
                setOption(descriptor, SO_SNDBUF, to: Int32(clamping: sendBuffer))
                descriptors.append(descriptor)
                if address.port == 0 { address.port = boundPort(of: descriptors[0]) }
            }
        } catch {
            for descriptor in descriptors { _ = close(descriptor) }
            throw error
        }
        return (descriptors, address.port)
    }

    private struct Address {
        let host: String
        var storage: sockaddr_storage
        let size: socklen_t

        // The port is at the same offset in both families.
        var port: UInt16 {
            get {
                // SAFETY: a sockaddr_storage is large enough and aligned for a sockaddr_in.
                unsafe withUnsafeBytes(of: storage) { unsafe UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
            }
            set {
                unsafe withUnsafeMutableBytes(of: &storage) {
                    unsafe $0.storeBytes(of: newValue.bigEndian, toByteOffset: 2, as: UInt16.self)
                }
            }
        }
    }

    private static func resolve(_ host: String, port: UInt16) throws(HTTPServerError) -> Address {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        // SAFETY: the list is read before it is freed, and the address in it is copied by its own size.
        let code = unsafe getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let first = unsafe found, let name = unsafe first.pointee.ai_addr else {
            throw HTTPServerError(.invalidAddress, "\(host) is not an address that this machine can listen on")
        }
        defer { unsafe freeaddrinfo(first) }
        let size = unsafe first.pointee.ai_addrlen
        var storage = sockaddr_storage()
        unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyMemory(from: .init(start: name, count: Int(size))) }
        return Address(host: host, storage: storage, size: size)
    }

    private static func listening(at address: Address, sharing: Bool) throws(HTTPServerError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(Int32(address.storage.ss_family), kind, 0)
        guard descriptor >= 0 else {
            throw HTTPServerError(.resource, "no socket to listen on: \(systemError(errno))")
        }
        // Without this, connections of an earlier run that linger in TIME_WAIT would hold the port for a minute.
        setOption(descriptor, SO_REUSEADDR)
        if sharing { setOption(descriptor, SO_REUSEPORT) }
        var storage = address.storage
        // SAFETY: a sockaddr_storage may be read as a sockaddr of the size that came with it.
        let bound = unsafe withUnsafeBytes(of: &storage) { bytes in
            unsafe bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, address.size)
        }
        guard bound == 0, listen(descriptor, SOMAXCONN) == 0 else {
            let failure = errno
            _ = close(descriptor)
            throw error(failure, address)
        }
        return descriptor
    }

    private static func error(_ code: Int32, _ address: Address) -> HTTPServerError {
        let place = "\(address.host) port \(address.port)"
        return switch code {
        case EADDRINUSE:
            HTTPServerError(.addressInUse, "\(place) is in use: stop what listens there, or choose another port")
        case EACCES, EPERM:
            HTTPServerError(.permissionDenied, "\(place) may not be used: \(systemError(code)); choose a port above 1023")
        case EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL:
            HTTPServerError(.invalidAddress, "\(address.host) is not an address of this machine: \(systemError(code))")
        default:
            HTTPServerError(.resource, "cannot listen on \(place): \(systemError(code))")
        }
    }

    private static func setOption(_ descriptor: Int32, _ option: Int32, to value: Int32 = 1) {
        var value = value
        // SAFETY: the value lives through the call and its size is given.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func boundPort(of descriptor: Int32) -> UInt16 {
        var address = Address(host: "", storage: sockaddr_storage(), size: 0)
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // SAFETY: the size given is the storage's own.
        _ = unsafe withUnsafeMutableBytes(of: &address.storage) { bytes in
            unsafe getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
        }
        return address.port
    }
}
