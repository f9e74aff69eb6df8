internal import ArgumentParser

/// `auction-room bench …`: measures parts of the service on this machine.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures parts of the service on this machine.",
        subcommands: [BenchAppend.self, BenchDecide.self, BenchStream.self])
}
