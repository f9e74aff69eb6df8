import AuctionDomain
import AuctionService
import AuctionTestKit

extension TestClock {
    func advance(seconds: Double) { advance(milliseconds: Int64(seconds * 1000)) }

    var text: String { now().wall.description }

    /// The wall clock in the given number of seconds, as formatted in responses.
    func text(in seconds: Double) -> String {
        Timestamp(milliseconds: now().wall.milliseconds + Int64(seconds * 1000)).description
    }
}
