import ExactJSON
import Foundation
import HTTPContract
import Synchronization

/// Writes every response that a test checks against the contract to the file that `AUCTION_ROOM_RECORDED_RESPONSES` names, a JSON
/// object per line; `Tests/scripts/test-generated-clients.sh` has generated clients parse them. Does nothing without that variable.
final class ResponseRecorder: Sendable {
    static let shared = ResponseRecorder(path: ProcessInfo.processInfo.environment["AUCTION_ROOM_RECORDED_RESPONSES"])

    /// Nil: nothing is recorded.
    private let file: Mutex<FileHandle?>

    private init(path: String?) {
        let isMade = path.map { FileManager.default.createFile(atPath: $0, contents: nil) } ?? false
        file = Mutex(isMade ? path.flatMap { FileHandle(forWritingAtPath: $0) } : nil)
    }

    func record(_ request: HTTPRequest, _ response: HTTPResponse) throws {
        let isRecording = file.withLock { $0 != nil }
        guard isRecording, request.method != "HEAD",
            let operation = try Contract.shared.get().operation(request.method, request.path)
        else {
            return
        }
        let line = JSONValue.object([
            JSONMember(name: "operation", value: .string(operation.id)),
            JSONMember(name: "status", value: .number(String(response.status))),
            JSONMember(name: "type", value: .string(response.contentType ?? "")),
            JSONMember(name: "body", value: .string(response.bodyText)),
        ])
        try file.withLock { try $0?.write(contentsOf: Data((line.written + "\n").utf8)) }
    }
}
