/// The lots of a room, in the order of their turns: a value that changes in little time while older copies exist.
package struct Lots: Sendable {
    private var byID = BTree<LotID, Lot>()
    private var order = LotOrder()
    private var byReference = BTree<String, LotID>()
    private var byContent = LotsByContent()
    /// Every user who ever queued a lot here.
    package private(set) var owners: [Person] = []
    /// Queued lots of each owner, by the index of the owner.
    private var queuedOf: [Int] = []
    /// Lots of each owner that had their turn and were not sold, by the index of the owner.
    private var unsoldOf: [Int] = []
    /// The lots as which others were offered again last.
    private var offeredAgain = BTree<LotID, LotID>()
    /// The lots that wait in the queue, in order: behind thousands that had their turn the next one is found as quickly.
    private(set) var queue = SortedChunks<LotOrder.Entry>()
    /// The lot that is the item of the current round; nil if there is none, or the item is not a lot.
    package private(set) var current: LotID?
    /// The seq of the last event that also gave new places to lots other than the one that it moved or added; 0 if none did.
    package private(set) var spreadSeq = 0

    package init() {}

    /// Bytes that the lots take in memory, about: their texts, and `bytesPerLot` each.
    package private(set) var bytes = 0
    private static let bytesPerLot = 400

    /// Number of lots, in all states.
    package var count: Int { byID.count }
    /// Number of lots that wait in the queue.
    package var queuedCount: Int { queuedOf.reduce(0, +) }
    /// Number of lots of the user that wait in the queue.
    package func queuedCount(of user: UserID) -> Int { Self.sum(queuedOf, of: user, owners) }
    /// Number of lots that had their turn and were not sold, also if they were offered again.
    /// - Parameter user: only those of this user; nil: of all.
    func unsoldCount(of user: UserID?) -> Int { Self.sum(unsoldOf, of: user, owners) }

    private static func sum(_ counts: [Int], of user: UserID?, _ owners: [Person]) -> Int {
        zip(owners, counts).reduce(0) { user == nil || $1.0.id == user ? $0 + $1.1 : $0 }
    }

    /// The lot with an identifier; nil if the room has none.
    package subscript(id: LotID) -> Lot? { byID[id] }
    /// The lot with the seller's number; nil if the room has none.
    package subscript(reference reference: String) -> Lot? { byReference[reference].flatMap { byID[$0] } }

    /// The lot as which another was offered again last; nil if it was not.
    package func successor(of id: LotID) -> Lot? { offeredAgain[id].flatMap { byID[$0] } }
    /// The lot as which another is offered again; nil if it is not, or that lot was withdrawn.
    package func standingSuccessor(of id: LotID) -> Lot? {
        successor(of: id).flatMap { $0.state == .withdrawn ? nil : $0 }
    }

    /// The first of the user's lots without a reference, in the order of their additions, that was added after `lot` and equals `item`.
    /// - Parameter digest: `LotsByContent.digest` of the item.
    func lot(equalTo item: UploadItem, digest: Int, of owner: UserID, after lot: LotID?) -> Lot? {
        // Digests of different contents are equal by a rare accident only.
        byContent.lots(of: owner, digest, after: lot).prefix(4).lazy.compactMap { byID[$0] }.first {
            $0.content.upload == item
        }
    }

    /// Owner of the lot.
    package func owner(of lot: Lot) -> Person { owners[lot.owner] }
    /// The item of the lot, with its owner.
    package func item(of lot: Lot) -> AuctionItem { lot.item(of: owners[lot.owner]) }
    /// The lot's position among all lots of the room, from 1.
    package func position(of lot: Lot) -> Int { order.count(before: lot.place) + 1 }
    /// All lots in order, beginning with the first one at or behind a place.
    package func lots(from place: UInt64 = 0) -> some Sequence<Lot> {
        order.entries(from: place).lazy.compactMap { byID[$0.lot] }
    }

    /// The lot behind another one; nil if that is the last.
    func follower(of lot: Lot) -> Lot? { lots(from: lot.place + 1).first { _ in true } }
    /// Whether no lot is behind this one.
    func isLast(_ lot: Lot) -> Bool { order.last?.lot == lot.id }

    /// The lot whose turn is next; nil if none is queued.
    package var firstQueued: Lot? { queue.first.flatMap { byID[$0.lot] } }

    // MARK: - Changes

    /// - Parameter old: The lot that is offered again as this one: the reference moves to the new lot.
    mutating func add(_ id: LotID, _ item: AuctionItem, reference: String?, offeredBefore old: LotID? = nil) {
        if old != nil, let reference { removeReference(reference) }
        let owner = ownerIndex(of: item.owner)
        var placed = order.insert(id, before: nil)
        guard let place = placed.popLast()?.place else { return }
        // No lot ever leaves the room.
        index(
            Lot(
                id: id, number: count + 1, place: place, owner: owner,
                content: LotContent(item, reference: reference, offeredBefore: old)))
    }

    private mutating func removeReference(_ reference: String) {
        guard let id = byReference[reference], var lot = byID[id] else { return }
        byReference[reference] = nil
        lot.set(lot.content.withoutReference)
        byContent.insert(lot, of: owners[lot.owner].id)
        byID[id] = lot
    }

    /// Replaces the item, and the reference, of a lot.
    mutating func set(_ id: LotID, _ item: AuctionItem, reference: String?) {
        guard var lot = byID[id] else { return }
        let owner = owners[lot.owner].id
        if let old = lot.reference { byReference[old] = nil } else { byContent.remove(lot, of: owner) }
        bytes -= lot.content.textBytes
        lot.set(LotContent(item, reference: reference, offeredBefore: lot.content.offeredBefore))
        bytes += lot.content.textBytes
        if let reference { byReference[reference] = id } else { byContent.insert(lot, of: owner) }
        byID[id] = lot
    }

    /// Moves a lot before another one, or to the end.
    mutating func move(_ id: LotID, before next: LotID?, in event: Event) {
        guard let lot = byID[id], next != id, next.map({ byID[$0] != nil }) ?? true else { return }
        order.remove(at: lot.place)
        let placed = order.insert(id, before: next.flatMap { byID[$0]?.place })
        // All leave their places before one enters its new place, which may have been that of another.
        for entry in placed {
            if let lot = byID[entry.lot], lot.state == .queued { queue.remove(at: lot.place) }
        }
        for entry in placed {
            byID[entry.lot]?.place = entry.place
            if byID[entry.lot]?.state == .queued { queue.insert(entry) }
        }
        byID[id]?.movedSeq = event.seq
        if placed.count > 1 { spreadSeq = event.seq }
    }

    mutating func setState(_ id: LotID, _ state: Lot.State, round: Int? = nil) {
        guard var lot = byID[id] else { return }
        if lot.state == .queued {
            queuedOf[lot.owner] -= 1
            queue.remove(at: lot.place)
        }
        if state == .queued { enqueue(lot) }
        unsoldOf[lot.owner] += (state.isUnsold ? 1 : 0) - (lot.state.isUnsold ? 1 : 0)
        lot.state = state
        if let round { lot.round = round }
        byID[id] = lot
        if state == .current { current = id } else if current == id { current = nil }
    }

    private mutating func enqueue(_ lot: Lot) {
        queuedOf[lot.owner] += 1
        queue.insert(LotOrder.Entry(lot: lot.id, place: lot.place))
    }

    /// Updates the nickname of an owner.
    mutating func rename(_ person: Person) {
        for index in owners.indices where owners[index].id == person.id { owners[index] = person }
    }

    /// Makes another user the owner of what `user` owns.
    mutating func move(from user: UserID, to owner: Person) {
        for index in owners.indices where owners[index].id == user { owners[index] = owner }
        byContent.move(from: user, to: owner.id)
    }

    /// Adds a lot whose place is in the order.
    private mutating func index(_ lot: Lot) {
        byID[lot.id] = lot
        if let reference = lot.reference {
            byReference[reference] = lot.id
        } else {
            byContent.insert(lot, of: owners[lot.owner].id)
        }
        bytes += Self.bytesPerLot + lot.content.textBytes
        if lot.state == .queued { enqueue(lot) }
        if lot.state.isUnsold { unsoldOf[lot.owner] += 1 }
        if lot.state == .current { current = lot.id }
        if let old = lot.content.offeredBefore, successor(of: old).map({ $0.number < lot.number }) ?? true {
            offeredAgain[old] = lot.id
        }
    }

    private mutating func ownerIndex(of owner: Person) -> Int {
        if let index = owners.firstIndex(where: { $0.id == owner.id }) {
            // The owner may have changed their nickname.
            if owners[index] != owner { owners[index] = owner }
            return index
        }
        owners.append(owner)
        queuedOf.append(0)
        unsoldOf.append(0)
        return owners.count - 1
    }
}

// Compares the lots, not the chunks that store them: how lots are divided into chunks depends on whether they were read from a snapshot.
extension Lots: Hashable {
    package static func == (left: Lots, right: Lots) -> Bool {
        left.owners == right.owners && left.spreadSeq == right.spreadSeq && left.lots().elementsEqual(right.lots())
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension Lots {
    /// Lots as they were stored, in order; nil if an owner or a number is missing.
    package init?(stored lots: [Lot], owners: [Person], spreadSeq: Int) {
        guard lots.allSatisfy({ owners.indices.contains($0.owner) && (1...lots.count).contains($0.number) }),
            Set(lots.map(\.number)).count == lots.count
        else { return nil }
        (self.owners, self.spreadSeq) = (owners, spreadSeq)
        queuedOf = owners.map { _ in 0 }
        unsoldOf = queuedOf
        order = LotOrder(sorted: lots.map { LotOrder.Entry(lot: $0.id, place: $0.place) })
        for lot in lots { index(lot) }
    }
}
