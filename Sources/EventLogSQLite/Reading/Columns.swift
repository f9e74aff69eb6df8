import AuctionDomain
import EventLog
import ExactJSON
import Foundation
import GRDB

/// A stored row that cannot be decoded; reported as `.corrupt`, with the file's path.
struct UnreadableRow: Error {
    let what: String
}

extension Row {
    /// Converts through `DatabaseValue`, because the row's typed subscript traps if the value has another type.
    func long(_ column: Int) throws -> Int64 {
        let value: DatabaseValue = self[column]
        guard let number = Int64.fromDatabaseValue(value) else {
            throw UnreadableRow(what: "column \(column) holds \(value) instead of a number")
        }
        return number
    }

    func optionalLong(_ column: Int) throws -> Int64? { hasNull(atIndex: column) ? nil : try long(column) }

    func integer(_ column: Int) throws -> Int { Int(try long(column)) }

    func bits(_ column: Int) throws -> UInt64 { UInt64(bitPattern: try long(column)) }

    func instant(_ column: Int) throws -> Timestamp { Timestamp(milliseconds: try long(column)) }

    func bytes(_ column: Int) throws -> [UInt8] {
        try withUnsafeData(atIndex: column) { data in data.map { [UInt8]($0) } ?? [] }
    }

    func text(_ column: Int) throws -> String {
        try withUnsafeData(atIndex: column) { data in String(decoding: data ?? Data(), as: UTF8.self) }
    }

    func identifier<Kind: IdentifierKind>(_ column: Int) throws -> Identifier<Kind> {
        let text = try text(column)
        guard let identifier = Identifier<Kind>(text) else { throw UnreadableRow(what: "\(text) is no identifier") }
        return identifier
    }

    func hash(_ column: Int) throws -> EventHash {
        guard let hash = EventHash(bytes: try bytes(column)) else { throw UnreadableRow(what: "a hash is not 32 bytes long") }
        return hash
    }

    /// Nil if the row was stored without an owner.
    func keyOwner(_ column: Int) throws -> KeyOwner? {
        hasNull(atIndex: column) ? nil : KeyOwner(bits: try bits(column))
    }

    /// Status code of a stored response.
    func status(_ column: Int) throws -> Int {
        let status = try integer(column)
        guard StoredResponse.statuses.contains(status) else { throw UnreadableRow(what: "a response has the status \(status)") }
        return status
    }

    /// Headers of a stored response.
    func headers(_ column: Int) throws -> [ResponseHeader] {
        let bytes = try bytes(column)
        do throws(JSONError) {
            return try StoredHeaders.decode(bytes)
        } catch {
            throw UnreadableRow(what: "the headers of a response: \(error)")
        }
    }

    func key(_ column: Int) throws -> UInt128 {
        let bytes = try bytes(column)
        guard bytes.count == 16 else { throw UnreadableRow(what: "a key is not 16 bytes long") }
        return bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }
}

extension StoredEvent {
    static let columns = "event.seq, event.at, event.type, event.public, event.private, event.hash"

    init(_ row: Row) throws {
        self.init(
            seq: try row.integer(0), at: try row.instant(1), type: try row.text(2), publicBytes: try row.bytes(3),
            privateBytes: row.hasNull(atIndex: 4) ? nil : try row.bytes(4), hash: try row.hash(5))
    }
}

extension RoomRow {
    static let columns = """
        number, id, seq, tip, state, round, ends_at, price, archived, name, host, host_nickname, currency, visibility, \
        opened_at, item_name
        """

    init(_ row: Row) throws {
        let profile = RoomProfile(
            name: try row.text(9), host: Person(id: try row.identifier(10), nickname: try row.text(11)),
            currency: try row.text(12), visibility: try row.text(13), openedAt: try row.instant(14),
            itemName: row.hasNull(atIndex: 15) ? nil : try row.text(15))
        let endsAt = try row.optionalLong(6).map { Timestamp(milliseconds: $0) }
        let status = RoomStatus(
            state: try row.text(4), round: try row.integer(5), endsAt: endsAt, currentPrice: try row.optionalLong(7),
            isArchived: try row.integer(8) != 0)
        let head = RoomHead(seq: try row.integer(2), headHash: try row.bits(3))
        self.init(room: try row.identifier(1), position: try row.long(0), head: head, profile: profile, status: status)
    }
}

extension CachedRoom {
    static let columns = "number, seq, tip, last_answer, state, round, ends_at, price, archived, is_open"

    init(_ row: Row) throws {
        self.init(
            number: try row.long(0), head: RoomHead(seq: try row.integer(1), headHash: try row.bits(2)),
            status: RoomStatus(
                state: try row.text(4), round: try row.integer(5),
                endsAt: try row.optionalLong(6).map { Timestamp(milliseconds: $0) },
                currentPrice: try row.optionalLong(7), isArchived: try row.integer(8) != 0,
                isOpen: try row.integer(9) != 0, isDueAtEnd: try row.integer(9) == RoomStatus.dueAtEnd),
            lastResponse: try row.long(3))
    }
}

extension RoomStatus {
    /// `is_open` of a room in which nothing is due before `ends_at`.
    static let dueAtEnd = 2

    /// The column `is_open`. Programs that know only 0 and 1 take every other value for 1.
    var openness: Int { isDueAtEnd ? Self.dueAtEnd : isOpen ? 1 : 0 }

    /// Whether both agree in the columns that indexes, a start and the lists of a user depend on. If not, the room's row must be updated together with
    /// the events.
    func matchesIndexedColumns(_ other: RoomStatus) -> Bool {
        state == other.state && round == other.round && openness == other.openness && isArchived == other.isArchived
    }
}
