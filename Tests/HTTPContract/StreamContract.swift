package import ExactJSON
package import Foundation

/// The contract of the streams, `openapi/asyncapi.yaml`, which refers to schemas of `openapi/openapi.yaml`; checks frames against it.
/// Like ``Contract`` it is open to clients, and the check is closed.
package struct StreamContract: Sendable {
    /// Location of the served document.
    package static let file = Contract.file.deletingLastPathComponent().appending(path: "asyncapi.yaml")
    /// The document of this repository, parsed once per process.
    package static let shared = Result {
        try StreamContract(JSONValue(yaml: String(contentsOf: file, encoding: .utf8)), Contract.shared.get())
    }

    /// The whole document.
    package let root: JSONValue
    private let contract: Contract

    private init(_ root: JSONValue, _ contract: Contract) {
        self.root = root
        self.contract = contract
    }

    /// The value that a reference of the document points at, in it or in `openapi.yaml`; nil if there is none.
    package func target(of reference: String) -> JSONValue? {
        let parts = reference.split(separator: "#/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        var value: JSONValue? = parts[0].isEmpty ? root : contract.root
        guard parts[0].isEmpty || parts[0] == "openapi.yaml" else { return nil }
        for name in parts[1].split(separator: "/") { value = value?[String(name)] }
        return value
    }

    /// The messages of a channel by name.
    package func messages(of channel: String) -> [(name: String, message: JSONValue)] {
        (root.at("channels.\(channel).messages")?.members ?? []).compactMap { member in
            member.value.text("$ref").flatMap(target).map { (member.name, $0) }
        }
    }

    /// The names of the channel's messages whose payload a frame is.
    package func kinds(of frame: JSONValue, on channel: String) -> [String] {
        messages(of: channel).filter { violations(of: frame, against: $0.message).isEmpty }.map(\.name)
    }

    /// Every violation of a message's payload schema.
    package func violations(of frame: JSONValue, against message: JSONValue) -> [String] {
        guard let schema = message["payload"] else { return ["the message has no payload"] }
        let checker = SchemaChecker(isClosed: true) { reference in
            if reference.hasSuffix("#/components/schemas/Event") { return contract.component("schemas", "KnownEvent") }
            // References inside of openapi.yaml are to that document, and no schema of both has the same name.
            return contract.component("schemas", String(reference.split(separator: "/").last ?? "")) ?? target(of: reference)
        }
        return checker.violations(of: frame, against: schema)
    }
}
