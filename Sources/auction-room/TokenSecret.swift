internal import EventLog
internal import EventLogSQLite
internal import FoundationEssentials

/// The secret for signing tokens: created on first start, stored beside the data, readable by its owner only.
enum TokenSecret {
    private static let minimumBytes = 32

    /// Reads the secret; creates the file if it does not exist and `creating` is true.
    /// - Throws: `ConfigurationError` if the file cannot be read, or holds less than 32 bytes; `EventLogError` if it cannot be created.
    static func load(from path: String, creating: Bool) throws -> [UInt8] {
        if creating && !FileManager.default.fileExists(atPath: path) { try save(random(), to: path) }
        let secret = try contents(of: path, "the token secret").trimmingNewline
        guard secret.count >= minimumBytes else {
            throw ConfigurationError("the token secret \(path) has \(secret.count) bytes; at least \(minimumBytes) are needed")
        }
        return secret
    }

    /// 256 fresh random bits in hexadecimal.
    static func random() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return Array((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }.hexadecimal.utf8)
    }

    /// Writes a secret where `load` reads it.
    ///
    /// It is durable before a token is signed with it: tokens issued before a loss of power must stay valid.
    /// - Throws: if the directory or the file cannot be written.
    static func save(_ secret: [UInt8], to path: String) throws(EventLogError) {
        do throws(EventLogError) {
            try PrivateFile.replace(path, with: secret + [UInt8(ascii: "\n")])
        } catch {
            throw EventLogError(error.code, "the token secret \(path) cannot be written: \(error.message)")
        }
    }
}

extension [UInt8] {
    /// Without line ends after the last line.
    var trimmingNewline: [UInt8] {
        var bytes = self
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        return bytes
    }
}
