internal import OutboundHTTP

/// LiveKit's JavaScript client, which the web page loads to join the sound of rooms.
package struct VoiceClient: Hashable, Sendable {
    /// The characters of each digest in Base64, padded, by the name of the algorithm (Subresource Integrity).
    private static let digests = ["sha256": 44, "sha384": 64, "sha512": 88]

    /// Of the script, without a fragment.
    let url: String
    /// The algorithm and digest of the script: browsers run no other.
    let integrity: String
    /// Scheme, host and port of the script.
    let origin: String

    /// Reads `URL#sha384-DIGEST`; nil for anything else, and for a URL that is neither encrypted nor this machine's.
    package init?(option text: String) {
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isDigest(parts[1]) else { return nil }
        let url = String(parts[0])
        // A policy's parts end at these.
        guard !url.contains(";"), !url.contains(","), let read = try? AddressPolicy.operatorsSystems.check(url) else {
            return nil
        }
        (self.url, integrity, origin) = (url, String(parts[1]), read.origin)
    }

    private static func isDigest(_ text: Substring) -> Bool {
        guard let dash = text.firstIndex(of: "-"), let count = digests[String(text[..<dash])] else { return false }
        let digest = text[dash...].dropFirst()
        let padding = digest.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return digest.utf8.count == count && padding < 3
            && digest.utf8.dropLast(padding).allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }
}
