/// An item that waits for its turn in the room, or has had it.
package struct Lot: Hashable, Sendable {
    /// Where a lot stands.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// It waits in the queue.
        case queued
        /// It is the item of the current round.
        case current
        case sold
        case passed
        /// Its owner or the host took it out of the queue.
        case withdrawn
        /// It was sold, and the sale does not count.
        case voided

        /// Whether a lot in it has had its turn without a buyer, so that it may be offered again.
        package var isUnsold: Bool {
            switch self {
            case .passed, .voided: true
            case .queued, .current, .sold, .withdrawn: false
            }
        }
    }

    /// Identifier of the lot; that of its item is another.
    package let id: LotID
    /// Its number in the room: 1, 2, 3 and so on in the order of queueing. It stays when the lot moves, and no other lot gets it.
    package let number: Int
    /// Where it stands.
    package internal(set) var state: State
    /// The round in which it is or was auctioned last; nil before its turn.
    package internal(set) var round: Int?
    /// Rises along the order of lots; meaningless otherwise.
    package internal(set) var place: UInt64
    /// The seq of the event that moved it last; nil if it is where it was added.
    package internal(set) var movedSeq: Int?
    /// The owner's index in `Lots.owners`, so that thousands of lots do not repeat one nickname.
    package let owner: Int
    private var boxedContent: Box<LotContent>

    /// A lot as it was stored; a new one waits in the queue, and was neither moved nor auctioned.
    package init(
        id: LotID, number: Int, place: UInt64, owner: Int, content: LotContent, state: State = .queued, round: Int? = nil,
        movedSeq: Int? = nil
    ) {
        self.id = id
        self.number = number
        self.place = place
        self.owner = owner
        boxedContent = Box(content)
        self.state = state
        self.round = round
        self.movedSeq = movedSeq
    }

    /// The seller's own number of the lot, unique in the room; nil if it has none.
    package var reference: String? { content.reference }
    /// What is auctioned, without its owner.
    package var content: LotContent { boxedContent.value }

    func item(of owner: Person) -> AuctionItem { content.upload.item(content.item, of: owner, lot: id) }

    mutating func set(_ content: LotContent) { boxedContent = Box(content) }

    /// Longest reference, in Unicode scalars.
    package static let referenceLimit = 64
}

/// What is auctioned as a lot. Kept behind one reference, so that a change of the lot's state copies no texts.
package struct LotContent: Hashable, Sendable {
    /// Identifier of the item.
    package let item: ItemID
    /// What a request that queues the same has.
    package let upload: UploadItem
    /// The seller's own number of the lot; nil if it has none.
    package let reference: String?
    /// The lot that is offered again as this one; nil if it is offered for the first time.
    package let offeredBefore: LotID?

    package init(item: ItemID, upload: UploadItem, reference: String?, offeredBefore: LotID? = nil) {
        self.item = item
        self.upload = upload
        self.reference = reference
        self.offeredBefore = offeredBefore
    }

    /// The same without a reference.
    var withoutReference: LotContent {
        LotContent(item: item, upload: upload, reference: nil, offeredBefore: offeredBefore)
    }

    init(_ item: AuctionItem, reference: String?, offeredBefore: LotID? = nil) {
        let upload = UploadItem(
            name: item.name, description: item.description, media: item.media, estimate: item.estimate,
            condition: item.condition, rules: item.rules)
        self.init(item: item.id, upload: upload, reference: reference, offeredBefore: offeredBefore)
    }

    /// Bytes of its texts in memory.
    var textBytes: Int {
        let texts = upload.name.utf8.count + upload.description.utf8.count + (upload.condition?.utf8.count ?? 0)
        return upload.media.reduce(texts) { $0 + $1.utf8.count + 48 }
    }
}
