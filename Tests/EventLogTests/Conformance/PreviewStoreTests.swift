import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

/// Previews of pictures.
extension LogConformance {
    private static let (ann, ben) = (UserID(bits: 1), UserID(bits: 2))
    private static let (first, second) = (RoomID(bits: 1), RoomID(bits: 2))
    private static let vase = StoredPicture(type: "image/png", width: 24, height: 16, bytes: [UInt8](repeating: 1, count: 3000))

    private static func preview(_ number: UInt8, bytes: Int = 200) -> StoredPicture {
        StoredPicture(type: "image/webp", width: 12, height: 8, bytes: [UInt8](repeating: number, count: bytes))
    }

    private static func upload(
        _ room: RoomID = first, by user: UserID = ann, at instant: Timestamp = Samples.noon
    ) -> PictureUpload {
        PictureUpload(room: room, user: user, at: instant)
    }

    @Test(arguments: LogBackEnd.all)
    func `a preview reads back exactly, and a later one of the same user takes its place`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let (pictures, vase) = (log.pictures, Self.vase)
            #expect(
                try pictures.store(preview: Self.preview(2), of: vase.id, by: Self.upload(), limits: .none) == .unknownOriginal)
            for upload in [Self.upload(), Self.upload(Self.second)] { _ = try pictures.store(vase, by: upload, limits: .none) }
            #expect(try pictures.preview(of: vase.id) == nil)
            for (preview, room) in [(Self.preview(2), Self.first), (Self.preview(3, bytes: 64 << 10), Self.second)] {
                #expect(try pictures.store(preview: preview, of: vase.id, by: Self.upload(room), limits: .none) == .stored)
                #expect(try pictures.preview(of: vase.id) == preview)
                #expect(pictures.total == PictureTotal(count: 1, bytes: 3000 + preview.bytes.count))
            }
            let record = try #require(try pictures.records(after: nil, limit: 2).first)
            #expect(record.preview == PreviewRecord(room: Self.first, user: Self.ann, bytes: 64 << 10))
            #expect(try pictures.picture(vase.id) == vase)
            #expect(try pictures.picture(Self.preview(2).id) == nil, "a preview is no picture of its own")
        }
    }

    /// Planted: a user who has the address of a picture uploads that picture too, and then a preview of something else.
    @Test(arguments: LogBackEnd.all)
    func `a preview of another's picture is refused, also by a user who uploaded the same picture`(_ backEnd: LogBackEnd) throws
    {
        try backEnd.withLog { log throws in
            let pictures = log.pictures
            func give(_ preview: StoredPicture, _ upload: PictureUpload) throws -> PictureVerdict {
                try pictures.store(preview: preview, of: Self.vase.id, by: upload, limits: .none)
            }
            let (ann, ben) = (Self.upload(), Self.upload(by: Self.ben))
            _ = try pictures.store(Self.vase, by: ann, limits: .none)
            #expect(try give(Self.preview(4), ben) == .notUploader)
            #expect(try give(Self.preview(4), Self.upload(Self.second)) == .notUploader, "it is in another room")
            _ = try pictures.store(Self.vase, by: ben, limits: .none)
            #expect(try give(Self.preview(4), ben) == .notUploader, "both have uploaded it, and there is no preview")
            #expect(try give(Self.preview(4), ann) == .notUploader, "nor does the first uploader decide for both")
            #expect(try pictures.preview(of: Self.vase.id) == nil)
        }
    }

    /// Planted: a user uploads a known picture first, with a preview of something else.
    @Test(arguments: LogBackEnd.all)
    func `a preview is dropped with its bytes when another user uploads the picture`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let pictures = log.pictures
            for upload in [Self.upload(), Self.upload(Self.second)] {
                _ = try pictures.store(Self.vase, by: upload, limits: .none)
                #expect(try pictures.store(preview: Self.preview(2), of: Self.vase.id, by: upload, limits: .none) == .stored)
            }
            _ = try pictures.store(Self.vase, by: Self.upload(), limits: .none)
            #expect(try pictures.preview(of: Self.vase.id) == Self.preview(2), "the same user's uploads leave it")
            var limits = PictureLimits.none
            limits.userBytes = 1
            #expect(try pictures.store(Self.vase, by: Self.upload(by: Self.ben), limits: limits) == .overQuota(.user))
            #expect(try pictures.preview(of: Self.vase.id) == Self.preview(2), "so does an upload that is refused")
            _ = try pictures.store(Self.vase, by: Self.upload(by: Self.ben), limits: .none)
            #expect(try pictures.preview(of: Self.vase.id) == nil)
            #expect(try pictures.records(after: nil, limit: 2).map(\.preview) == [nil])
            #expect(pictures.total == PictureTotal(count: 1, bytes: 3000))
            for user in [Self.ann, Self.ben] {
                let upload = Self.upload(by: user)
                #expect(
                    try pictures.store(preview: Self.preview(2), of: Self.vase.id, by: upload, limits: .none) == .notUploader)
            }
            // Neither does it count for its uploader any more.
            let counted = 2 * (3000 + PictureUpload.overheadBytes)
            let jug = StoredPicture(type: "image/png", width: 8, height: 8, bytes: [UInt8](repeating: 9, count: 500))
            limits.userBytes = counted + jug.countedBytes
            #expect(try pictures.store(jug, by: Self.upload(), limits: limits) == .stored)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `the bytes of a preview count for the room, the user and all`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let pictures = log.pictures
            let counted = 3000 + PictureUpload.overheadBytes
            _ = try pictures.store(Self.vase, by: Self.upload(), limits: .none)
            func give(_ preview: StoredPicture, _ change: (inout PictureLimits) -> Void) throws -> PictureVerdict {
                var limits = PictureLimits.none
                change(&limits)
                return try pictures.store(preview: preview, of: Self.vase.id, by: Self.upload(), limits: limits)
            }
            for _ in 0..<2 {
                #expect(try give(Self.preview(2)) { $0.roomBytes = counted + 199 } == .overQuota(.room))
                #expect(try give(Self.preview(2)) { $0.userBytes = counted + 199 } == .overQuota(.user))
                #expect(try give(Self.preview(2)) { $0.totalBytes = counted + 199 } == .overQuota(.total))
                let all = { (limits: inout PictureLimits) in
                    (limits.roomBytes, limits.userBytes, limits.totalBytes) = (counted + 200, counted + 200, counted + 200)
                }
                #expect(try give(Self.preview(2), all) == .stored, "also in the place of one with as many bytes")
                #expect(try give(Self.preview(3), all) == .stored)
            }
            // What else the user uploads to the room has so much less space.
            var limits = PictureLimits.none
            limits.userBytes = counted + 200 + 500 + PictureUpload.overheadBytes
            let jug = StoredPicture(type: "image/png", width: 8, height: 8, bytes: [UInt8](repeating: 9, count: 501))
            #expect(try pictures.store(jug, by: Self.upload(Self.second), limits: limits) == .overQuota(.user))
            #expect(try give(Self.preview(2, bytes: 199)) { _ in } == .stored)
            #expect(try pictures.store(jug, by: Self.upload(Self.second), limits: limits) == .stored)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a preview goes with its picture, and is another day for it`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let pictures = log.pictures
            _ = try pictures.store(Self.vase, by: Self.upload(), limits: .none)
            let later = Self.upload(at: Samples.after(60))
            #expect(try pictures.store(preview: Self.preview(2), of: Self.vase.id, by: later, limits: .none) == .stored)
            #expect(try pictures.deleteUnused(before: Samples.after(60), limit: 9) == 0)
            #expect(try pictures.deleteUnused(before: Samples.after(61), limit: 9) == 1)
            #expect(try pictures.preview(of: Self.vase.id) == nil)
            #expect(pictures.total == PictureTotal())
            _ = try pictures.store(Self.vase, by: Self.upload(), limits: .none)
            #expect(try pictures.preview(of: Self.vase.id) == nil, "nor with the next upload of the same picture")
            #expect(try pictures.store(preview: Self.preview(2), of: Self.vase.id, by: later, limits: .none) == .stored)
            #expect(try pictures.remove(Self.vase.id, at: Samples.after(70)))
            #expect(try pictures.preview(of: Self.vase.id) == nil)
            #expect(pictures.total == PictureTotal())
            #expect(try pictures.store(preview: Self.preview(2), of: Self.vase.id, by: later, limits: .none) == .removed)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `copies have previews, in the room of the upload that they count with`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let source = InMemoryPictures()
            let ben = Self.upload(Self.second, by: Self.ben)
            for upload in [Self.upload(by: Self.ben), ben] { _ = try source.store(Self.vase, by: upload, limits: .none) }
            #expect(try source.store(preview: Self.preview(2), of: Self.vase.id, by: ben, limits: .none) == .stored)
            #expect(try source.copy(to: log.pictures) == 1)
            #expect(try log.pictures.records(after: nil, limit: 2) == source.records(after: nil, limit: 2))
            let target = InMemoryPictures()
            #expect(try log.pictures.copy(to: target) == 1)
            #expect(try target.preview(of: Self.vase.id) == Self.preview(2))
            let wrong = StoredPicture(id: Self.preview(3).id, type: "image/webp", width: 1, height: 1, bytes: [1])
            #expect(try log.pictures.store(preview: wrong, of: Self.vase.id, by: ben, limits: .none) == .stored)
            var count = 0
            let findings = try PictureAudit.findings(in: log.pictures, named: NamedPictures(), count: &count)
            #expect(findings == ["picture \(Self.vase.id): the bytes of its preview have another digest"])
            #expect(throws: EventLogError.self) { try log.pictures.copy(to: InMemoryPictures()) }
        }
    }
}
