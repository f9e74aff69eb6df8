/// Adds a lot at the end of the queue.
package struct QueueLot: Hashable, Sendable {
    /// The item, as for an upload.
    package let item: UploadItem
    /// 1 to `Lot.referenceLimit` Unicode scalars; nil: none.
    package let reference: String?

    package init(item: UploadItem, reference: String?) {
        self.item = item
        self.reference = reference
    }
}

/// Requested changes of a queued lot; a nil field is unchanged.
package struct LotChanges: Hashable, Sendable {
    /// Where a lot is moved to.
    package enum Target: Hashable, Sendable {
        case before(LotID)
        case end
    }

    /// 1 to `AuctionItem.nameLimit` Unicode scalars.
    package var name: String?
    /// 0 to `AuctionItem.descriptionLimit` Unicode scalars.
    package var description: String?
    /// At most `AuctionItem.mediaLimit` `https` addresses.
    package var media: [String]?
    /// `.some(nil)` removes it.
    package var estimate: Estimate??
    /// 1 to `AuctionItem.conditionLimit` Unicode scalars; `.some(nil)` removes it.
    package var condition: String??
    /// Checked against their format together with the rules that it leaves.
    package var rules: RulesPatch?
    /// `.some(nil)` removes it.
    package var reference: String??
    /// Its new place; nil: unchanged.
    package var target: Target?

    package init() {}

    /// The item of a lot with these changes; not validated.
    func applied(to old: AuctionItem) -> AuctionItem {
        AuctionItem(
            id: old.id, name: name ?? old.name, description: description ?? old.description, media: media ?? old.media,
            estimate: estimate ?? old.estimate, condition: condition ?? old.condition, owner: old.owner,
            rules: rules?.applied(to: old.rules) ?? old.rules, lot: old.lot)
    }

    /// Whether the lot changes, and not only its place.
    package var changesContent: Bool {
        name != nil || description != nil || media != nil || estimate != nil || condition != nil || rules != nil
            || reference != nil
    }
}

/// What the host does with the sale.
package enum SaleCommand: Hashable, Sendable {
    /// `Sale.manual` removes what was configured.
    case configure(Sale)
    case start
    case stop
}
