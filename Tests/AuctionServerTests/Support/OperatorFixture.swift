import AuctionDomain
import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// A server with service tokens.
struct OperatorFixture {
    static let adminToken = "the-operators-own-token-of-forty-characters"

    let server: TestServer

    init(
        log: any EventLog = InMemoryEventLog(), systemClock: Bool = false,
        _ configure: (inout ServerOptions) -> Void = { _ in }
    ) throws {
        server = try TestServer(log: log, systemClock: systemClock, roomLimits: RoomLimits(messagesPerSecond: 0)) { options in
            options.adminToken = Self.adminToken
            configure(&options)
        }
    }

    static func bearer(_ token: String) -> [(name: String, value: String)] { [("Authorization", "Bearer \(token)")] }

    /// Sends a request with a service token; nil: that of the operator's file.
    @discardableResult
    func call(
        _ method: String, _ path: String, _ body: JSONValue? = nil, token: String? = nil,
        _ headers: [(name: String, value: String)] = [], at location: SourceLocation = #_sourceLocation
    ) throws -> HTTPResponse {
        try server.call(method, path, body, by: nil, Self.bearer(token ?? Self.adminToken) + headers, at: location)
    }

    /// Makes a service token with these scopes.
    func token(_ scopes: String...) throws -> (id: String, text: String) {
        let response = try call(
            "POST", "/v1/admin/tokens", ["name": "Backend", "scopes": .array(scopes.map { .string($0) })])
        try #require(response.status == 201, "\(response.bodyText)")
        return (try #require(response.text("id")), try #require(response.text("token")))
    }

    /// Signs in a user of the operator's backend.
    func backendUser(_ subject: String, _ nickname: String) throws -> Guest {
        let user = try call(
            "POST", "/v1/admin/users/tokens", ["subject": .string(subject), "nickname": .string(nickname)])
        return Guest(
            id: try #require(user.text("user.id")), nickname: nickname, token: try #require(user.text("token")))
    }

    /// Opens a room by a guest.
    func room(_ name: String = "Night market", visibility: String = "public", by guest: Guest) throws -> String {
        let room = try server.call(
            "POST", "/v1/rooms", ["name": .string(name), "visibility": .string(visibility)], by: guest)
        return try #require(room.text("id"))
    }

    func say(_ text: String, in room: String, by guest: Guest) throws {
        try #require(try server.call("POST", "/v1/rooms/\(room)/messages", ["text": .string(text)], by: guest).status == 201)
    }
}
