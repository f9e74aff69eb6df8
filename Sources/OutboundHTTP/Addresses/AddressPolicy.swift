package import IPAddresses

/// Where requests may go. Asked twice: with the text of a URL, and with each address before it is connected to.
///
/// The second time counts, as a name may have another address by then; the first is for a refusal that says why while a user is there
/// to read it.
package struct AddressPolicy: Sendable {
    private enum Reach { case publicAddresses, everyAddress }

    private let reach: Reach
    private let hosts: Set<String>
    private let blocks: [AddressBlock]

    private init(_ reach: Reach, _ exceptions: [AddressException]) {
        self.reach = reach
        hosts = Set(exceptions.compactMap { if case .host(let name) = $0 { name } else { nil } })
        blocks = exceptions.compactMap { if case .block(let block) = $0 { block } else { nil } }
    }

    /// For URLs that others than the operator have chosen: public addresses by `https`; where there is an exception any address, and
    /// by `http` too.
    package static func publicAddresses(except exceptions: [AddressException] = []) -> Self {
        Self(.publicAddresses, exceptions)
    }

    /// For systems that the operator has named: any address by `https`, and this machine by `http` too.
    package static let operatorsSystems = Self(.everyAddress, [])

    /// Checks a URL without resolving its host.
    /// - Returns: The URL's parts.
    @discardableResult
    package func check(_ text: String) throws(DestinationRefusal) -> OutboundURL {
        let url = try OutboundURL(text)
        try check(url)
        // A name without an exception may have an address that has one, and another address the next time.
        guard
            url.isEncrypted || reach == .everyAddress || url.address != nil || url.namesThisMachine || hosts.contains(url.host)
        else { throw .unencrypted }
        return url
    }

    /// Checks a URL without resolving its host.
    func check(_ url: OutboundURL) throws(DestinationRefusal) {
        guard url.isEncrypted || mayBePlain(url) else { throw .unencrypted }
        if let address = url.address {
            try check(address, of: url)
        } else if reach == .publicAddresses, url.namesThisMachine, !hosts.contains(url.host), !exceptsThisMachine {
            throw .address(.loopback, of: url.host)
        }
    }

    /// Checks an address that a connection for the URL has, or is to have.
    func check(_ address: IPAddress, of url: OutboundURL) throws(DestinationRefusal) {
        switch reach {
        case .everyAddress:
            guard url.isEncrypted || address.isLoopback else { throw .unencrypted }
        case .publicAddresses:
            if hosts.contains(url.host) || blocks.contains(where: { $0.contains(address) }) { return }
            if let kind = AddressKind(address) { throw .address(kind, of: address.description) }
            guard url.isEncrypted else { throw .unencrypted }
        }
    }

    /// Whether the addresses that the names of this machine stand for are excepted.
    private var exceptsThisMachine: Bool {
        ["127.0.0.1", "::1"].compactMap { IPAddress($0) }.contains { address in blocks.contains { $0.contains(address) } }
    }

    /// Whether a URL may begin with `http:`, as far as its text says. A name may have an address in a block that is excepted.
    private func mayBePlain(_ url: OutboundURL) -> Bool {
        switch reach {
        case .everyAddress: url.address?.isLoopback ?? url.namesThisMachine
        case .publicAddresses:
            hosts.contains(url.host)
                || url.address.map { address in blocks.contains { $0.contains(address) } } ?? !blocks.isEmpty
        }
    }
}

/// What an operator allows beside public addresses: a host by its name, an address, or a block of them.
package enum AddressException: Hashable, Sendable {
    /// In lower case, without a dot at the end. All its addresses are allowed.
    case host(String)
    case block(AddressBlock)

    /// Reads `hooks.internal`, `10.0.0.7`, `10.0.0.0/8` or `fd00::/8`; nil for anything else.
    package init?(_ text: String) {
        if let block = AddressBlock(text) {
            self = .block(block)
        } else if let name = OutboundURL.name(text) {
            self = .host(name)
        } else {
            return nil
        }
    }
}
