/// Why no request goes to a URL.
package enum DestinationRefusal: Error, Hashable, Sendable {
    case tooLong
    /// No absolute URL, or with characters that a URL does not have.
    case malformed
    /// Neither `https` nor `http`.
    case scheme
    /// `http` where only `https` is allowed.
    case unencrypted
    /// A user's name or a password in the URL.
    case credentials
    case port
    case host
    /// An address that is not public: the one that `of` names, or that of the host `of`.
    case address(AddressKind, of: String)
}

extension DestinationRefusal {
    /// Whether an exception of the operator would allow the URL.
    package var isAllowable: Bool {
        switch self {
        case .unencrypted, .address: true
        case .tooLong, .malformed, .scheme, .credentials, .port, .host: false
        }
    }
}

extension DestinationRefusal: CustomStringConvertible {
    /// Completes "The URL …".
    package var description: String {
        switch self {
        case .tooLong: "has more than \(OutboundURL.limitBytes) bytes"
        case .malformed: "is no absolute URL, or has characters that must be escaped, or a fragment"
        case .scheme: "must begin with https://"
        case .unencrypted: "must begin with https://; http:// is for hosts that the operator allows"
        case .credentials: "must not contain a user name or a password"
        case .port: "must have a port from 1 to 65535, or none"
        case .host: "has no valid host: a name in ASCII, an IPv4 address, or an IPv6 address in brackets"
        case .address(let kind, let host): "leads to \(host), an address that is \(kind)"
        }
    }
}
