internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

/// A page of events: their stored bytes, copied. All readers who are sent the same events at a time share one copy.
struct EventsAnswer {
    let events: ArraySlice<StoredEvent>
    /// Where the page begins.
    let after: Int
    /// Whether there are more events than these.
    let more: Bool

    /// A smaller page is copied for each reader: sharing would cost more.
    private static let leastShared = 4096

    /// The page as an answer, with the time and the viewers of now.
    func response(of room: CommittedRoom, at now: Timestamp, in budget: ResponseBudget) -> Response {
        let size = events.reduce(64) { $0 + $1.publicBytes.count + 1 }
        guard size >= Self.leastShared else {
            var json = JSONWriter(reserving: size + 128)
            json.object { json in
                write(to: &json)
                writeMoment(to: &json, room, now)
            }
            return .json(json.bytes)
        }
        let key = CommittedRoom.PageKey(after: after, last: events.last?.seq ?? after, more: more)
        let shared = room.page(key) { SharedBytes(start(reserving: size), in: budget) }
        var rest = JSONWriter(reserving: 128)
        rest.object { writeMoment(to: &$0, room, now) }
        // One object in two parts: a comma stands where the first would end and the second begin.
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

    private func writeMoment(to json: inout JSONWriter, _ room: CommittedRoom, _ now: Timestamp) {
        json.member("serverTime", now)
        json.member("presence", object: { $0.member("viewers", room.viewers) })
    }
}
