internal import ArgumentParser
internal import AuctionDomain

/// `auction-room rules`: prints the permission rules.
struct Rules: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Prints the permission rules of a room as Markdown.")

    func run() throws {
        print(RulesDocument.markdown(of: try RoomRulebook.product()), terminator: "")
    }
}
