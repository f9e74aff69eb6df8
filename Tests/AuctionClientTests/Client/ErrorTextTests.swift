import Foundation
import Testing

@testable import AuctionClientCore

struct ErrorTextTests {
    @Test func `errors have a text for people and one for logs`() {
        let response = SimulatedService.problem(404, "room.not_found", at: 0)
        let refusal = Refusal(problem: Problem(response), mayStillBeCarriedOut: false)
        #expect(AuctionError.refused(refusal).description.hasSuffix("(room.not_found, request req_1)"))
        #expect(AuctionError.refused(refusal).localizedDescription == refusal.detail)
        #expect("\(AuctionError.failed(.network(.notSent("connection refused"))))" == "connection refused")
        #expect("\(StopReason.unreadableEvent(seq: 7))" == "event 7 cannot be read")
        let state = ConnectionState.waiting(.gap(expected: 7, received: 9), delay: .zero)
        #expect("\(state)" == "not connected: event 9 came instead of 7; trying again")
    }

    @Test(arguments: [true, false])
    func `the outcome of a bid says what the buyer pays where there is a premium`(hasPremium: Bool) throws {
        func outcome(leading: Bool, own: String, whole: String) throws -> String {
            let body = """
                {"bid":{"id":"bid_1","amount":"10.00","total":\(own),"bidder":\(SimulatedRoom.person("Me")),"leading":\(leading),\
                "automatic":false,"at":"1970-01-01T01:00:01.000Z","seq":5},\
                "room":{"state":"auctioning","currentPrice":"12.00","total":\(whole),"nextMinimum":"13.00"},\
                "receipt":{"receivedAt":"1970-01-01T01:00:01.000Z","serverTime":"1970-01-01T01:00:01.000Z","endsAt":null,"seq":5}}
                """
            let placed = try BidPlacement(try JSONParser.parse(body), "CNY", isReplay: false)
            return "\(leading ? BidOutcome.leading(placed) : .outbid(placed))"
        }
        let (own, whole) = hasPremium ? (#""11.25""#, #""13.50""#) : ("null", "null")
        #expect(
            try outcome(leading: true, own: own, whole: whole)
                == "leading with 10.00 CNY\(hasPremium ? " (11.25 CNY with the premium)" : "")")
        #expect(
            try outcome(leading: false, own: own, whole: whole)
                == "outbid: the price is 12.00 CNY\(hasPremium ? " (13.50 CNY with the premium)" : "")")
        let price = Money(minorUnits: 1000, currency: "CNY")
        #expect(price.description(total: price) == "10.00 CNY", "a premium of nothing")
    }
}
