internal import ArgumentParser
internal import AuctionDomain
internal import StateMachines

/// `auction-room diagram`: prints the room's state machine.
struct Diagram: ParsableCommand {
    enum Notation: String, ExpressibleByArgument, CaseIterable {
        case mermaid
        case dot
    }

    static let configuration = CommandConfiguration(abstract: "Prints the state machine of a room.")

    @Option(help: "mermaid or dot.") var notation = Notation.mermaid

    func run() throws {
        let table = try RoomStates(RoomStates.product).table
        print(notation == .mermaid ? table.mermaid : table.dot, terminator: "")
    }
}
