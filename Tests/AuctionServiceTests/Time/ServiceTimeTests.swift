import AuctionDomain
import EventLog
import Testing

@testable import AuctionService

/// Service time for readings of a machine's two clocks.
struct ServiceTimeTests {
    private static let second: Int64 = 1000
    private static let hour = 3600 * second

    /// A machine whose wall clock the test sets, with a service that started at monotonic 0.
    private struct Machine {
        var wall: Int64 = 1_767_225_600_000
        /// Milliseconds.
        var monotonic: Int64 = 5000
        var time: ServiceTime

        init(newest: Int64? = nil, jumps: ClockJumps = .none, setBack: ServiceTime.SetBack = .slow) {
            time = ServiceTime(
                wall: Timestamp(milliseconds: wall), monotonic: monotonic * 1_000_000,
                newest: newest.map { [wall] in Timestamp(milliseconds: wall + $0) }, jumps: jumps, setBack: setBack)
        }

        @discardableResult
        mutating func read() -> Now {
            time.read(wall: Timestamp(milliseconds: wall), monotonic: monotonic * 1_000_000)
        }

        /// Advances both clocks, with a reading every `step` milliseconds.
        @discardableResult
        mutating func advance(_ milliseconds: Int64, every step: Int64 = 100) -> Now {
            let end = monotonic + milliseconds
            while monotonic < end {
                let passed = min(step, end - monotonic)
                wall += passed
                monotonic += passed
                read()
            }
            return read()
        }

        /// How many milliseconds service time is ahead of the wall clock.
        mutating func ahead() -> Int64 { read().wall.milliseconds - wall }
    }

    @Test func `service time equals a wall clock that is never set`() {
        var machine = Machine()
        #expect(machine.advance(25 * Self.hour, every: 10_000).wall.milliseconds == machine.wall)
        #expect(machine.read().jumps.isEmpty)
        #expect(machine.time.steadyOffset != nil)
    }

    @Test func `a wall clock set back by an hour neither stops nor stretches a countdown of five seconds`() {
        var machine = Machine()
        let start = machine.read().wall
        machine.wall -= Self.hour
        #expect(machine.read().wall == start)
        let passed = machine.advance(5 * Self.second).wall.milliseconds(since: start)
        #expect((4500...5000).contains(passed))
    }

    @Test func `after the wall clock was set back, service time is a tenth slower until both agree`() {
        var machine = Machine()
        machine.wall -= 60 * Self.second
        machine.read()
        machine.advance(599 * Self.second)
        #expect((1...200).contains(machine.ahead()))
        machine.advance(2 * Self.second)
        #expect((0...2).contains(machine.ahead()))
        let before = machine.read().wall
        #expect((9998...10_000).contains(machine.advance(10 * Self.second).wall.milliseconds(since: before)))
        #expect(machine.time.steadyOffset != nil)
    }

    @Test(arguments: [1, 100, 1000, 60_000] as [Int64])
    func `at any reading interval, service time never goes back and loses at most a tenth`(_ step: Int64) {
        var machine = Machine()
        var last = machine.read().wall
        machine.wall -= Self.hour
        for _ in 0..<200 {
            let now = machine.advance(step, every: step).wall
            #expect(now >= last)
            #expect(now.milliseconds(since: last) >= step * 9 / 10 - 1)
            last = now
        }
    }

    @Test func `small forward steps are followed by running a tenth faster, and skip no second of a countdown`() {
        var machine = Machine()
        let start = machine.read().wall
        machine.wall += 900
        #expect(machine.read().wall == start)
        #expect((5400...5500).contains(machine.advance(5 * Self.second).wall.milliseconds(since: start)))
        machine.advance(5 * Self.second)
        #expect((-2...0).contains(machine.ahead()))
        #expect(machine.read().jumps.isEmpty)
    }

    @Test func `a step of exactly a second is no jump, and one millisecond more is one`() {
        var machine = Machine()
        machine.wall += 1000
        #expect(machine.read().jumps.isEmpty)
        var other = Machine()
        other.wall += 1001
        #expect(other.read().jumps.total == 1001)
    }

    @Test func `a forward jump moves service time, is recorded once, and adds to no age`() {
        var machine = Machine()
        let made = machine.read().wall
        machine.advance(10 * Self.second)
        machine.wall += 25 * Self.hour
        let now = machine.read()
        #expect(now.wall.milliseconds == machine.wall)
        #expect(now.jumps.total == 25 * Self.hour)
        #expect(now.age(of: made) == 10 * Self.second)
        #expect(machine.advance(Self.second).jumps.total == 25 * Self.hour)
        #expect(machine.read().age(of: made) == 11 * Self.second)
        #expect(machine.read().instant(ofAge: 11 * Self.second) == made)
    }

    @Test func `an instant after a jump ages normally`() {
        var machine = Machine()
        machine.wall += 25 * Self.hour
        let made = machine.read().wall
        let now = machine.advance(Self.hour, every: 1000)
        #expect(now.age(of: made) == Self.hour)
        #expect(now.instant(ofAge: Self.hour) == made)
    }

    /// While a virtual machine is suspended its monotonic clock stops; on resume the wall clock is set.
    @Test func `a suspended machine's clock has jumped by the time of suspension`() {
        var machine = Machine()
        let before = machine.read().wall
        machine.wall += 8 * Self.hour
        machine.monotonic += 20
        let now = machine.read()
        #expect(now.jumps.total == 8 * Self.hour - 20)
        #expect(now.age(of: before) == 20)
    }

    @Test func `several jumps add up, and the time between them counts`() {
        var machine = Machine()
        let made = machine.read().wall
        for _ in 0..<3 {
            machine.advance(Self.second)
            machine.wall += Self.hour
            machine.read()
        }
        let now = machine.advance(Self.second)
        #expect(now.jumps.total == 3 * Self.hour)
        #expect(now.jumps.list.count == 3)
        #expect(now.age(of: made) == 4 * Self.second)
        #expect(now.instant(ofAge: 4 * Self.second) == made)
    }

    @Test func `repeated steps of less than a second add up to a jump, not to a faster clock`() {
        var machine = Machine()
        let start = machine.read().wall
        for _ in 0..<20 {
            machine.wall += 900
            machine.advance(Self.second)
        }
        let now = machine.read()
        #expect(now.jumps.total > 10 * Self.second)
        #expect(now.age(of: start) <= 22 * Self.second)
    }

    @Test func `a clock that was set forward by mistake and back again has jumped once`() {
        var machine = Machine()
        machine.wall += 25 * Self.hour
        machine.read()
        machine.wall -= 25 * Self.hour
        machine.advance(Self.hour, every: 1000)
        #expect(machine.read().jumps.list.count == 1)
        // Set forward again while service time is still ahead: nothing is jumped over.
        machine.wall += 20 * Self.hour
        #expect(machine.advance(Self.second).jumps.list.count == 1)
    }

    @Test func `after a restart with an earlier wall clock, service time begins at the newest event`() {
        var machine = Machine(newest: Self.hour)
        #expect(machine.ahead() == Self.hour)
        let start = machine.read().wall
        #expect((4500...5000).contains(machine.advance(5 * Self.second).wall.milliseconds(since: start)))
        var later = Machine(newest: -Self.hour)
        #expect(later.ahead() == 0)
    }

    @Test func `jumps from before a restart still add to no age`() {
        let (from, to) = (Timestamp(milliseconds: 1_767_100_000_000), Timestamp(milliseconds: 1_767_200_000_000))
        var machine = Machine(jumps: ClockJumps([ClockJump(from: from, to: to)]))
        let now = machine.read()
        #expect(now.age(of: from) == now.wall.milliseconds(since: to))
        #expect(now.jumps.total == 100_000_000)
    }

    /// NTP slewing changes the speed of both clocks alike: they still agree.
    @Test func `clocks that NTP slews are followed at once`() {
        var machine = Machine()
        for tick in 0..<10_000 as Range<Int64> {
            machine.advance(100 + (tick.isMultiple(of: 2) ? 1 : 0))
            #expect(abs(machine.ahead()) <= 2)
        }
        #expect(machine.read().jumps.isEmpty)
    }

    @Test func `the clock of a shared log is followed back, and its forward jumps are recorded`() {
        var machine = Machine(setBack: .follow)
        machine.wall -= Self.hour
        #expect(machine.ahead() == 0)
        machine.wall += 30
        #expect(machine.ahead() == 0)
        machine.wall += Self.hour
        #expect(machine.read().jumps.total == Self.hour)
    }

    @Test func `instants beyond the range of any clock are clamped without overflow`() {
        for milliseconds in [Int64.min, -1, 0, .max] {
            var time = ServiceTime(
                wall: Timestamp(milliseconds: 0), monotonic: 0, newest: Timestamp(milliseconds: milliseconds))
            let now = time.read(wall: Timestamp(milliseconds: milliseconds), monotonic: 5)
            #expect((0...9_000_000_000_000).contains(now.wall.milliseconds))
        }
    }

    @Test func `of very many jumps the oldest are merged, and older instants keep their ages`() {
        var machine = Machine()
        let made = machine.read().wall
        for _ in 0..<200 {
            machine.advance(Self.second)
            machine.wall += Self.hour
            machine.read()
        }
        let now = machine.read()
        #expect(now.jumps.list.count == ClockJumps.limit)
        #expect(now.jumps.total == 200 * Self.hour)
        #expect(now.age(of: made) == 200 * Self.second)
    }
}
