import ArgumentParser
import AuctionTestKit
import Foundation

@main
struct AuditEvents: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Audits the public events of rooms, and what clients received, with the simulator's auditor.",
        discussion: """
            Reads lines of JSON from standard input: those that `auction-room export` prints, and others (see EventAudit). Prints a line per \
            finding. Exit codes: 0 without findings, 1 with some, 65 if a line cannot be read.
            """)

    @Option(help: "A file that gets the state of each room after each of its events, a line each.") var states: String?

    func run() throws {
        var audit = EventAudit()
        let input = FileHandle.standardInput.readDataToEndOfFile()
        do {
            for line in input.split(separator: UInt8(ascii: "\n")) { try audit.take(Array(line)) }
        } catch {
            FileHandle.standardError.write(Data("audit-events: \(error)\n".utf8))
            throw ExitCode(65)
        }
        audit.finish()
        if let states {
            var lines = ""
            audit.forEachState { lines += $0 + "\n" }
            try Data(lines.utf8).write(to: URL(filePath: states))
        }
        for finding in audit.findings { print(finding) }
        if !audit.findings.isEmpty { throw ExitCode.failure }
    }
}
