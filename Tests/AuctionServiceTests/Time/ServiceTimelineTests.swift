import AuctionDomain
import AuctionTestKit
import Dispatch
import EventLog
import Synchronization
import Testing

@testable import AuctionService

/// Service time shared by all threads.
struct ServiceTimelineTests {
    /// A machine's clocks, which all threads read and one sets.
    private final class Machine: ServiceClock {
        private let wallOffset = Atomic<Int64>(1_767_225_600_000)
        private let ticks = Atomic<Int64>(0)

        func set(by milliseconds: Int64) { wallOffset.add(milliseconds, ordering: .relaxed) }

        /// Advances by 50 microseconds with each reading.
        func now() -> Now {
            let offset = wallOffset.load(ordering: .relaxed)
            let monotonic = ticks.add(50_000, ordering: .relaxed).newValue
            return Now(wall: Timestamp(milliseconds: offset + monotonic / 1_000_000), monotonic: monotonic)
        }
    }

    @Test func `no thread sees service time go back while another one sets the wall clock`() {
        let machine = Machine()
        let clock = MachineServiceClock(newest: nil, jumps: .none, machine: machine)
        let latest = Atomic<Int64>(0)
        let wentBack = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for round in 0..<20_000 {
                if thread == 0, round.isMultiple(of: 2000) { machine.set(by: round.isMultiple(of: 4000) ? -5000 : 3000) }
                let known = latest.load(ordering: .sequentiallyConsistent)
                let now = clock.now().wall.milliseconds
                if now < known { wentBack.add(1, ordering: .relaxed) }
                latest.max(now, ordering: .sequentiallyConsistent)
            }
        }
        #expect(wentBack.load(ordering: .relaxed) == 0)
    }

    /// A thread may be preempted for seconds between reading the two clocks.
    @Test func `a thread that is preempted between reading the clocks sees no jump`() {
        final class Interrupted: ServiceClock {
            private let nanoseconds = Atomic<Int64>(0)
            private let readings = Atomic<Int>(0)

            /// On every fourth reading three seconds pass after the wall clock was read.
            func now() -> Now {
                let read = nanoseconds.add(10_000, ordering: .relaxed).newValue
                let count = readings.add(1, ordering: .relaxed).newValue
                let waited: Int64 = count.isMultiple(of: 4) ? 3_000_000_000 : 0
                return Now(
                    wall: Timestamp(milliseconds: 1_767_225_600_000 + read / 1_000_000),
                    monotonic: nanoseconds.add(waited, ordering: .relaxed).newValue)
            }
        }
        let clock = MachineServiceClock(newest: nil, jumps: .none, machine: Interrupted())
        for _ in 0..<100 { #expect(clock.now().jumps.isEmpty) }
    }

    @Test func `a forward jump of a shared log's clock is recorded, and a backward step is followed`() {
        let machine = TestClock()
        let time = Mutex(Timestamp(milliseconds: 1_767_225_600_000))
        let log = InMemoryEventLog { time.withLock { $0 } }
        let clock = SharedClock(log, machine: machine)
        #expect(clock.now().jumps.isEmpty)
        time.withLock { $0 = $0.advanced(byMilliseconds: -3_600_000) }
        #expect(clock.now().wall == time.withLock { $0 })
        time.withLock { $0 = $0.advanced(byMilliseconds: 60_000) }
        #expect(clock.now().jumps.total == 60_000)
    }
}
