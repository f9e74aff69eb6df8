import AuctionDomain
import EventLog
import ExactJSON

private let hashLength = "a hash is not 32 bytes long"

// Values of the log in the columns of a row.
extension Rows {
    func identifier<Kind: IdentifierKind>(_ column: Int) throws(SQLiteError) -> Identifier<Kind> {
        let text = try text(column)
        guard let identifier = Identifier<Kind>(text) else { throw SQLiteError(unreadable: "\(text) is no identifier") }
        return identifier
    }

    func hash(_ column: Int) throws(SQLiteError) -> EventHash {
        guard let hash = EventHash(stored: try bytes(column)) else { throw SQLiteError(unreadable: hashLength) }
        return hash
    }

    func keyOwner(_ column: Int) throws(SQLiteError) -> KeyOwner { KeyOwner(bits: try bits(column)) }

    /// Status code of a stored response.
    func status(_ column: Int) throws(SQLiteError) -> Int {
        let status = try integer(column)
        guard StoredResponse.statuses.contains(status) else {
            throw SQLiteError(unreadable: "a response has the status \(status)")
        }
        return status
    }

    /// Headers of a stored response.
    func headers(_ column: Int) throws(SQLiteError) -> [ResponseHeader] {
        let bytes = try bytes(column)
        do throws(JSONError) {
            return try StoredHeaders.decode(bytes)
        } catch {
            throw SQLiteError(unreadable: "the headers of a response: \(error)")
        }
    }

    func key(_ column: Int) throws(SQLiteError) -> UInt128 {
        let bytes = try bytes(column)
        guard bytes.count == 16 else { throw SQLiteError(unreadable: "a key is not 16 bytes long") }
        return bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    func optionalText(_ column: Int) throws(SQLiteError) -> String? { isNull(column) ? nil : try text(column) }

    func optionalInstant(_ column: Int) throws(SQLiteError) -> Timestamp? { isNull(column) ? nil : try instant(column) }
}

extension StoredEvent {
    static let columns = "event.seq, event.at, event.type, event.public, event.private, event.hash"

    init(_ row: borrowing Rows) throws(SQLiteError) {
        let event = Self(
            seq: try row.integer(0), at: try row.instant(1), type: try row.text(2), publicBytes: try row.bytes(3),
            privateBytes: row.isNull(4) ? nil : try row.bytes(4), storedHash: try row.bytes(5))
        guard let event else { throw SQLiteError(unreadable: hashLength) }
        self = event
    }
}

extension RoomRow {
    static let columns = """
        number, id, seq, tip, state, round, ends_at, price, archived, name, host, host_nickname, currency, visibility, \
        opened_at, item_name, premium, offer_name, offer_picture, offer_price, starts_at
        """
    static let columnCount = 21

    init(_ row: borrowing Rows) throws(SQLiteError) {
        let itemName = try row.optionalText(15)
        let offer = RoomOffer(
            name: try row.optionalText(17), itemName: itemName, picture: try row.optionalText(18),
            startingPrice: try row.optionalLong(19))
        let profile = RoomProfile(
            name: try row.text(9), host: Person(id: try row.identifier(10), nickname: try row.text(11)),
            currency: try row.text(12), visibility: try row.text(13), openedAt: try row.instant(14),
            itemName: itemName,
            premium: try row.optionalLong(16).flatMap { Int(exactly: $0) }.flatMap(Premium.init(rawValue:)), offer: offer,
            startsAt: try row.optionalInstant(20))
        let status = RoomStatus(
            state: try row.text(4), round: try row.integer(5), endsAt: try row.optionalInstant(6),
            currentPrice: try row.optionalLong(7), isArchived: try row.integer(8) != 0)
        let head = RoomHead(seq: try row.integer(2), headHash: try row.bits(3))
        self.init(room: try row.identifier(1), position: try row.long(0), head: head, profile: profile, status: status)
    }
}

extension CachedRoom {
    static let columns = "number, seq, tip, last_answer, state, round, ends_at, price, archived, is_open"

    init(_ row: borrowing Rows) throws(SQLiteError) {
        self.init(
            number: try row.long(0), head: RoomHead(seq: try row.integer(1), headHash: try row.bits(2)),
            status: RoomStatus(
                state: try row.text(4), round: try row.integer(5), endsAt: try row.optionalInstant(6),
                currentPrice: try row.optionalLong(7), isArchived: try row.integer(8) != 0,
                isOpen: try row.integer(9) != 0, isDueAtEnd: try row.integer(9) == RoomStatus.dueAtEnd),
            lastResponse: try row.long(3))
    }
}

extension RoomStatus {
    /// `is_open` of a room in which nothing is due before `ends_at`.
    static let dueAtEnd = 2

    /// The column `is_open`.
    var openness: Int { isDueAtEnd ? Self.dueAtEnd : isOpen ? 1 : 0 }

    /// Whether both agree in the columns that indexes, a start and the lists of a user depend on. If not, the room's row must be updated together with
    /// the events.
    func matchesIndexedColumns(_ other: RoomStatus) -> Bool {
        state == other.state && round == other.round && openness == other.openness && isArchived == other.isArchived
    }
}

extension Collection<Int64> {
    /// The numbers as the argument of `json_each`, for statements that take a list.
    var jsonArray: String { "[" + map(String.init).joined(separator: ",") + "]" }
}
