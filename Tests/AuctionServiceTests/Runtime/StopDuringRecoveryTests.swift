import AuctionDomain
import AuctionTestKit
import Dispatch
import EventLog
import Permissions
import Synchronization
import Testing

@testable import AuctionService

/// A stop while a recovery of several sequencers is in progress.
struct StopDuringRecoveryTests {
    private final class Responses: DeliveryPort {
        let loopCount = 1
        let all = Mutex<[UInt64: String]>([:])
        func deliver(_ delivery: Delivery, to loop: Int) {
            all.withLock { all in for (exchange, response) in delivery.responses { all[exchange] = response.text } }
        }
    }

    @Test func `a command that waits for the recovery is answered when its sequencer stops`() throws {
        let (clock, responses, auction) = (TestClock(), Responses(), Auction())
        // The second sequencer is not started, so it never finishes its part of the recovery.
        let service = RoomService(
            log: InMemoryEventLog(), rulebook: try .product(), encoder: PlainResponseEncoder(), clock: clock, port: responses,
            sequencers: 2, readerThreads: 0)
        let (held, unread) = (RoomID(bits: 2), RoomID(bits: 3))
        let later = clock.now().wall.advanced(byMilliseconds: 40 * 24 * 3_600_000)
        service.sequencers[0].start()
        service.inputs.post(.recover([PendingRoom(room: held, endsAt: later), PendingRoom(room: unread)]))
        service.submit([
            CommandRequest(
                room: held, command: .sendMessage("Hello"), caller: auction.host,
                info: RequestInfo(language: .english, path: "/", requestID: "1", receivedAt: clock.now().wall),
                idempotency: nil, reply: ReplyAddress(loop: 0, exchange: 1), seed: 1)
        ])
        service.sequencers[0].stop()
        #expect(responses.all.withLock { $0 } == [1: "stopping"])
    }
}
