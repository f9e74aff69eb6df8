internal import ArgumentParser
internal import AuctionClientCore
internal import AuctionServer
internal import MicroHTTP

/// `auction-room healthcheck`: checks that the server on this machine is ready; for container images without curl.
struct Healthcheck: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Exits 0 if the server on this machine is ready, 1 if it is not.")

    @Option(help: ServeOption.port.help("The server's port."))
    var port: String?

    func run() throws {
        do throws(ConfigurationError) {
            var settings = Settings()
            try ServeOption.tlsCertificate.apply(nil, to: &settings)
            try ServeOption.port.apply(port, to: &settings)
            guard settings.tls.certificate.isEmpty else {
                throw ConfigurationError(
                    "the server speaks TLS, and this check does not: ask /readyz with a client that does")
            }
            let port = settings.server.http.port
            guard Self.isReady(port: port) else {
                throw ConfigurationError("nothing that is ready answers on port \(port)")
            }
        } catch {
            complain(error.description)
            throw ExitCode.failure
        }
    }

    private static func isReady(port: UInt16) -> Bool {
        let transport = SocketTransport(address: ServerAddress(host: "127.0.0.1", port: port))
        let call = HTTPCall(
            method: "GET", target: "/readyz", headers: [], body: nil, timeout: .seconds(3), responseLimit: 65_536)
        do {
            try runBlocking {
                let status = try await transport.send(call).head.status
                guard status == 200 else { throw ExitCode.failure }
            }
            return true
        } catch {
            return false
        }
    }
}
