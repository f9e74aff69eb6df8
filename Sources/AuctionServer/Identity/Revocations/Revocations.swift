internal import AuctionDomain
internal import AuctionService

/// Revoked tokens as an operator lists them: one per line, `#` at the beginning of a word begins a comment.
///
///     user user_01m7ynw69k6jn4beyk164vn1c3                            # every token of a user
///     user user_01m7ynw69k6jn4beyk164vn1c3 2026-11-21T09:00:00.000Z   # those issued before this time
///     sub 7f3c-alice                                                  # the same, by the provider's subject
///     jti 0b9e3c51                                                    # one token of the provider
package struct Revocations: Sendable {
    static let limitLines = 100_000

    /// Tokens issued before the timestamp are revoked; nil: all tokens of the user.
    private(set) var users: [UserID: Timestamp?] = [:]
    private(set) var tokens: Set<String> = []

    package init() {}

    /// Parses a revocation list.
    /// - Parameter issuers: the providers that `sub` and `jti` lines refer to, a subject to that of each; such lines are errors if
    ///   there are none.
    /// - Throws: `ServerError` that completes the sentence "the revocations …".
    package init(_ text: String, issuers: [String]) throws(ServerError) {
        // Not at "\n", as CR LF is one character: a file with those would be one line, most of it perhaps a comment.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.count <= Self.limitLines else {
            throw ServerError("have \(lines.count) lines, more than \(Self.limitLines)")
        }
        for (index, line) in lines.enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace).prefix { !$0.hasPrefix("#") }.map(String.init)
            guard !words.isEmpty else { continue }
            guard add(words, issuers) else {
                throw ServerError(
                    "cannot be used: line \(index + 1) is not \"user ID\", \"sub SUBJECT\" or \"jti ID\", the first two perhaps "
                        + "with a time such as 2026-11-21T09:00:00.000Z" + (issuers.isEmpty ? "; sub and jti need keys" : ""))
            }
        }
    }

    private mutating func add(_ words: [String], _ issuers: [String]) -> Bool {
        guard words.count == 2 || words.count == 3 else { return false }
        let end = words.count == 3 ? Timestamp(rfc3339: words[2]) : nil
        guard words.count == 2 || end != nil else { return false }
        switch words[0] {
        case "user":
            guard let user = UserID(words[1]) else { return false }
            revoke(user, until: end)
        case "sub":
            guard !issuers.isEmpty else { return false }
            for issuer in issuers { revoke(IdentityProvider.user(words[1], of: issuer), until: end) }
        case "jti":
            guard !issuers.isEmpty, end == nil else { return false }
            tokens.insert(words[1])
        default: return false
        }
        return true
    }

    /// If two lines name one user, the one that revokes more tokens wins.
    private mutating func revoke(_ user: UserID, until end: Timestamp?) {
        guard let known = users[user] else {
            users[user] = .some(end)
            return
        }
        guard let known, let end else {
            users[user] = .some(nil)
            return
        }
        users[user] = .some(max(known, end))
    }

    func contain(_ principal: Principal) -> Bool {
        if let id = principal.tokenID, tokens.contains(id) { return true }
        guard let end = users[principal.person.id] else { return false }
        guard let end, let issued = principal.issuedAt else { return true }
        return issued < end
    }
}

extension Revocations {
    /// The same revocations keyed by digest, as the shared log stores them.
    var ends: [UInt128: Timestamp?] {
        var ends: [UInt128: Timestamp?] = [:]
        for (user, end) in users { ends.updateValue(end, forKey: SharedRevocations.key(of: user)) }
        for id in tokens { ends.updateValue(nil, forKey: SharedRevocations.key(ofToken: id)) }
        return ends
    }
}
