import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

/// Pictures that events name, compared with those that are stored.
struct PictureAuditTests {
    private let pictures = (1...6).map { StoredPicture(type: "image/png", width: 1, height: 1, bytes: [UInt8($0)]) }

    /// A room whose item names the first picture, one lot the second and then the third, another lot the others and one elsewhere.
    private func room() throws -> (archive: ArchiveStub, lots: [LotID], item: ItemID) {
        var scenario = try Scenario.withMembers()
        func item(_ indices: Int..., and other: [String] = []) -> UploadItem {
            UploadItem(
                name: "Vase", description: "", media: indices.map { pictures[$0].id.path } + other, rules: scenario.rules())
        }
        try scenario.perform(.uploadItem(item(0)), by: scenario.auctioneer)
        let elsewhere = ["https://example.org/a.jpg"]
        for lot in [("A1", item(1)), ("A2", item(3, 4, and: elsewhere))] {
            try scenario.perform(.queueLot(QueueLot(item: lot.1, reference: lot.0)), by: scenario.auctioneer)
        }
        let lots = scenario.room.lots.lots().map(\.id)
        var changes = LotChanges()
        changes.media = [pictures[2].id.path]
        try scenario.perform(.changeLot(lots[0], changes), by: scenario.auctioneer)
        return (ArchiveStub(scenario.room.id, scenario.history), lots, try #require(scenario.room.item).id)
    }

    @Test func `a picture that an event names and the store lacks is found, with its room and lot`() throws {
        let (archive, lots, item) = try room()
        var named = NamedPictures()
        #expect(try LogAudit.findings(of: archive.room, in: archive, named: &named).isEmpty)
        #expect(Set(named.places.keys) == Set(pictures.prefix(5).map(\.id)))
        func findings(_ store: (any PictureStore)?, count expected: Int) throws -> Set<String> {
            var count = 0
            defer { #expect(count == expected) }
            return Set(try PictureAudit.findings(in: store, named: named, count: &count))
        }
        let places = [item.description] + [lots[0], lots[0], lots[1], lots[1]].map(\.description)
        func missing(_ index: Int) -> String {
            "\(archive.room): \(places[index]): names \(pictures[index].id.path), which is not stored"
        }
        #expect(try findings(nil, count: 0) == Set((0..<5).map(missing)))
        let store = InMemoryPictures()
        let upload = PictureUpload(room: archive.room, user: UserID(bits: 2), at: Samples.noon)
        for picture in pictures { _ = try store.store(picture, by: upload, limits: .none) }
        _ = try store.keep(pictures.map(\.id))
        #expect(try findings(store, count: 6) == [])
        _ = try store.remove(pictures[3].id, at: Samples.noon)
        #expect(try findings(store, count: 5) == [], "an operator wanted it so")
        let other = InMemoryPictures()
        for picture in pictures[1...] { _ = try other.store(picture, by: upload, limits: .none) }
        _ = try other.keep(pictures[2...].map(\.id))
        let notKept = "\(archive.room): \(lots[0]): names \(pictures[1].id.path), which will be deleted: it is not kept"
        #expect(try findings(other, count: 5) == [missing(0), notKept])
    }
}
