package import AuctionDomain

/// The pictures of this server that events name.
package struct NamedPictures: Sendable {
    /// The room, and the lot or item, that named each first.
    package private(set) var places: [PictureID: String] = [:]

    package init() {}

    /// Records the pictures that an event names.
    package mutating func take(_ event: Event, of room: RoomID) {
        switch event.body {
        case .itemUploaded(let item): take(item, "\(room): \(item.lot?.description ?? item.id.description)")
        case .lotQueued(let lot): take(lot.item, "\(room): \(lot.id)")
        case .lotChanged(let lot): take(lot.item, "\(room): \(lot.id)")
        default: break
        }
    }

    private mutating func take(_ item: AuctionItem, _ place: @autoclosure () -> String) {
        for id in item.media.lazy.compactMap({ PictureID(path: $0) }) where places[id] == nil { places[id] = place() }
    }
}

/// Checks of all stored pictures.
package enum PictureAudit {
    /// Pictures whose bytes are not those that were stored, and those that events name but that are not there for good, a line for an
    /// operator each. Servers may go on if the events were read before: a picture is kept before an event names it.
    /// - Parameters:
    ///   - store: nil if the log has none.
    ///   - count: receives the number of stored pictures.
    package static func findings(
        in store: (any PictureStore)?, named: NamedPictures, count: inout Int
    ) throws(EventLogError) -> [String] {
        var findings: [String] = []
        var missing = named.places
        do throws(EventLogError) {
            try store?.forEachRecord { record throws(EventLogError) in
                let place = missing.removeValue(forKey: record.id)
                if record.removedAt != nil { return }
                count += 1
                if let finding = try finding(of: record, in: store) { findings.append(finding) }
                if let place, !record.isKept {
                    findings.append("\(place): names \(record.id.path), which will be deleted: it is not kept")
                }
            }
        } catch  where error.code == .corrupt {
            // Which of the others are stored is unknown.
            return findings + ["the pictures cannot be listed: \(error.message)"]
        }
        return findings
            + missing.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { id, place in
                "\(place): names \(id.path), which is not stored"
            }
    }

    /// What is wrong with the bytes of a picture. Damage of one must not hide that of others.
    private static func finding(
        of record: PictureRecord, in store: (any PictureStore)?
    ) throws(EventLogError) -> String? {
        do throws(EventLogError) {
            guard let picture = try store?.picture(record.id) else {
                // One that was not kept may have been deleted meanwhile.
                return record.isKept ? "picture \(record.id): is listed, but not there" : nil
            }
            guard PictureID(of: picture.bytes) == record.id else {
                return "picture \(record.id): its bytes have another digest"
            }
            guard record.preview != nil, let preview = try store?.preview(of: record.id) else { return nil }
            return PictureID(of: preview.bytes) == preview.id
                ? nil : "picture \(record.id): the bytes of its preview have another digest"
        } catch  where error.code == .corrupt {
            return "picture \(record.id): it cannot be read: \(error.message)"
        }
    }
}
