import AuctionDomain
import AuctionTestKit
import Dispatch
import Synchronization
import Testing

@testable import AuctionService

/// Which thread takes the sequencer's turns. The handler records the inputs instead of handling them.
struct SequencerInputsTests {
    private let inputs = SequencerInputs()
    private let rulebook: RoomRulebook

    init() throws { rulebook = try .product() }

    private final class Turns: Sendable {
        private let taken = Mutex<[[RoomID]]>([])
        var all: [[RoomID]] { taken.withLock { $0 } }

        func record(_ inputs: [Sequencer.Input]) {
            let rooms = inputs.compactMap { input -> RoomID? in
                if case .snapshotFinished(let room, _) = input { room } else { nil }
            }
            taken.withLock { $0.append(rooms) }
        }
    }

    private func begin(_ handler: @escaping SequencerInputs.TurnHandler) {
        inputs.begin(
            { [rulebook] in
                Sequencer(manager: RoomManager(rulebook: rulebook), encoder: PlainResponseEncoder(), limits: ServiceLimits())
            }, handler)
    }

    private func input(_ number: UInt128) -> Sequencer.Input { .snapshotFinished(RoomID(bits: number), size: nil) }

    private func rooms(_ numbers: UInt128...) -> [RoomID] { numbers.map { RoomID(bits: $0) } }

    @Test func `a lone input is handled before the call returns`() {
        let turns = Turns()
        begin { inputs, _ in turns.record(inputs) }
        inputs.handle([input(1), input(2)])
        #expect(turns.all == [rooms(1, 2)])
        #expect(inputs.count == 0)
    }

    @Test func `inputs stay queued before the service runs and after it has ended`() {
        inputs.handle([input(1)])
        #expect(inputs.count == 1)
        let turns = Turns()
        begin { inputs, _ in turns.record(inputs) }
        _ = inputs.takeAll()
        inputs.end()
        inputs.handle([input(2)])
        #expect(inputs.count == 1 && turns.all.isEmpty)
    }

    @Test func `an input that arrives while others wait is left to the sequencer's thread`() {
        let turns = Turns()
        begin { inputs, _ in turns.record(inputs) }
        inputs.post(input(1))
        inputs.handle([input(2)])
        #expect(turns.all.isEmpty)
        inputs.wait(within: nil)
        _ = inputs.takeTurn()
        #expect(turns.all == [rooms(1, 2)])
    }

    @Test func `inputs that arrive during another turn are handled after it, in order, and their thread is woken`() {
        let turns = Turns()
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        begin { inputs, _ in
            turns.record(inputs)
            if turns.all.count == 1 {
                begun.signal()
                mayEnd.wait()
            }
        }
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) { [inputs, first = input(1)] in inputs.handle([first]) }
        begun.wait()
        #expect(!inputs.wait(within: 0), "a turn on another thread wakes none")
        inputs.handle([input(2)])
        #expect(inputs.wait(within: 0))
        inputs.post(input(3))
        #expect(turns.all == [rooms(1)])
        mayEnd.signal()
        group.wait()
        _ = inputs.takeTurn()
        #expect(turns.all == [rooms(1), rooms(2, 3)])
    }

    @Test func `a timer that is due before the alarm wakes the thread of the sequencer`() {
        let due = Mutex<[Int64]>([9000, 9000, 5000])
        begin { _, core in
            core.timers = RoomTimers()
            core.timers.countdowns.arm(RoomID(bits: 1), at: Timestamp(milliseconds: due.withLock { $0.removeFirst() }))
        }
        #expect(inputs.takeTurn().alarm == Timestamp(milliseconds: 9000))
        inputs.handle([input(1)])
        #expect(!inputs.wait(within: 0), "the alarm of the first turn is in time for the second")
        inputs.handle([input(2)])
        #expect(inputs.wait(within: 0))
    }

    @Test func `a turn after the stop wakes the thread of the sequencer, which may be finished by it`() {
        begin { inputs, core in
            for input in inputs { core.handle(input, now: .init(wall: Timestamp(milliseconds: 0), monotonic: 0)) }
        }
        inputs.stop()
        inputs.wait(within: nil)
        #expect(inputs.takeTurn().hasStopped)
        inputs.handle([input(1)])
        #expect(inputs.wait(within: 0))
    }
}
