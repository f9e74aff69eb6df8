import Testing

@testable import MicroHTTP

struct TimerQueueTests {
    @Test func `jobs are due by time, those of one time in order, cancelled ones never`() {
        var (timers, ran) = (TimerQueue(), [Int]())
        let dues: [UInt64] = [30, 10, 20, 10, 10]
        let ids = dues.indices.map { index in timers.schedule(due: dues[index]) { ran.append(index) } }
        timers.cancel(ids[3])
        while let job = timers.popDue(20) { job() }
        #expect(ran == [1, 4, 2])
        #expect(timers.count == 1)
        #expect(timers.nextDue == 30)
    }

    @Test func `many timers run in order when most of them are cancelled`() {
        var (timers, ran) = (TimerQueue(), [Int]())
        for number in 0..<1000 {
            let timer = timers.schedule(due: UInt64((999 - number) / 100 * 3)) { ran.append(number) }
            if !number.isMultiple(of: 100) { timers.cancel(timer) }
        }
        while let job = timers.popDue(1000) { job() }
        #expect(ran == [900, 800, 700, 600, 500, 400, 300, 200, 100, 0])
        #expect(timers.count == 0)
        #expect(timers.nextDue == nil)
    }
}
