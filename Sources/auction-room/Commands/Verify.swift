internal import ArgumentParser
internal import AuctionDomain
internal import EventLog

/// `auction-room verify`: checks the integrity of a log.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Checks every room of a log: seq, hashes, snapshots, heads, that money is conserved; and every picture, stored or named by an item or lot.",
        discussion: """
            One line per finding, saying where; then a summary. Of a damaged file everything is checked that can be read. Exits 0 without findings, 1 with. Nothing is locked or written,
            so a server may run on the log meanwhile: what it adds after the start of the check is not read.
            """)

    @OptionGroup var options: ArchiveOptions

    func run() throws {
        try options.reading { if try Self.findings(in: $0) > 0 { throw ExitCode.failure } }
    }

    /// Prints a line per finding and a summary; returns the number of findings.
    static func findings(in archive: any LogArchive) throws -> Int {
        let rooms = try archive.allRooms()
        let damage = try archive.damage()
        for line in damage { print(line) }
        var (events, findings, named) = (0, damage.count, NamedPictures())
        for room in rooms {
            events = try events.addingSaturated(archive.record(of: room)?.lastSeq ?? 0)
            for finding in try LogAudit.findings(of: room, in: archive, named: &named) {
                print(finding)
                findings += 1
            }
        }
        var blocks = 0
        for line in try BlockAudit.findings(in: archive, count: &blocks) {
            print(line)
            findings += 1
        }
        var pictures = 0
        for line in try PictureAudit.findings(in: archive.storedPictures, named: named, count: &pictures) {
            print(line)
            findings += 1
        }
        let hasPictures = pictures + named.places.count > 0
        let pictureText = hasPictures ? ", \(pictures) pictures stored, \(named.places.count) named" : ""
        let blockText = blocks > 0 ? ", \(blocks) blocks of users" : ""
        print("\(rooms.count) rooms, \(events) events\(blockText)\(pictureText), \(findings) findings")
        return findings
    }
}
