/// A user as others see them.
public struct Person: Hashable, Sendable {
    /// Opaque.
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

/// What is auctioned in a round.
public struct Item: Hashable, Sendable {
    /// Opaque.
    public let id: String
    /// One line.
    public let name: String
    /// Any number of lines; may be empty.
    public let description: String
    /// Addresses of pictures.
    public let media: [String]
    /// The auctioneer who uploaded it.
    public let owner: Person

    init(_ fields: JSONFields) throws(MalformedJSON) {
        id = try fields.string("id")
        name = try fields.string("name")
        description = try fields.optionalString("description") ?? ""
        media = fields.strings("media")
        owner = try Person(try fields.fields("owner"))
    }
}

extension JSONFields {
    func person(_ name: String) throws(MalformedJSON) -> Person { try Person(try fields(name)) }

    func optionalPerson(_ name: String) throws(MalformedJSON) -> Person? {
        optional(name) == nil ? nil : try person(name)
    }
}
