import EventLog
import Foundation

/// Headers of a stored response as one JSON text: `[{"name":…,"value":…}]`; empty if there are none, which is the usual case.
enum StoredHeaders {
    static func encode(_ headers: [ResponseHeader]) -> [UInt8] {
        // Encoding two strings per header cannot fail.
        headers.isEmpty ? [] : ((try? JSONEncoder().encode(headers)).map { [UInt8]($0) } ?? [])
    }

    static func decode(_ bytes: [UInt8]) throws(SessionFailure) -> [ResponseHeader] {
        if bytes.isEmpty { return [] }
        do {
            return try JSONDecoder().decode([ResponseHeader].self, from: Data(bytes))
        } catch {
            throw SessionFailure(
                kind: .unreadable, message: "a response's headers are \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
