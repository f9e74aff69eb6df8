internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

/// A page of events as a response body. Responses with the same events share one copy of their bytes.
struct EventsPage {
    let events: ArraySlice<StoredEvent>
    /// The seq after which the page starts.
    let after: Int
    /// Whether there are more events than these.
    let more: Bool

    /// Smaller pages are copied per response, which is cheaper than sharing.
    private static let minimumSharedBytes = 4096

    /// The page as a response, with the current time and number of viewers.
    func response(of room: CommittedRoom, at now: Timestamp, in budget: ResponseBudget) -> Response {
        let size = events.reduce(64) { $0 + $1.publicBytes.count + 1 }
        guard size >= Self.minimumSharedBytes else {
            var json = JSONWriter(reserving: size + 128)
            json.object { json in
                write(to: &json)
                writeCurrentState(to: &json, room, now)
            }
            return .json(json.bytes)
        }
        let key = CommittedRoom.PageKey(after: after, last: events.last?.seq ?? after, more: more)
        let shared = room.page(key) { SharedBytes(start(reserving: size), in: budget) }
        var rest = JSONWriter(reserving: 128)
        rest.object { writeCurrentState(to: &$0, room, now) }
        // The body is one object in two parts: the shared part lacks its closing brace, and a comma replaces the second's opening one.
        var response = Response.json([UInt8(ascii: ",")] + rest.bytes.dropFirst())
        response.prefix = shared
        return response
    }

    private func start(reserving size: Int) -> [UInt8] {
        var json = JSONWriter(reserving: size)
        json.object { write(to: &$0) }
        return json.bytes.dropLast()
    }

    private func write(to json: inout JSONWriter) {
        json.member("events", array: { array in for event in events { array.raw(event.publicBytes) } })
        json.member("next", events.last?.seq ?? after)
        json.member("more", more)
    }

    private func writeCurrentState(to json: inout JSONWriter, _ room: CommittedRoom, _ now: Timestamp) {
        json.member("serverTime", now)
        json.member("presence", object: { $0.member("viewers", room.viewers) })
    }
}
