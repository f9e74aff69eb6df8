internal import AuctionDomain
internal import Crypto
internal import Foundation

/// What a log that nodes share keeps of a ticket: nothing that opens anything for whoever reads it there. It is found by one
/// digest of the ticket and sealed with another, and the ticket itself is with its owner alone.
enum TicketSeal {
    /// Where the log keeps it.
    static func place(of ticket: TicketBook.Key) -> UInt128 {
        digest("place", ticket).prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The token, for the one room.
    static func seal(_ token: String, in room: RoomID, with ticket: TicketBook.Key) throws(Problem) -> [UInt8] {
        do {
            let box = try ChaChaPoly.seal(Array(token.utf8), using: key(ticket), authenticating: Array(room.description.utf8))
            return [UInt8](box.combined)
        } catch {
            throw .internalError
        }
    }

    /// The token again; nil where it was sealed for another room, or is damaged.
    static func open(_ content: [UInt8], in room: RoomID, with ticket: TicketBook.Key) -> String? {
        do {
            let box = try ChaChaPoly.SealedBox(combined: content)
            let token = try ChaChaPoly.open(box, using: key(ticket), authenticating: Array(room.description.utf8))
            return String(decoding: token, as: UTF8.self)
        } catch {
            return nil
        }
    }

    /// Seals one token and never another, so its nonce matters little.
    private static func key(_ ticket: TicketBook.Key) -> SymmetricKey { SymmetricKey(data: digest("seal", ticket)) }

    private static func digest(_ use: String, _ ticket: TicketBook.Key) -> SHA256.Digest {
        SHA256.hash(data: Array("auction-room ticket \(use) \(String(ticket, radix: 16))".utf8))
    }
}
