internal import AuctionDomain
internal import AuctionService
internal import Cryptography

/// Derives ids of rooms that are opened with an Idempotency-Key: a repeated request must find the room that the first one created,
/// so the id depends on the key.
///
/// It also depends on a secret: keys can be guessed, and without a secret a guessed key would reveal the id of a private room. The
/// secret is derived from the token secret, which all nodes share and keep; with another secret a repeated request opens a second
/// room.
struct KeyedRoomIDs: Sendable {
    private let secret: HMACSHA256

    /// - Parameter secret: the token secret. A separate key is derived from it, so that it signs nothing but tokens.
    init(secret: [UInt8]) {
        let key = HMACSHA256(key: secret).code(for: Array("auction-room ids of rooms".utf8))
        self.secret = HMACSHA256(key: Array(key))
    }

    func room(for key: IdempotencyKey) -> RoomID {
        RoomID(bits: secret.code(for: Array(String(key.key, radix: 16).utf8)).leadingBits)
    }
}
