internal import ArgumentParser
internal import AuctionContract
internal import EventLog
internal import FoundationEssentials

/// `auction-room contract`: writes the contract's generated documents into `openapi/`; tests compare them.
struct WriteContract: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract", abstract: "Writes the generated documents of the contract.", shouldDisplay: false)

    @Option(name: .customLong("to"), help: "The folder that has components.yaml.")
    var folder: String

    func run() throws {
        let documents = try ContractDocuments.all(events: EventExamples.kinds()) {
            try String(contentsOfFile: folder + "/" + $0, encoding: .utf8)
        }
        for (name, text) in documents {
            try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
        }
    }
}
