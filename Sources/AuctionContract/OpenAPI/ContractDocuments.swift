internal import ExactJSON

/// The contract's documents, made from the operations and from what is written by hand.
package enum ContractDocuments {
    /// Every document, by its name in `openapi/`.
    /// - Parameter template: `openapi/components.yaml`.
    /// - Throws: `MissingPart`, or a `JSONError` for an example that is no JSON.
    package static func all(template: String) throws -> [(name: String, text: String)] {
        [("openapi.yaml", try openAPI(template: template))]
    }

    private static func openAPI(template: String) throws -> String {
        let parts: [String: JSONValue] = [
            "paths": try PathsDocument().paths(of: Operation.all),
            "parameters": try SharedParameters.components(),
        ]
        return try Template.filled(template, with: parts)
    }
}
