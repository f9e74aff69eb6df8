/// The one place of the version, by Semantic Versioning; the article "Using the API" says what a change of each part means to clients.
package enum ServiceVersion {
    /// Of the program with its options and stored data, of the contract, of the Debian package and the image.
    package static let current = "1.0.0"
}
