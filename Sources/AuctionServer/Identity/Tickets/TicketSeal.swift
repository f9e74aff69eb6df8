internal import AuctionDomain
internal import Cryptography

/// The encrypted form of a ticket in a shared log: useless to a reader of the log. One digest of the ticket is its lookup key,
/// another encrypts the token; the ticket itself is known to its owner only.
enum TicketSeal {
    /// Lookup key of the ticket in the log.
    static func place(of ticket: TicketStore.Key) -> UInt128 {
        digest("place", ticket).leadingBits
    }

    /// Encrypts the token; the room id is authenticated with it.
    static func seal(_ token: String, in room: RoomID, with ticket: TicketStore.Key) throws(Problem) -> [UInt8] {
        do throws(CryptographyError) {
            return try ChaChaPoly.seal(Array(token.utf8), key: key(ticket), authenticating: Array(room.description.utf8))
        } catch {
            throw .internalError
        }
    }

    /// Decrypts the token; nil if it was sealed for another room or is damaged.
    static func open(_ content: [UInt8], in room: RoomID, with ticket: TicketStore.Key) -> String? {
        do throws(CryptographyError) {
            let token = try ChaChaPoly.open(content, key: key(ticket), authenticating: Array(room.description.utf8))
            return String(decoding: token, as: UTF8.self)
        } catch {
            return nil
        }
    }

    /// Each key encrypts a single token, so nonces cannot repeat under one key.
    private static func key(_ ticket: TicketStore.Key) -> [UInt8] { Array(digest("seal", ticket)) }

    private static func digest(_ use: String, _ ticket: TicketStore.Key) -> SHA256Digest {
        SHA256.hash("auction-room ticket \(use) \(String(ticket, radix: 16))")
    }
}
