internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import WebSocketFrames

/// Transport of a subscriber's stream.
enum StreamTransport {
    case serverSentEvents
    case webSocket
}

/// Content for any number of subscribers, encoded once per transport on first use.
final class StreamContent {
    enum Source {
        case events(ArraySlice<StoredEvent>)
        /// A JSON object that is not an event and does not advance the client's seq.
        case notice([UInt8])
    }

    private let source: Source
    private let budget: ResponseBudget
    private var encoded: [StreamTransport: SharedBytes] = [:]

    init(_ source: Source, in budget: ResponseBudget) {
        self.source = source
        self.budget = budget
    }

    func bytes(for transport: StreamTransport) -> SharedBytes {
        if let bytes = encoded[transport] { return bytes }
        let bytes = SharedBytes(encode(transport), in: budget)
        encoded[transport] = bytes
        return bytes
    }

    private func encode(_ transport: StreamTransport) -> [UInt8] {
        var output: [UInt8] = []
        switch (source, transport) {
        case (.events(let events), .serverSentEvents):
            output.reserveCapacity(events.reduce(0) { $0 + $1.publicBytes.count + 64 })
            for event in events {
                output.append(contentsOf: "id: \(event.seq)\nevent: \(event.type)\ndata: ".utf8)
                // The JSON is one line, as line breaks in strings are escaped.
                output.append(contentsOf: event.publicBytes)
                output.append(contentsOf: "\n\n".utf8)
            }
        case (.events(let events), .webSocket):
            output.reserveCapacity(events.reduce(0) { $0 + $1.publicBytes.count + 10 })
            for event in events { ServerFrame.append(text: event.publicBytes, to: &output) }
        case (.notice(let json), .serverSentEvents):
            output = Array("event: notice\ndata: ".utf8) + json + Array("\n\n".utf8)
        case (.notice(let json), .webSocket):
            ServerFrame.append(text: json, to: &output)
        }
        return output
    }

    /// A notice with the current number of viewers.
    static func presence(viewers: Int, at now: Timestamp, in budget: ResponseBudget) -> StreamContent {
        var json = JSONWriter(reserving: 96)
        json.object { json in
            json.member("notice", "presence")
            json.member("viewers", viewers)
            json.member("serverTime", now)
        }
        return StreamContent(.notice(json.bytes), in: budget)
    }
}

/// The pages that are being sent to subscribers that catch up, so that those at the same place share the bytes: after an import of
/// many lots that is every stream of the room.
struct SharedPages {
    private struct Page {
        let first: EventHash
        let count: Int
        weak var content: StreamContent?
    }

    private var pages: [Page] = []
    private var next = 0
    private static let capacity = 16

    /// The content of a page of at least one event.
    mutating func content(of events: ArraySlice<StoredEvent>, in budget: ResponseBudget) -> StreamContent {
        guard let first = events.first?.hash else { return StreamContent(.events(events), in: budget) }
        // The first event's hash covers the history before it, and where a page ends depends on its events only, so pages with the same first
        // hash and count are equal.
        for page in pages where page.first == first && page.count == events.count {
            if let content = page.content { return content }
        }
        let content = StreamContent(.events(events), in: budget)
        let page = Page(first: first, count: events.count, content: content)
        if pages.count < Self.capacity { pages.append(page) } else { pages[next] = page }
        next = (next + 1) % Self.capacity
        return content
    }
}
