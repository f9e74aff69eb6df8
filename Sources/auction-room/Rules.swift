internal import ArgumentParser
internal import AuctionDomain

/// `auction-room rules`: the permission rules as the code has them.
struct Rules: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Prints the permission rules of a room as Markdown.")

    func run() throws {
        print(RulesDocument.markdown(of: try RoomRulebook.product()), terminator: "")
    }
}
