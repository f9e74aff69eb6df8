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

    /// The same in Chinese, as a sentence without a full stop.
    package var chinese: String {
        switch self {
        case .tooLong: "超过 \(OutboundURL.limitBytes) 字节"
        case .malformed: "不是绝对 URL,或包含须转义的字符或片段"
        case .scheme: "须以 https:// 开头"
        case .unencrypted: "须以 https:// 开头,http:// 只用于运营者允许的主机"
        case .credentials: "不得包含用户名或密码"
        case .port: "端口须为 1 至 65535,或省略"
        case .host: "没有有效的主机:须为 ASCII 主机名、IPv4 地址或方括号中的 IPv6 地址"
        case .address(let kind, let host): "指向 \(host),其地址\(kind.chinese)"
        }
    }
}
