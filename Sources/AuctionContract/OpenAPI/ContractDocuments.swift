internal import ExactJSON

/// The contract's documents, made from what this target says once and from what is written by hand.
package enum ContractDocuments {
    /// Every document, by its path from `openapi/`.
    /// - Parameter template: the text of the file of a name in `openapi/` that is written by hand.
    /// - Throws: `MissingPart`, or a `JSONError` for an example that is no JSON; what `template` throws.
    package static func all(template: (String) throws -> String) throws -> [(name: String, text: String)] {
        [
            ("openapi.yaml", try Template.filled(try template("components.yaml"), with: try openAPI())),
            ("asyncapi.yaml", try Template.filled(try template("streams.yaml"), with: try asyncAPI())),
            ("problem-codes.md", ProblemCodesPage.markdown),
            ("../Sources/Page/client/contract.d.ts", try TypeScriptTypes.document()),
            ("../Sources/Page/client/operations.js", try JavaScriptCommands.document()),
            ("../Sources/AuctionClientCore/Core/Commands/CommandKind.swift", try SwiftCommands.commandKinds()),
            ("../Sources/AuctionClientCore/Core/Values/RoomAction.swift", SwiftCommands.roomActions),
            ("../Sources/AuctionClientCore/Client/Rooms/AuctionRoom+Operations.swift", try SwiftCommands.methods()),
        ]
    }

    private static func openAPI() throws -> [String: JSONValue] {
        let responses = try ResponseObjects()
        return [
            "paths": try PathsDocument(responseObjects: responses).paths(of: Operation.all),
            "parameters": try SharedParameters.components(),
            "responses": try responses.components(),
            "schemas": try Schema.components(),
            "events": try EventSchema.components(),
        ]
    }

    private static func asyncAPI() throws -> [String: JSONValue] {
        let frames = FramesDocument()
        return [
            "references": frames.references, "operations": frames.operations, "messages": try frames.messages(),
            "schemas": try frames.schemas(),
        ]
    }
}
