import AuctionDomain
import EventLog

/// A store of pictures in which storing and reading one block while a gate is shut.
struct GatedPictures: PictureStore {
    let forwarded: any PictureStore
    let gate: Gate

    var failure: EventLogError? { forwarded.failure }
    var total: PictureTotal { forwarded.total }

    func store(
        _ picture: StoredPicture, by upload: PictureUpload, limits: PictureLimits
    ) throws(EventLogError) -> PictureVerdict {
        gate.pass()
        return try forwarded.store(picture, by: upload, limits: limits)
    }

    func store(
        preview: StoredPicture, of original: PictureID, by upload: PictureUpload, limits: PictureLimits
    ) throws(EventLogError) -> PictureVerdict {
        gate.pass()
        return try forwarded.store(preview: preview, of: original, by: upload, limits: limits)
    }

    func preview(of original: PictureID) throws(EventLogError) -> StoredPicture? {
        gate.pass()
        return try forwarded.preview(of: original)
    }

    func picture(_ id: PictureID) throws(EventLogError) -> StoredPicture? {
        gate.pass()
        return try forwarded.picture(id)
    }

    func unknown(among ids: [PictureID]) throws(EventLogError) -> [PictureID] { try forwarded.unknown(among: ids) }

    func keep(_ ids: [PictureID]) throws(EventLogError) -> [PictureID] { try forwarded.keep(ids) }

    func release(_ ids: [PictureID]) throws(EventLogError) { try forwarded.release(ids) }

    func deleteUnused(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        try forwarded.deleteUnused(before: cutoff, limit: limit)
    }

    func remove(_ id: PictureID, at instant: Timestamp) throws(EventLogError) -> Bool {
        try forwarded.remove(id, at: instant)
    }

    func records(after: PictureID?, limit: Int) throws(EventLogError) -> [PictureRecord] {
        try forwarded.records(after: after, limit: limit)
    }
}
