internal import AuctionDomain
internal import AuctionService
internal import Crypto

/// Derives ids of rooms that are opened with an Idempotency-Key: a repeated request must find the room that the first one created,
/// so the id depends on the key.
///
/// It also depends on a secret: keys can be guessed, and without a secret a guessed key would reveal the id of a private room. The
/// secret is derived from the token secret, which all nodes share and keep; with another secret a repeated request opens a second
/// room.
struct KeyedRoomIDs: Sendable {
    private let secret: SymmetricKey

    /// - Parameter secret: the token secret. A separate key is derived from it, so that it signs nothing but tokens.
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
