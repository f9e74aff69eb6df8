// What is made of the records of all pictures.
extension PictureStore {
    /// Copies all pictures with their uploads into another store.
    /// - Returns: The number copied.
    package func copy(to target: any PictureStore) throws(EventLogError) -> Int {
        var count = 0
        try forEachRecord { record throws(EventLogError) in
            if let removedAt = record.removedAt {
                _ = try target.remove(record.id, at: removedAt)
                return
            }
            guard let picture = try picture(record.id), PictureID(of: picture.bytes) == record.id else {
                throw EventLogError(.corrupt, "the picture \(record.id) cannot be copied: its bytes have another digest")
            }
            // First that of the preview: it counts there. Where an older node stored another user's upload beside it, the preview is dropped.
            for upload in record.uploads where isOfPreview(upload, record) {
                _ = try target.store(picture, by: upload, limits: .none)
                guard let preview = try preview(of: record.id), PictureID(of: preview.bytes) == preview.id,
                    try target.store(preview: preview, of: record.id, by: upload, limits: .none) == .stored
                else { throw EventLogError(.corrupt, "the preview of \(record.id) cannot be copied") }
            }
            for upload in record.uploads where !isOfPreview(upload, record) {
                _ = try target.store(picture, by: upload, limits: .none)
            }
            if record.isKept { _ = try target.keep([record.id]) }
            count += 1
        }
        return count
    }

    private func isOfPreview(_ upload: PictureUpload, _ record: PictureRecord) -> Bool {
        record.preview.map { $0.room == upload.room && $0.user == upload.user } ?? false
    }

    /// Calls `body` for every record, in order of id.
    package func forEachRecord(_ body: (PictureRecord) throws(EventLogError) -> Void) throws(EventLogError) {
        var last: PictureID?
        while true {
            let records = try records(after: last, limit: 100)
            for record in records { try body(record) }
            guard let end = records.last?.id else { return }
            last = end
        }
    }
}
