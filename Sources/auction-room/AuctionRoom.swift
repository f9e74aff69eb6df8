internal import ArgumentParser

/// The program and its subcommands.
@main
struct AuctionRoom: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auction-room",
        abstract: "Runs live auction rooms over HTTP.",
        subcommands: [
            Serve.self, Migrate.self, Copy.self, Export.self, Verify.self, Healthcheck.self, Diagram.self, Rules.self,
            PrintConfiguration.self,
        ])
}
