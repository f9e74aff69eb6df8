/// The one place of the version, by Semantic Versioning; the article "Using the API" says what a change of each part means to clients.
package enum ServiceVersion {
    /// The version of the program, its options and stored data, the contract, the Debian package and the image.
    package static let current = "1.0.0"
}
