import Foundation
import StateMachines

@testable import AuctionClient
@testable import AuctionClientCore

/// A transport whose responses the test writes. A stream stays open until the test ends it.
final class FakeTransport: HTTPTransport, Sendable {
    private let response: @Sendable (HTTPCall) throws(TransportError) -> HTTPResponse
    private let requests = Locked<[HTTPCall]>([])
    private let channels = Locked<[ByteChannel]>([])

    init(_ response: @escaping @Sendable (HTTPCall) throws(TransportError) -> HTTPResponse) { self.response = response }

    var calls: [HTTPCall] { requests.withLock { $0 } }

    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPResponse {
        requests.withLock { $0.append(call) }
        return try response(call)
    }

    func open(_ call: HTTPCall) async throws(TransportError) -> HTTPStream {
        let channel = ByteChannel(limit: 1 << 20)
        requests.withLock { $0.append(call) }
        channels.withLock { $0.append(channel) }
        _ = channel.receive(Array(": hello\n\n".utf8))
        let head = HTTPHead(status: 200, headers: [HTTPHeader("Content-Type", "text/event-stream")])
        return HTTPStream(head: head) { () async throws(TransportError) -> [UInt8]? in
            try await channel.next()
        } cancel: {
            channel.finish(.failure(.cancelled))
        }
    }

    /// Sends an event over the latest stream.
    func push(_ event: String) {
        let channel = channels.withLock { $0.last }
        _ = channel?.receive(Array("data: \(event)\n\n".utf8))
    }

    /// Sends a notice over the latest stream.
    func notice(viewers: Int, serverTime: Int64) {
        let data = #"{"notice":"presence","viewers":\#(viewers),"serverTime":"\#(SimulatedRoom.time(serverTime))"}"#
        let channel = channels.withLock { $0.last }
        _ = channel?.receive(Array("event: notice\ndata: \(data)\n\n".utf8))
    }

    /// Ends the latest stream.
    func cut() { channels.withLock { $0.last }?.finish(.failure(.interrupted("cut"))) }
}

/// A clock that stands still: short delays pass at once, and move it; timeouts never come. So no test depends on how busy the machine is.
final class TestClock: ClientClock, Sendable {
    /// The longest sleep that passes.
    static let short: Duration = .milliseconds(50)

    private let time = Locked(MachineTimestamp(milliseconds: 0))

    func now() -> MachineTimestamp { time.withLock { $0 } }

    /// Time passes; what sleeps goes on sleeping.
    func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }

    func sleep(until instant: MachineTimestamp) async {
        if instant.duration(since: now()) <= Self.short {
            time.withLock { $0 = max($0, instant) }
        } else {
            // Never finished: ends with the task.
            let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
            for await _ in stream {}
            continuation.finish()
        }
    }

    func deviceTime() -> ServerTime { ServerTime(milliseconds: 1_800_000_000_000 + now().milliseconds) }
}

extension Credential {
    /// A token with these claims, which no service has signed.
    static func claiming(_ claims: String) -> Credential {
        let payload = Data(claims.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return Credential(token: "e30.\(payload.replacing("=", with: "")).x")
    }
}

extension ExchangeSettings {
    /// Failed attempts are repeated at once.
    static var patient: Self {
        var settings = Self()
        settings.firstDelay = .milliseconds(20)
        settings.maximumDelay = .milliseconds(20)
        return settings
    }

    /// After a failed attempt the next one would come too late.
    static var impatient: Self {
        var settings = Self()
        settings.timeout = .milliseconds(60)
        settings.firstDelay = .seconds(3600)
        settings.maximumDelay = .seconds(3600)
        return settings
    }
}

/// Responses that look like the service's.
enum Responses {
    static func room(_ room: SimulatedRoom) -> HTTPResponse {
        SimulatedService.response(200, room.json(serverTime: 3_600_000, for: "Me", shown: room.phase))
    }

    static let auctioning = SimulatedRoom(
        seq: 4, phase: "auctioning", itemName: "Teapot", nextMinimum: 1000, endsAt: 3_615_000)

    static func bid(leading: Bool, isReplay: Bool = false, price: String = "\"10.00\"") -> HTTPResponse {
        let body = """
            {"bid":{"id":"bid_1","amount":"10.00","total":"11.25","bidder":{"id":"user_Me","nickname":"Me"},"leading":\(leading),"automatic":false,\
            "at":"1970-01-01T01:00:01.000Z","seq":5},"room":{"state":"auctioning","currentPrice":\(price),"nextMinimum":"11.00"},\
            "receipt":{"receivedAt":"1970-01-01T01:00:01.000Z","serverTime":"1970-01-01T01:00:01.000Z","endsAt":null,"seq":5}}
            """
        return SimulatedService.response(201, body, isReplay ? [HTTPHeader("Idempotency-Replayed", "true")] : [])
    }
}
