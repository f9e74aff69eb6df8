@testable import AuctionServer
import AuctionDomain
import EventLog
import MicroHTTP
import Testing

struct SharedPageTests {
    private func events(_ count: Int, after seq: Int = 0) -> ArraySlice<StoredEvent> {
        (seq + 1...seq + count).map { seq in
            StoredEvent(
                seq: seq, at: Timestamp(milliseconds: 0), type: "lot.queued", publicBytes: [0x7B, 0x7D], privateBytes: nil,
                hash: EventHash(words: (UInt64(seq), 0, 0, 0)))
        }[...]
    }

    @Test func `subscribers at the same place share a page, and others do not get it`() {
        var pages = SharedPages()
        let budget = ResponseBudget(limit: 0)
        let first = pages.content(of: events(5), in: budget)
        #expect(pages.content(of: events(5), in: budget) === first)
        #expect(pages.content(of: events(4), in: budget) !== first)
        #expect(pages.content(of: events(5, after: 1), in: budget) !== first)
        for seq in 10..<40 { _ = pages.content(of: events(2, after: seq), in: budget) }
        #expect(pages.content(of: events(5), in: budget) !== first)
    }

    @Test func `a page that nothing sends any more is not kept`() {
        var pages = SharedPages()
        weak var kept: StreamContent?
        do {
            let content = pages.content(of: events(5), in: ResponseBudget(limit: 0))
            kept = content
            #expect(kept != nil)
        }
        #expect(kept == nil)
    }
}
