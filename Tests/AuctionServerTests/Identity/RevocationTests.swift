@testable import AuctionServer
import AuctionDomain
import AuctionService
import EventLog
import Testing

struct RevocationTests {
    private let user = UserID(bits: 77)

    private func principal(_ user: UserID, issuedAt: String? = nil, tokenID: String? = nil) -> Principal {
        Principal(
            person: Person(id: user, nickname: "Ann"), expiresAt: Timestamp(milliseconds: 9_000_000_000_000),
            issuedAt: issuedAt.flatMap { Timestamp(rfc3339: $0) }, source: .guests, tokenID: tokenID)
    }

    @Test func `lines revoke users, subjects and tokens, and comments are ignored`() throws {
        let text = """
            # whoever reported a stolen phone

            user \(user)   # all of theirs
            sub 7f3c|alice
            jti 0b9e
            """
        let revocations = try Revocations(text, issuers: [TokenIssuer.issuer])
        #expect(revocations.contain(principal(user)))
        #expect(revocations.contain(principal(IdentityProvider.user("7f3c|alice", of: TokenIssuer.issuer))))
        #expect(!revocations.contain(principal(IdentityProvider.user("7f3c|alice", of: "https://other.example"))))
        #expect(revocations.contain(principal(UserID(bits: 1), tokenID: "0b9e")))
        #expect(!revocations.contain(principal(UserID(bits: 1), tokenID: "0b9f")))
        #expect(!revocations.contain(principal(UserID(bits: 1))))
    }

    @Test func `lines may end with CR LF`() throws {
        let text = "# stolen phones\r\nuser \(user)\r\n\r\njti 0b9e   # an export\r\nuser \(UserID(bits: 78))\r\n"
        let revocations = try Revocations(text, issuers: [TokenIssuer.issuer])
        #expect(revocations.contain(principal(user)) && revocations.contain(principal(UserID(bits: 78))))
        #expect(revocations.contain(principal(UserID(bits: 1), tokenID: "0b9e")))
        let error = #expect(throws: ServerError.self) { try Revocations("# one\r\nuser ann\r\n", issuers: []) }
        #expect(error?.description.contains("line 2") == true)
    }

    @Test func `a subject or an id with a number sign is revoked as it is written`() throws {
        let guest = "ann_example.com#EXT#@corp.example"
        let revocations = try Revocations("sub \(guest) # left\njti one#2 #three", issuers: [TokenIssuer.issuer])
        #expect(revocations.contain(principal(IdentityProvider.user(guest, of: TokenIssuer.issuer))))
        #expect(!revocations.contain(principal(IdentityProvider.user("ann_example.com", of: TokenIssuer.issuer))))
        #expect(revocations.contain(principal(user, tokenID: "one#2")) && !revocations.contain(principal(user, tokenID: "one")))
    }

    @Test func `with a time, tokens issued before it are revoked, and later ones are not`() throws {
        let line = "user \(user) 2026-11-21T09:00:00.000Z"
        let revocations = try Revocations(line, issuers: [])
        #expect(revocations.contain(principal(user, issuedAt: "2026-11-21T08:59:59.999Z")))
        #expect(!revocations.contain(principal(user, issuedAt: "2026-11-21T09:00:00.000Z")))
        #expect(revocations.contain(principal(user)), "a token without an issue time")
        for both in ["\(line)\nuser \(user)", "user \(user)\n\(line)"] {
            #expect(try Revocations(both, issuers: []).contain(principal(user, issuedAt: "2026-11-21T10:00:00.000Z")))
        }
        let later = try Revocations("\(line)\nuser \(user) 2026-11-21T08:00:00.000Z", issuers: [])
        #expect(later.contain(principal(user, issuedAt: "2026-11-21T08:30:00.000Z")))
    }

    @Test(arguments: [
        "user", "user ann", "user user_1", "person x", "sub", "jti a b", "sub a tomorrow", "user \u{7F}", "jti",
        "sub a 2026-11-21T09:00:00Z", "sub a 2026-11-21T09:00:00.000Z more",
    ])
    func `an invalid line is refused with its number`(_ line: String) throws {
        let error = #expect(throws: ServerError.self) {
            try Revocations("# one\n\(line)\n", issuers: [TokenIssuer.issuer])
        }
        #expect(error?.description.contains("line 2") == true)
    }

    @Test func `subjects and tokens need a provider, and the list has a maximum length`() throws {
        #expect(throws: ServerError.self) { try Revocations("sub alice", issuers: []) }
        #expect(throws: ServerError.self) { try Revocations("jti one", issuers: []) }
        let lines = String(repeating: "\n", count: Revocations.limitLines)
        #expect(throws: ServerError.self) { try Revocations(lines, issuers: []) }
    }

    @Test func `digests identify users and tokens, with and without a time`() throws {
        let text = "user \(UserID(bits: 7)) 2026-11-21T09:00:00.000Z\nuser \(UserID(bits: 8))\njti one"
        let now = Timestamp(milliseconds: 1_000_000_000)
        let ends = try Revocations(text, issuers: [TokenIssuer.issuer]).ends
        let shared = SharedRevocations(ends.map { Revocation(key: $0, at: now, until: now, before: $1) })
        #expect(shared.contain(principal(UserID(bits: 7), issuedAt: "2026-11-21T08:59:59.999Z")))
        #expect(!shared.contain(principal(UserID(bits: 7), issuedAt: "2026-11-21T09:00:00.000Z")))
        #expect(shared.contain(principal(UserID(bits: 7))), "a token without an issue time")
        #expect(shared.contain(principal(UserID(bits: 8), issuedAt: "2027-01-01T00:00:00.000Z")))
        #expect(shared.contain(principal(UserID(bits: 9), tokenID: "one")))
        #expect(!shared.contain(principal(UserID(bits: 9), tokenID: "two")))
        #expect(!SharedRevocations().contain(principal(UserID(bits: 7))))
    }
}
