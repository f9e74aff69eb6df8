import Testing

@testable import MicroHTTP

struct StopProgressTests {
    @Test func `a loop without work ends at once`() {
        var progress = StopProgress.running
        #expect(progress.advance(now: 5, isIdle: true) == .none && progress == .running)
        progress.begin(until: 100)
        #expect(progress.deadline == 100)
        #expect(progress.advance(now: 5, isIdle: true) == .none && progress == .finished)
        #expect(progress.deadline == nil)
    }

    @Test func `at the deadline pending exchanges are refused once, and their clients have time to read that`() {
        var progress = StopProgress.running
        progress.begin(until: 100)
        #expect(progress.advance(now: 99, isIdle: false) == .none)
        #expect(progress.advance(now: 100, isIdle: false) == .refusePending)
        #expect(progress.advance(now: 599, isIdle: false) == .none && progress == .refusing(until: 600))
        #expect(progress.advance(now: 600, isIdle: false) == .none && progress == .finished)
    }
}
