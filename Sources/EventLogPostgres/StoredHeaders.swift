import EventLog
import Foundation

/// Headers as one JSON text: `[{"name":…,"value":…}]`; empty for none, which is most answers.
enum StoredHeaders {
    static func encode(_ headers: [AnswerHeader]) -> [UInt8] {
        // Two texts a header: there is nothing in it that could fail.
        headers.isEmpty ? [] : ((try? JSONEncoder().encode(headers)).map { [UInt8]($0) } ?? [])
    }

    static func decode(_ bytes: [UInt8]) throws(SessionFailure) -> [AnswerHeader] {
        if bytes.isEmpty { return [] }
        do {
            return try JSONDecoder().decode([AnswerHeader].self, from: Data(bytes))
        } catch {
            throw SessionFailure(
                kind: .unreadable, message: "an answer's headers are \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
