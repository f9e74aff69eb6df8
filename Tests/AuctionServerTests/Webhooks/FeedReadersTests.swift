import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionServer

/// What still has to be read of a log before its rooms may be deleted.
struct FeedReadersTests {
    private func put(_ cursor: FeedCursor, of webhook: String, _ log: any EventLog) throws {
        #expect(try log.write([WebhookProgress(cursor: cursor.text).change(of: webhook, if: .any)]))
    }

    @Test func `the webhook or voice that is furthest behind counts, in this log only`() throws {
        let log = InMemoryEventLog()
        let feed = try log.feedID()
        #expect(try FeedReaders(of: log).passed == nil)
        for number in 1...150 as ClosedRange<Int64> {
            try put(FeedCursor(feed: feed, position: FeedPosition(number: 1000 - number, hash: 1)), of: "wh\(number)", log)
        }
        try put(FeedCursor(feed: feed ^ 1, position: FeedPosition(number: 1, hash: 1)), of: "copied", log)
        #expect(try FeedReaders(of: log).passed == 850)
        #expect(try FeedReaders(of: log).rooms == [])
        let voice = FeedCursor(feed: feed, position: FeedPosition(number: 849, hash: 1))
        #expect(try log.write([VoiceProgress(cursor: voice.text, holder: nil, bansBefore: nil).change(if: .none)]))
        #expect(try FeedReaders(of: log).passed == 849)
    }

    @Test func `rooms of deliveries that can be sent again count`() throws {
        let log = InMemoryEventLog()
        let room = RoomID(bits: 7)
        let key = DeliveryKey(number: 5, type: "item.sold")
        let content = #"{"room":"\#(room)","seq":3,"hash":"0a","attempts":1,"dueAt":null,"triedAt":1,"status":500}"#
        let id = ParkedDelivery.recordID(key, of: "wh")
        #expect(try log.write([.put(ParkedDelivery.recordKind, id, Array(content.utf8))]))
        #expect(try FeedReaders(of: log).rooms == [room])
    }

    @Test func `a progress that cannot be read prevents a deletion`() throws {
        let log = InMemoryEventLog()
        #expect(try log.write([.put(WebhookProgress.recordKind, "wh", Array("{}".utf8))]))
        #expect(throws: EventLogError.self) { try FeedReaders(of: log) }
    }
}
