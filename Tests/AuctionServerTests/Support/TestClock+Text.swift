import AuctionDomain
import AuctionService
import AuctionTestKit

extension TestClock {
    func advance(seconds: Double) { advance(milliseconds: Int64(seconds * 1000)) }

    var text: String { now().wall.description }

    /// The wall clock some seconds from now, as answers show it.
    func text(in seconds: Double) -> String {
        Timestamp(milliseconds: now().wall.milliseconds + Int64(seconds * 1000)).description
    }
}
