internal import AuctionClientCore
internal import EventLog
internal import EventLogSQLite
internal import FoundationEssentials

/// A guest whom `bid` has made in the folder in which it was called, so that the next bid there is the same guest's.
struct KeptGuest: Sendable {
    /// The file, in the folder that the program was called in; only its owner may read it.
    private static let path = ".auction-room-guests"
    /// Guests in that file; beyond it the one whose token expires first is dropped.
    private static let limit = 100

    private let nickname: String
    /// By nickname and server.
    private let key: String

    init(_ nickname: String, at server: ServerAddress) {
        (self.nickname, key) = (nickname, "\(nickname) at \(server.authority)")
    }

    /// Nil if there is none, or its token has expired.
    var session: Session? { Self.all()[key].flatMap { $0.expiresAt > ServerTime(Date()) ? $0 : nil } }

    /// Keeps a new or renewed session, and says so where it is the guest's first.
    func keep(_ session: Session) {
        var all = Self.all()
        let isNew = all.updateValue(session, forKey: key) == nil
        while all.count > Self.limit, let first = all.min(by: { $0.value.expiresAt < $1.value.expiresAt }) {
            all[first.key] = nil
        }
        guard Self.write(all), isNew else { return }
        complain(
            "the token of \(nickname) is kept in \(Self.path), which only you can read: bids from this folder are the same guest's"
                .printable)
    }

    /// Forgets a guest whose token is not accepted.
    func forget() {
        var all = Self.all()
        all[key] = nil
        _ = Self.write(all)
    }

    /// Leaves out those in a file that this program has not written.
    private static func all() -> [String: Session] {
        guard let data = FileManager.default.contents(atPath: path) else { return [:] }
        return (try? JSONDecoder().decode([String: Session].self, from: data)) ?? [:]
    }

    /// - Returns: Whether it could be written; if not, it says why.
    private static func write(_ all: [String: Session]) -> Bool {
        do {
            try PrivateFile.replace(path, with: Array(try JSONEncoder().encode(all)))
            return true
        } catch {
            complain("the token is not kept: \(error)".printable)
            return false
        }
    }
}
