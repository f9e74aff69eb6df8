import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

extension LogConformance {
    private static let (ann, ben) = (UserID(bits: 1), UserID(bits: 2))
    private static let (first, second) = (RoomID(bits: 1), RoomID(bits: 2))

    private static func picture(_ number: UInt8, bytes: Int = 3000) -> StoredPicture {
        StoredPicture(type: "image/png", width: 24, height: 16, bytes: [UInt8](repeating: number, count: bytes))
    }

    private static func upload(
        _ room: RoomID = first, by user: UserID = ann, at instant: Timestamp = Samples.noon
    ) -> PictureUpload {
        PictureUpload(room: room, user: user, at: instant)
    }

    @Test(arguments: LogBackEnd.all)
    func `a stored picture reads back exactly, however often it is stored`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let pictures = log.pictures
            let large = Self.picture(7, bytes: 4 << 20)
            #expect(try pictures.picture(large.id) == nil)
            #expect(try pictures.store(large, by: Self.upload(), limits: .none) == .stored)
            #expect(try pictures.picture(large.id) == large)
            #expect(try pictures.store(large, by: Self.upload(Self.second, by: Self.ben), limits: .none) == .stored)
            #expect(try pictures.store(large, by: Self.upload(), limits: .none) == .stored)
            #expect(pictures.total == PictureTotal(count: 1, bytes: 4 << 20))
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `pictures that are not kept are deleted once they are old, others never`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let pictures = log.pictures
            let all = (1...4).map { Self.picture($0) }
            for picture in all { _ = try pictures.store(picture, by: Self.upload(), limits: .none) }
            let withUnknown = [all[0].id, all[1].id, Self.picture(9).id]
            #expect(try pictures.unknown(among: withUnknown) == [Self.picture(9).id])
            #expect(try pictures.keep(withUnknown) == [Self.picture(9).id])
            #expect(try pictures.records(after: nil, limit: 10).allSatisfy { !$0.isKept }, "a refused command keeps none")
            #expect(try pictures.keep([all[0].id, all[1].id]) == [])
            #expect(try pictures.keep([all[0].id, all[0].id]) == [], "a repeat changes nothing")
            // Uploaded again later, which gives it more time.
            _ = try pictures.store(all[2], by: Self.upload(at: Samples.after(60)), limits: .none)
            #expect(try pictures.deleteUnused(before: Samples.noon, limit: 10) == 0)
            #expect(try pictures.deleteUnused(before: Samples.after(60), limit: 10) == 1)
            #expect(try all.map { try pictures.picture($0.id) != nil } == [true, true, true, false])
            #expect(try pictures.deleteUnused(before: Samples.after(61), limit: 10) == 1)
            #expect(pictures.total == PictureTotal(count: 2, bytes: 6000))
            #expect(try pictures.keep([all[3].id]) == [all[3].id], "a deleted one is not there")
            #expect(try pictures.records(after: nil, limit: 10).map(\.id) == [all[0].id, all[1].id].sorted())
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a picture that is kept no longer is deleted as others are, and can be stored again`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let pictures = log.pictures
            let all = (1...3).map { Self.picture($0) }
            for picture in all { _ = try pictures.store(picture, by: Self.upload(), limits: .none) }
            _ = try pictures.keep(all.map(\.id))
            _ = try pictures.remove(all[2].id, at: Samples.noon)
            try pictures.release([all[0].id, all[2].id, Self.picture(9).id])
            #expect(try pictures.records(after: nil, limit: 10).filter { !$0.isKept }.map(\.id) == [all[0].id])
            #expect(try pictures.deleteUnused(before: Samples.after(60), limit: 10) == 1)
            #expect(try all.map { try pictures.picture($0.id) != nil } == [false, true, false])
            #expect(try pictures.store(all[0], by: Self.upload(), limits: .none) == .stored)
            #expect(try pictures.store(all[2], by: Self.upload(), limits: .none) == .removed)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `old pictures are deleted in portions`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            for number in 1...5 { _ = try log.pictures.store(Self.picture(UInt8(number)), by: Self.upload(), limits: .none) }
            #expect(try log.pictures.deleteUnused(before: Samples.after(1), limit: 3) == 3)
            #expect(try log.pictures.deleteUnused(before: Samples.after(1), limit: 3) == 2)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `room, user and all pictures have limits of their own`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let pictures = log.pictures
            let counted = 3000 + PictureUpload.overheadBytes
            var limits = PictureLimits()
            (limits.roomBytes, limits.userBytes, limits.totalBytes) = (2 * counted, 3 * counted, 4 * counted)
            func store(_ number: UInt8, _ upload: PictureUpload) throws -> PictureVerdict {
                try pictures.store(Self.picture(number), by: upload, limits: limits)
            }
            let third = RoomID(bits: 3)
            #expect(try store(1, Self.upload()) == .stored)
            #expect(try store(2, Self.upload()) == .stored)
            #expect(try store(3, Self.upload()) == .overQuota(.room))
            #expect(try pictures.picture(Self.picture(3).id) == nil, "a refused one is not stored")
            #expect(try store(2, Self.upload()) == .stored, "a repeat needs no room")
            #expect(try store(3, Self.upload(Self.second)) == .stored)
            #expect(try store(4, Self.upload(Self.second)) == .overQuota(.user))
            #expect(try store(4, Self.upload(Self.second, by: Self.ben)) == .stored)
            #expect(try store(5, Self.upload(third, by: Self.ben)) == .overQuota(.total))
            #expect(try store(1, Self.upload(third, by: Self.ben)) == .stored, "it is stored already")
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a removed picture is gone, counts for no quota, and is not stored again`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let (pictures, picture, other) = (log.pictures, Self.picture(1), Self.picture(2))
            for stored in [picture, other] { _ = try pictures.store(stored, by: Self.upload(), limits: .none) }
            _ = try pictures.keep([picture.id])
            #expect(try pictures.remove(picture.id, at: Samples.after(5)))
            #expect(try pictures.picture(picture.id) == nil)
            #expect(pictures.total == PictureTotal(count: 1, bytes: 3000))
            #expect(try pictures.keep([picture.id]) == [picture.id])
            #expect(try pictures.store(picture, by: Self.upload(Self.second), limits: .none) == .removed)
            var limits = PictureLimits()
            limits.userBytes = 2 * (3000 + PictureUpload.overheadBytes)
            #expect(
                try pictures.store(Self.picture(3), by: Self.upload(), limits: limits) == .stored, "its quota is free again")
            #expect(try pictures.deleteUnused(before: Samples.after(9), limit: 10) == 2)
            #expect(try !pictures.remove(picture.id, at: Samples.after(7)), "a repeat changes nothing")
            let record = PictureRecord(id: picture.id, isKept: true, bytes: 0, changedAt: Samples.after(5), uploads: [])
            #expect(try pictures.records(after: nil, limit: 10) == [record])
            #expect(try !pictures.remove(other.id, at: Samples.after(8)), "it was deleted before")
            #expect(try pictures.store(other, by: Self.upload(), limits: .none) == .removed)
            #expect(pictures.total == PictureTotal())
            var count = 0
            #expect(try PictureAudit.findings(in: pictures, named: NamedPictures(), count: &count).isEmpty)
            #expect(count == 0)
            let target = InMemoryPictures()
            #expect(try pictures.copy(to: target) == 0)
            #expect(try target.records(after: nil, limit: 10) == pictures.records(after: nil, limit: 10))
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a copy has the record of a removed picture also before it has any other`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let (source, picture) = (InMemoryPictures(), Self.picture(1))
            _ = try source.store(picture, by: Self.upload(), limits: .none)
            #expect(try source.remove(picture.id, at: Samples.after(5)))
            #expect(try source.copy(to: log.pictures) == 0)
            #expect(try log.pictures.records(after: nil, limit: 10) == source.records(after: nil, limit: 10))
            #expect(try log.pictures.store(picture, by: Self.upload(), limits: .none) == .removed)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a copy has all pictures, their uploads, and which are kept`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let (kept, unused) = (Self.picture(1), Self.picture(2))
            for upload in [Self.upload(), Self.upload(Self.second, by: Self.ben, at: Samples.after(5))] {
                _ = try log.pictures.store(kept, by: upload, limits: .none)
            }
            _ = try log.pictures.store(unused, by: Self.upload(), limits: .none)
            _ = try log.pictures.keep([kept.id])
            let target = InMemoryPictures()
            #expect(try log.pictures.copy(to: target) == 2)
            #expect(try target.records(after: nil, limit: 10) == log.pictures.records(after: nil, limit: 10))
            #expect(try target.picture(kept.id) == kept)
            var count = 0
            #expect(try PictureAudit.findings(in: log.pictures, named: NamedPictures(), count: &count).isEmpty)
            #expect(count == 2)
        }
    }
}
