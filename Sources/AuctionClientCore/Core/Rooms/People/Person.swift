/// A user as others see them.
public struct Person: Hashable, Sendable {
    /// Opaque identifier.
    public let id: String
    /// What they call themselves.
    public let nickname: String

    /// A person from id and nickname.
    public init(id: String, nickname: String) {
        self.id = id
        self.nickname = nickname
    }

    init(_ fields: JSONFields) throws(MalformedJSON) {
        id = try fields.string("id")
        nickname = try fields.string("nickname")
    }
}

extension JSONFields {
    func person(_ name: String) throws(MalformedJSON) -> Person { try Person(try fields(name)) }

    func optionalPerson(_ name: String) throws(MalformedJSON) -> Person? {
        optional(name) == nil ? nil : try person(name)
    }
}
