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
}
