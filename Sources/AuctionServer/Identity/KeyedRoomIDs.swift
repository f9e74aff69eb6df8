internal import AuctionDomain
internal import AuctionService
internal import Crypto

/// The ids of rooms that are opened with an Idempotency-Key: a repeat must find the room that the first request made, so its id
/// follows from the key.
///
/// And from a secret: a key may be guessed, and who could compute the id from it would know where a private room is. The secret is the
/// tokens' own, which all nodes of a service share and keep; another one opens another room at a repeat.
struct KeyedRoomIDs: Sendable {
    private let secret: SymmetricKey

    /// - Parameter secret: what tokens are signed with; it signs nothing but tokens, so ids have a secret that is derived from it.
    init(secret: [UInt8]) {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("auction-room ids of rooms".utf8), using: SymmetricKey(data: secret))
        self.secret = SymmetricKey(data: Array(code))
    }

    func room(for key: IdempotencyKey) -> RoomID {
        let code = HMAC<SHA256>.authenticationCode(for: Array(String(key.key, radix: 16).utf8), using: secret)
        return RoomID(bits: Array(code).prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
    }
}
