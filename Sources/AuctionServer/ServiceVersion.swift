/// Versions by Semantic Versioning; the article "Using the API" says what a change of each part means to clients.
package enum ServiceVersion {
    /// Of the program: code, options and stored data.
    package static let program = "1.0.0-dev"
    /// Of the contract, `info.version` of `openapi/openapi.yaml`.
    static let contract = "1.0.0"
}
