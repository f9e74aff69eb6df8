import Testing

@testable import EventLogPostgres

/// Texts of stores, of which no message may contain a password.
@Suite struct ConnectionTextTests {
    @Test(arguments: [
        "100%sure@127.0.0.1:1/d", "hunter2%zz@127.0.0.1:1/d", "hunter2/x@127.0.0.1:1/d", "x@hunter2@127.0.0.1:1/d",
        "x/hunter2?y@127.0.0.1:1/d", "x@127.0.0.1:1/d?password=hunter2%zz", "x@127.0.0.1:1/d?password=x&hunter2=y",
        "x@127.0.0.1:hunter2/d",
    ])
    func `a text that libpq cannot read is not quoted by the error`(_ text: String) {
        let connector = Connector(url: "postgres://ada:\(text)", limits: PostgresLimits())
        #expect(ConnectionText(connector.url) == nil)
        #expect(connector.store == "PostgreSQL")
        let failure = #expect(throws: SessionFailure.self) { try connector.connect() }
        #expect(failure?.kind == .notSent)
        #expect(failure?.message == ConnectionText.unreadable)
    }

    @Test func `a password with an at sign among the parameters of a text without a path is not quoted`() {
        #expect(ConnectionText("postgres://db?password=x@hunter2") == nil)
    }

    @Test(arguments: [
        "postgres://ada@db/x", "postgres://ada:@db/x", "postgres://ada@db/x?password=", "postgresql:///x?host=/run/postgresql",
        "postgresql:///x?host=/run/pg@15",
        "postgres://ada@one:5432,two:5433,[::1]/x?connect_timeout=2", "postgres://%40abstract/x", "postgres://db/a%40b",
    ])
    func `a text without a password is read as such`(_ url: String) {
        #expect(ConnectionText(url)?.hasPassword == false)
    }

    @Test(arguments: [
        "postgres://ada:x@db/x", "postgres://ada:x%40%2F%3F@db/x", "postgres://ada:x?y@db/x", "postgres://:x@db/x",
        "postgres://ada@db/x?sslmode=require&password=x", "postgres://ada@db/x?passwor%64=x",
    ])
    func `a password before the host or among the parameters is found`(_ url: String) {
        #expect(ConnectionText(url)?.hasPassword == true)
    }
}
