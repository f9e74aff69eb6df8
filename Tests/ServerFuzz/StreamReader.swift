import ExactJSON
import HTTPContract
import MicroHTTP

/// One open stream of a client: checks everything received over it against the contract.
final class StreamReader {
    let stream: DetachedStream
    let room: Int?
    let user: Int?
    private let contract: Contract
    private var buffer: [UInt8] = []
    /// The last seq seen; nil before the first one.
    private var seq: Int?
    /// The operations of the commands sent, by command id.
    var commands: [String: Contract.Operation?] = [:]

    init(_ stream: DetachedStream, room: Int?, user: Int?, _ contract: Contract) {
        self.stream = stream
        self.room = room
        self.user = user
        self.contract = contract
    }

    /// The bytes received since the last call, and their violations of the contract.
    func read(_ change: ([UInt8]) -> [UInt8] = { $0 }) -> (bytes: [UInt8], violations: [String]) {
        let bytes = change(stream.take())
        buffer += bytes
        return (bytes, stream.isWebSocket ? readFrames() : readBlocks())
    }

    private func readFrames() -> [String] {
        guard let frames = ClientFrames.take(from: &buffer) else {
            return ["the server sends a frame that a server must not send"]
        }
        return frames.flatMap { frame -> [String] in
            switch frame.opcode {
            case 1: message(frame.payload)
            case 8, 9, 10: frame.payload.count <= 125 ? [] : ["a control frame of \(frame.payload.count) bytes"]
            default: ["a frame of the kind \(frame.opcode)"]
            }
        }
    }

    private func message(_ bytes: [UInt8]) -> [String] {
        let json = HTTPResponse(status: 0, headers: [], body: bytes).json
        if json["ack"] != nil { return acknowledgement(json).map { "\($0) in \(json.written.prefix(300))" } }
        if json["notice"] != nil { return violations(json, "Notice") }
        return event(json, id: nil, type: nil)
    }

    private func acknowledgement(_ json: JSONValue) -> [String] {
        let id = json["ack"]?.text
        guard id != nil || json["ack"] == .null else { return ["an ack is \(json["ack"]?.written ?? "")"] }
        let operation = id.flatMap { commands[$0] } ?? nil
        let rest = (json.members ?? []).filter { $0.name != "ack" && $0.name != "status" && $0.name != "problem" }
        if let problem = json["problem"] {
            guard rest.isEmpty, json["status"] == nil, let status = problem.int("status") else {
                return ["an ack has a problem and more"]
            }
            if status == 500 { return ["an internal error"] }
            // A mutated frame may have another id than the command it was derived from.
            if let id, commands[id] == nil, problem["instance"] != nil { return [] }
            // A problem without an instance path is about the frame, before it was parsed as a command.
            return contract.violations(ofBody: problem, status: status, of: problem["instance"] == nil ? nil : operation)
        }
        if let id, commands[id] == nil { return [] }
        guard let status = json.int("status"), let operation else { return ["an ack without a command, a status or a problem"] }
        return contract.violations(ofBody: rest.isEmpty ? nil : .object(rest), status: status, of: operation)
    }

    private func readBlocks() -> [String] {
        var found: [String] = []
        while let end = buffer.indices.dropLast().first(where: { buffer[$0] == 10 && buffer[$0 + 1] == 10 }) {
            let block = String(decoding: buffer[..<end], as: UTF8.self)
            buffer.removeFirst(end + 2)
            found += read(block.split(separator: "\n").map { String($0) })
        }
        return found
    }

    private func read(_ lines: [String]) -> [String] {
        var (id, type, data): (Int?, String?, String?)
        for line in lines {
            if line.hasPrefix("id: ") { id = Int(line.dropFirst(4)) }
            if line.hasPrefix("event: ") { type = String(line.dropFirst(7)) }
            if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
        }
        guard let data else {
            if let id { seq = id }
            return []
        }
        let json = HTTPResponse(status: 0, headers: [], body: Array(data.utf8)).json
        if type == "notice" { return violations(json, "Notice") + (id == nil ? [] : ["a notice has an id"]) }
        return event(json, id: .some(id), type: type)
    }

    private func event(_ json: JSONValue, id: Int??, type: String?) -> [String] {
        var found = violations(json, "Event")
        let next = json.int("seq")
        if let seq, let next, next != seq + 1 { found.append("after the event \(seq) comes \(next)") }
        if let id, id != next { found.append("the event \(next ?? -1) has the id \(id ?? -1)") }
        if let type, type != json.text("type") { found.append("the event is called \(type)") }
        seq = next ?? seq
        return found
    }

    private func violations(_ json: JSONValue, _ schema: String) -> [String] {
        guard let schema = contract.component("schemas", schema) else { return ["the contract has no \(schema)"] }
        return contract.checker.violations(of: json, against: schema)
    }
}
