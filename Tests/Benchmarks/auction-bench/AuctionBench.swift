internal import ArgumentParser

/// `auction-bench`: measures parts of the service on this machine.
@main
struct AuctionBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auction-bench",
        abstract: "Measures parts of the service on this machine.",
        subcommands: [BenchAppend.self, BenchDecide.self, BenchFill.self, BenchStream.self])
}
