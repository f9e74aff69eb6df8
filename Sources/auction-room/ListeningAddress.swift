internal import IPAddresses
internal import MicroHTTP

/// Where the server listens.
struct ListeningAddress: CustomStringConvertible {
    let scheme: String
    /// A name or a numeric address, without brackets.
    let host: String
    let port: UInt16

    var description: String { "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// An address that can be opened on this machine: a host that stands for all addresses is none.
    var forPeople: String {
        guard let address = IPAddress(host) else { return description }
        let loopback = ["0.0.0.0": "127.0.0.1", "::": "::1"].first { address == IPAddress($0.key) }?.value
        guard let loopback else { return description }
        return "\(Self(scheme: scheme, host: loopback, port: port)) (all addresses)"
    }
}
