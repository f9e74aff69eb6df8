package import AuctionDomain
internal import Cryptography

/// What stands for the nickname of a user who has left the service: always the same for one user.
package enum Pseudonym {
    /// Without letters that look alike.
    private static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ")

    /// `Former user` and four letters, which follow from the user's identifier.
    package static func nickname(of user: UserID) -> String {
        var left = SHA256.hash("former user \(user)").leadingBits
        var text = ""
        for _ in 0..<4 {
            text.append(letters[Int(left % UInt128(letters.count))])
            left /= UInt128(letters.count)
        }
        return "Former user \(text)"
    }

    /// The identity of a user of a provider who signs in again after they left: a new beginning, with nothing of the one before.
    package static func successor(of user: UserID) -> UserID {
        UserID(bits: SHA256.hash("successor of \(user)").leadingBits | 1 << 127)
    }
}
