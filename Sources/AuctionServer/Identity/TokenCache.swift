internal import AuctionService

/// Verified tokens of one event loop: checking a signature costs more than the rest of a request.
struct TokenCache {
    static let limit = 16384
    private(set) var gate: TokenGate
    private var verified: [String: Principal] = [:]

    init(gate: TokenGate) { self.gate = gate }

    var count: Int { verified.count }

    /// From here on other tokens count.
    mutating func use(_ gate: TokenGate) {
        self.gate = gate
        verified.removeAll()
    }

    /// - Throws: a 401 that says what is wrong with the token.
    mutating func principal(of token: String, at now: Now) throws(Problem) -> Principal {
        if let principal = verified[token] {
            if !principal.hasExpired(at: now) { return principal }
            verified[token] = nil
        }
        let principal: Principal
        do throws(TokenDefect) { principal = try gate.principal(of: token, at: now) } catch { throw Problem(error) }
        if verified.count >= Self.limit { verified.removeAll(keepingCapacity: true) }
        verified[token] = principal
        return principal
    }

    /// Why somebody's token counts no more; nil while it does.
    func defect(of principal: Principal, at now: Now) -> TokenDefect? { gate.defect(of: principal, at: now) }
}
