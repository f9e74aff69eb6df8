internal import ArgumentParser
internal import AuctionContract
internal import FoundationEssentials

/// `auction-room contract`: writes the contract's generated documents into `openapi/`; tests compare them.
struct WriteContract: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract", abstract: "Writes the generated documents of the contract.", shouldDisplay: false)

    @Option(name: .customLong("to"), help: "The folder that has components.yaml.")
    var folder: String

    func run() throws {
        let template = try String(contentsOfFile: folder + "/components.yaml", encoding: .utf8)
        for (name, text) in try ContractDocuments.all(template: template) {
            try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
        }
    }
}
