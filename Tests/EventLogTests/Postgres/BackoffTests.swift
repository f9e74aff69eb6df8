import Testing

@testable import EventLogPostgres

/// The pause after failed attempts to connect, by times that the test names.
struct BackoffTests {
    private let failure = SessionFailure(kind: .notSent, message: "timeout expired")

    @Test func `an attempt that began before the server was reached causes no pause when it fails`() {
        var backoff = Connector.Backoff(reachedAt: 5000)
        backoff.failed(failure, PostgresLimits(), begun: 2100, at: 5100)
        #expect(backoff.failures == 0 && backoff.notBefore == 0)
        backoff.failed(failure, PostgresLimits(), begun: 5001, at: 8001)
        #expect(backoff.failures == 1 && (8051...8101).contains(backoff.notBefore))
    }
}
