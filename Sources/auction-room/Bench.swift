internal import ArgumentParser

/// `auction-room bench …`: what parts of the service cost on this machine.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures parts of the service on this machine.",
        subcommands: [BenchAppend.self, BenchDecide.self, BenchStream.self])
}
