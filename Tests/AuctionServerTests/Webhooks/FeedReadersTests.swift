import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionServer

/// What still has to be read of a log before its rooms may be deleted.
struct FeedReadersTests {
    private func readers(_ log: any EventLog, pausedSince cutoff: Int64 = 0, voiceIsOn: Bool = true) throws -> FeedReaders {
        try FeedReaders(of: log, pausedSince: Timestamp(milliseconds: cutoff), voiceIsOn: voiceIsOn)
    }

    private func put(_ cursor: FeedCursor, of webhook: String, _ log: any EventLog) throws {
        #expect(try log.write([WebhookProgress(cursor: cursor.text).change(of: webhook, if: .any)]))
    }

    @Test func `the webhook or voice that is furthest behind counts, in this log only`() throws {
        let log = InMemoryEventLog()
        let feed = try log.feedID()
        #expect(try readers(log).passed == nil)
        for number in 1...150 as ClosedRange<Int64> {
            try put(FeedCursor(feed: feed, position: FeedPosition(number: 1000 - number, hash: 1)), of: "wh\(number)", log)
        }
        try put(FeedCursor(feed: feed ^ 1, position: FeedPosition(number: 1, hash: 1)), of: "copied", log)
        #expect(try readers(log).passed == 850)
        #expect(try readers(log).rooms == [])
        let voice = FeedCursor(feed: feed, position: FeedPosition(number: 849, hash: 1))
        #expect(try log.write([VoiceProgress(cursor: voice.text, holder: nil, bansBefore: nil).change(if: .none)]))
        #expect(try readers(log).passed == 849)
        #expect(try readers(log, voiceIsOn: false).passed == 850, "one that is switched off keeps nothing")
    }

    @Test func `rooms of deliveries that can be sent again count`() throws {
        let log = InMemoryEventLog()
        let room = RoomID(bits: 7)
        let key = DeliveryKey(number: 5, type: "item.sold")
        let content = #"{"room":"\#(room)","seq":3,"hash":"0a","attempts":1,"dueAt":null,"triedAt":1,"status":500}"#
        let id = ParkedDelivery.recordID(key, of: "wh")
        #expect(try log.write([.put(ParkedDelivery.recordKind, id, Array(content.utf8))]))
        #expect(try readers(log).rooms == [room])
    }

    @Test func `a webhook that has been paused for long keeps nothing, one that is active or was paused lately does`() throws {
        let log = InMemoryEventLog()
        let feed = try log.feedID()
        var webhook = Webhook(
            id: "wh", url: "https://receiver.example", filter: FeedFilter(), description: nil,
            createdAt: Timestamp(milliseconds: 0), secrets: WebhookSecrets([1]), pause: nil)
        try put(FeedCursor(feed: feed, position: FeedPosition(number: 9, hash: 1)), of: "wh", log)
        let key = DeliveryKey(number: 5, type: "item.sold")
        let parked = ParkedDelivery(
            key: key, room: RoomID(bits: 7), seq: 3, hash: 1, attempts: 1, dueAt: nil, triedAt: Timestamp(milliseconds: 0),
            status: nil)
        #expect(try log.write([webhook.change(if: .none), parked.change(of: "wh")]))
        let all = try readers(log, pausedSince: 100)
        #expect(all.passed == 9 && all.rooms == [RoomID(bits: 7)])
        webhook.pause = WebhookPause(reason: .byOperator, at: Timestamp(milliseconds: 100))
        #expect(try log.write([webhook.change(if: .any)]))
        #expect(try readers(log, pausedSince: 100) == all)
        let later = try readers(log, pausedSince: 101)
        #expect(later.passed == nil && later.rooms == [])
    }

    @Test func `a progress that cannot be read prevents a deletion`() throws {
        let log = InMemoryEventLog()
        #expect(try log.write([.put(WebhookProgress.recordKind, "wh", Array("{}".utf8))]))
        #expect(throws: EventLogError.self) { try readers(log) }
    }
}
