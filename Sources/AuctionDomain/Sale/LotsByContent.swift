/// The lots without a reference, sorted by owner and content, so that those equal to a row of a file are found without a walk through all.
struct LotsByContent: Hashable, Sendable {
    private struct Entry: SortedElement, Comparable {
        let owner: UserID
        let digest: Int
        let lot: LotID

        var key: Self { self }

        init(owner: UserID, digest: Int, lot: LotID) { (self.owner, self.digest, self.lot) = (owner, digest, lot) }

        init(_ owner: UserID, _ lot: Lot) {
            self.init(owner: owner, digest: LotsByContent.digest(lot.content.upload), lot: lot.id)
        }

        static func < (left: Self, right: Self) -> Bool {
            (left.owner, left.digest, left.lot) < (right.owner, right.digest, right.lot)
        }
    }

    private var sorted = SortedChunks<Entry>()

    /// A digest of the whole content. It is keyed anew by every process, so that clients cannot make contents of equal digests.
    static func digest(_ item: UploadItem) -> Int { item.hashValue }

    /// The owner's lots with that digest that were added after `lot`, in that order.
    func lots(of owner: UserID, _ digest: Int, after lot: LotID?) -> some Sequence<LotID> {
        sorted.elements(from: Entry(owner: owner, digest: digest, lot: lot ?? LotID(bits: 0)))
            .lazy.prefix { $0.owner == owner && $0.digest == digest }.map(\.lot).filter { $0 != lot }
    }

    mutating func insert(_ lot: Lot, of owner: UserID) { sorted.insert(Entry(owner, lot)) }

    mutating func remove(_ lot: Lot, of owner: UserID) { sorted.remove(at: Entry(owner, lot)) }

    /// Gives the lots of `user` to another owner.
    mutating func move(from user: UserID, to owner: UserID) {
        let first = Entry(owner: user, digest: .min, lot: LotID(bits: 0))
        for entry in Array(sorted.elements(from: first).prefix(while: { $0.owner == user })) {
            sorted.remove(at: entry)
            sorted.insert(Entry(owner: owner, digest: entry.digest, lot: entry.lot))
        }
    }
}
