/// What is auctioned in a round.
public struct Item: Hashable, Sendable {
    /// Opaque identifier.
    public let id: String
    /// What it is called, as one line.
    public let name: String
    /// Any number of lines; may be empty.
    public let description: String
    /// Addresses of pictures; those that begin with a slash are below that of the service.
    public let media: [String]
    /// The auctioneer who uploaded it.
    public internal(set) var owner: Person

    init(_ fields: JSONFields) throws(MalformedJSON) {
        id = try fields.string("id")
        name = try fields.string("name")
        description = try fields.optionalString("description") ?? ""
        media = fields.strings("media")
        owner = try Person(try fields.fields("owner"))
    }
}
