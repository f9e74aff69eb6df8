import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Synchronization
import Testing

@testable import AuctionServer

/// Keeps what nodes send, until a test says what comes of it.
final class HeldTransport: WebhookTransport {
    struct Sent: Sendable {
        let request: WebhookRequest
        let complete: @Sendable (WebhookAnswer) -> Void
    }

    private let sent = Mutex<[Sent]>([])

    func send(_ request: WebhookRequest, completion: @escaping @Sendable (WebhookAnswer) -> Void) {
        sent.withLock { $0.append(Sent(request: request, complete: completion)) }
    }

    func stop() {}

    var count: Int { sent.withLock { $0.count } }

    /// What is in flight, oldest first; none of it afterwards.
    func takeAll() -> [Sent] {
        sent.withLock { sent in
            defer { sent = [] }
            return sent
        }
    }

    /// One of those that are in flight.
    func take(at index: Int) -> Sent { sent.withLock { $0.remove(at: index) } }
}

/// A log with events, an endpoint, and nodes that send to it, all on the test's thread and by its clock.
final class WebhookWorld {
    static let webhook = "webhook_1"

    let log: any EventLog
    let clock = TestClock()
    /// What the nodes log.
    let lines = LogRecord()
    /// The latest node's.
    private(set) var outlet: WebhookOutlet?
    /// The ids of messages that the endpoint has taken, with how often.
    private(set) var ledger: [String: Int] = [:]
    /// The ids of messages of all events so far.
    private(set) var expected: Set<String> = []
    private var seqs: [RoomID: (seq: Int, hash: UInt64)] = [:]
    private var nodes: UInt64 = 0
    private let store: InMemoryEventLog

    /// - Parameter change: What the nodes use as their log.
    init(_ change: (InMemoryEventLog) -> any EventLog = { $0 }) throws {
        store = InMemoryEventLog()
        log = change(store)
        let webhook = Webhook(
            id: Self.webhook, url: "https://hooks.example/", filter: FeedFilter(), description: nil,
            createdAt: clock.now().wall, secrets: WebhookSecrets(Array(repeating: 7, count: 32)), pause: nil)
        let cursor = FeedCursor(feed: try log.feedID(), position: .beginning)
        #expect(
            try store.write([
                webhook.change(if: .none), WebhookProgress(cursor: cursor.text).change(of: Self.webhook, if: .none),
            ]))
    }

    /// A node that has just been started.
    /// - Parameter access: What it uses as its log; nil: that of all.
    func node(shared: Bool = false, log access: (any EventLog)? = nil) -> (runner: WebhookRunner, transport: HeldTransport) {
        nodes += 1
        let transport = HeldTransport()
        let outlet = WebhookOutlet(transport)
        self.outlet = outlet
        let runner = WebhookRunner(
            FeedTail(of: access ?? log, clock: clock), clock: clock, isShared: shared, outlet: outlet,
            logger: lines.logger(), node: nodes, random: { 0.5 })
        return (runner, transport)
    }

    /// Commits events of a room.
    func append(_ count: Int, to number: UInt64 = 1, bytes: Int = 60) throws {
        let room = RoomID(bits: UInt128(number) << 64 | 0xC0FFEE)
        var last = seqs[room] ?? (0, 0)
        let first = last
        let events = (0..<count).map { _ in
            last = (last.seq + 1, number << 32 | UInt64(last.seq + 1))
            expected.insert(WebhookMessage.id(of: last.seq, last.hash, "message.sent", in: room, to: Self.webhook))
            let text = String(repeating: "x", count: max(0, bytes - 50))
            return StoredEvent(
                seq: last.seq, at: clock.now().wall, type: "message.sent",
                publicBytes: Array(#"{"seq":\#(last.seq),"type":"message.sent","data":{"t":"\#(text)"}}"#.utf8),
                privateBytes: nil, hash: EventHash(words: (last.hash, 0, 0, 0)))
        }
        seqs[room] = last
        let profile = RoomProfile(
            name: "Room", host: Person(id: UserID(bits: 1), nickname: "Ada"), currency: "EUR", visibility: "public",
            openedAt: clock.now().wall, itemName: nil)
        let status = RoomStatus(state: "preparing", round: 1, endsAt: nil, currentPrice: nil, isArchived: false)
        let head: RoomHead = first.seq == 0 ? .none : RoomHead(seq: first.seq, headHash: first.hash)
        let verdicts = try store.append([
            RoomAppend(room: room, expected: head, events: events, profile: profile, status: status, responses: [])
        ])
        #expect(verdicts.count == 1)
    }

    /// The endpoint takes a message; its answer may never arrive.
    func receive(_ sent: HeldTransport.Sent) { ledger[sent.request.message.id, default: 0] += 1 }

    /// Lets the node run and the endpoint take everything, until all is quiet.
    func settle(_ node: (runner: WebhookRunner, transport: HeldTransport), turns: Int = 4000) {
        var quiet = 0
        for _ in 0..<turns where quiet < 8 {
            _ = node.runner.takeTurn()
            let sent = node.transport.takeAll()
            for one in sent {
                receive(one)
                one.complete(WebhookAnswer(status: 200))
            }
            quiet = sent.isEmpty ? quiet + 1 : 0
            // Far enough for whatever is due next.
            clock.advance(milliseconds: sent.isEmpty ? RetrySchedule.longestDelay * 2 : 1100)
        }
    }

    func progress() throws -> WebhookProgress {
        try #require(try log.record(WebhookProgress.recordKind, Self.webhook).flatMap(WebhookProgress.init))
    }

    func webhook() throws -> Webhook {
        try #require(try log.record(Webhook.recordKind, Self.webhook).flatMap(Webhook.init))
    }

    func parked() throws -> [ParkedDelivery] {
        try log.records(RecordQuery(kind: ParkedDelivery.recordKind, limit: 20_000)).compactMap(ParkedDelivery.init)
    }
}
