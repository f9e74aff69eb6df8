import AuctionService
import Dispatch
import Synchronization
import Testing

struct FairPoolTests {
    @Test func `one caller may queue an eighth of the reads, and a full queue accepts none`() {
        let reads = FairPool(threads: 1, limit: 16)
        let gate = DispatchSemaphore(value: 0)
        let done = Mutex(0)
        @Sendable func job() {
            gate.wait()
            done.withLock { $0 += 1 }
        }
        #expect((0..<5).map { _ in reads.run(for: "one", job) } == [true, true, false, false, false])
        for caller in 1...7 {
            #expect(reads.run(for: "\(caller)", job))
            #expect(reads.run(for: "\(caller)", job))
        }
        #expect(!reads.run(for: "another", job))
        for _ in 0..<16 { gate.signal() }
        reads.finish()
        #expect(done.withLock { $0 } == 16)
        gate.signal()
        #expect(reads.run(for: "one", job), "finished reads free their places")
        reads.finish()
    }

    @Test func `one caller may queue half of the jobs where the queue has two parts`() {
        let jobs = FairPool(threads: 1, limit: 16, parts: 2)
        let gate = DispatchSemaphore(value: 0)
        #expect((0..<10).filter { _ in jobs.run(for: "one") { gate.wait() } }.count == 8)
        #expect(jobs.run(for: "another") { gate.wait() })
        for _ in 0..<9 { gate.signal() }
        jobs.finish()
    }

    @Test func `an urgent job is run before those that wait`() {
        let reads = FairPool(threads: 1, limit: 16)
        let (began, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let order = Mutex<[String]>([])
        reads.run {
            began.signal()
            gate.wait()
        }
        began.wait()
        for name in ["first", "second"] { #expect(reads.run(for: name) { order.withLock { $0.append(name) } }) }
        reads.run(isUrgent: true) { order.withLock { $0.append("urgent") } }
        gate.signal()
        reads.finish()
        #expect(order.withLock { $0 } == ["urgent", "first", "second"])
    }

    @Test func `a read that a caller may have once at a time frees its place before its result is delivered`() {
        let reads = FairPool(threads: 1, limit: 16)
        let gate = DispatchSemaphore(value: 0)
        let next = Mutex(false)
        @Sendable func readOnce(_ caller: String, _ job: @escaping @Sendable () -> Void = {}) -> Bool {
            reads.run(for: caller, atMost: 1, job) { _ in }
        }
        let isTaken = reads.run(for: "one", atMost: 1) {
            gate.wait()
            return 7
        } then: { result in
            next.withLock { $0 = result == 7 && readOnce("one") }
        }
        #expect(isTaken)
        #expect(!readOnce("one"))
        #expect(readOnce("another"))
        gate.signal()
        reads.finish()
        #expect(next.withLock { $0 })
    }
}

extension FairPool {
    /// Runs a job without a result.
    fileprivate func run(for caller: String, _ job: @escaping @Sendable () -> Void) -> Bool {
        run(for: caller, job) { _ in }
    }
}
