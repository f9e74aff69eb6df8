internal import ArgumentParser
internal import AuctionServer
// Which module of the C library declares the socket types depends on the order of imports.
internal import CMicroHTTPDShims
internal import Foundation
internal import MicroHTTP

/// `auction-room healthcheck`: checks that the server on this machine is ready; for container images without curl.
struct Healthcheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Exits 0 if the server on this machine is ready, 1 if it is not.")

    @Option(help: ServeOption.port.help("The server's port."))
    var port: String?

    func run() throws {
        do throws(ConfigurationError) {
            var settings = Settings()
            try ServeOption.tlsCertificate.apply(nil, to: &settings)
            try ServeOption.port.apply(port, to: &settings)
            guard settings.tls.certificate.isEmpty else {
                complain("the server speaks TLS, and this check does not: ask /readyz with a client that does")
                throw ConfigurationError("")
            }
            let port = settings.server.http.port
            guard Self.isReady(port: port) else {
                complain("nothing that is ready answers on port \(port)")
                throw ConfigurationError("")
            }
        } catch {
            if !error.description.isEmpty { complain(error.description) }
            throw ExitCode.failure
        }
    }

    private static func isReady(port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { _ = close(descriptor) }
        var timeout = timeval(tv_sec: 3, tv_usec: 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // SAFETY: every pointer is to a local variable of the given size that outlives the call.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let request = Array("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard connected == 0, unsafe send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
        else { return false }
        var reply = [UInt8](repeating: 0, count: 64)
        let count = unsafe recv(descriptor, &reply, reply.count, 0)
        return count > 12 && String(decoding: reply.prefix(12), as: UTF8.self) == "HTTP/1.1 200"
    }
}
