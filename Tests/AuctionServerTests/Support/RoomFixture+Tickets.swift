import ExactJSON
import HTTPContract
import Testing

extension RoomFixture {
    /// A ticket for the room's streams.
    func ticket(by guest: Guest) throws -> String {
        let response = try call("POST", "/tickets", by: guest)
        try #require(response.status == 201)
        return try #require(response.text("ticket"))
    }

    /// The status of a request that redeems the ticket.
    func redeem(_ ticket: String, by transport: String) throws -> Int {
        switch transport {
        case "events": try EventReader(self, "?after=0&ticket=\(ticket)").status
        case "socket": try SocketReader(self, "?after=0&ticket=\(ticket)").status
        default: try call("GET", "/events?after=0&ticket=\(ticket)").status
        }
    }
}
