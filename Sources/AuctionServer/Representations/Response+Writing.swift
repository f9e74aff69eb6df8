internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

extension Response {
    /// A response with the value that `write` writes, see `json`.
    static func json(reserving bytes: Int, status: Int = 200, _ write: (inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter(reserving: bytes)
        write(&json)
        return .json(json.bytes, status: status)
    }

    /// A response with an object of the members that `write` writes.
    static func object(reserving bytes: Int, status: Int = 200, _ write: (inout JSONWriter) -> Void) -> Response {
        json(reserving: bytes, status: status) { $0.object(write) }
    }
}

extension JSONWriter {
    /// Writes a member that is an array of what `write` writes of each element.
    mutating func member<Elements: Sequence>(
        _ name: StaticString, each elements: Elements, _ write: (Elements.Element, inout JSONWriter) -> Void
    ) {
        member(name, array: { array in for element in elements { write(element, &array) } })
    }

    /// Writes a member that is an object with the id and the name of a room or item.
    mutating func member<Kind: IdentifierKind>(_ key: StaticString, id: Identifier<Kind>, name: String) {
        member(
            key,
            object: { json in
                json.member("id", id)
                json.member("name", name)
            })
    }
}
