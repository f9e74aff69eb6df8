internal import ArgumentParser
internal import AuctionServer

/// The program and its subcommands.
@main
struct Program: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auction-room",
        abstract: "Runs live auction rooms over HTTP.",
        version: ServiceVersion.current,
        subcommands: [
            Serve.self, Migrate.self, Copy.self, Backup.self, Restore.self, Export.self, Verify.self, Pictures.self,
            Prune.self, Healthcheck.self,
            Diagram.self, Rules.self, PrintConfiguration.self, WriteContract.self, Watch.self, PlaceBidCommand.self, Demo.self,
        ])

    static func main() {
        StandardStreams.reserve()
        main(nil)
        // Not reached after an error, whose exit code says more.
        StandardStreams.requireOutput()
    }
}
