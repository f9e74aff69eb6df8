internal import ExactJSON

/// The contract's documents, made from what this target says once and from what is written by hand.
package enum ContractDocuments {
    /// A member of an event's `data`, with its schema in the short form.
    package typealias EventMember = (name: String, schema: String, isOptional: Bool)
    /// A kind of event: its type, the public members of its data, and the public bytes of an example.
    package typealias EventKind = (type: String, members: [EventMember], example: [UInt8])

    /// Every document, by its path from `openapi/`.
    /// - Parameters:
    ///   - events: The kinds of events, as the code writes them.
    ///   - template: The text of the file of a name in `openapi/` that is written by hand.
    /// - Throws: `MissingPart`, or a `JSONError` for an example that is no JSON; what `template` throws.
    package static func all(
        events: [EventKind], template: (String) throws -> String
    ) throws -> [(name: String, text: String)] {
        [
            ("openapi.yaml", try Template.filled(try template("components.yaml"), with: try openAPI(events))),
            ("asyncapi.yaml", try Template.filled(try template("streams.yaml"), with: try asyncAPI())),
            ("problem-codes.md", ProblemCodesPage.markdown),
            ("../Sources/Page/client/contract.d.ts", try TypeScriptTypes.document()),
            ("../Sources/Page/client/operations.js", try JavaScriptCommands.document()),
            ("../Sources/AuctionClientCore/Core/Commands/CommandKind.swift", try SwiftCommands.commandKinds()),
            ("../Sources/AuctionClientCore/Core/Values/RoomAction.swift", SwiftCommands.roomActions),
            ("../Sources/AuctionClientCore/Client/Rooms/AuctionRoom+Operations.swift", try SwiftCommands.methods()),
        ]
    }

    private static func openAPI(_ events: [EventKind]) throws -> [String: JSONValue] {
        let responses = try ResponseObjects()
        return [
            "paths": try PathsDocument(responseObjects: responses).paths(of: Operation.all),
            "parameters": try SharedParameters.components(),
            "responses": try responses.components(),
            "schemas": try Schema.components(),
            "events": try EventSchema.components(of: events),
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
