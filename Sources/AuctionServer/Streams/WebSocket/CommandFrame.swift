internal import AuctionContract
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

/// A command that a client sends as a WebSocket frame: a request without a socket.
struct CommandFrame {
    /// How a command becomes a request: the members of a frame that its path and its query are made of.
    private struct Form {
        let type: String
        let method: HTTPMethod
        /// The segments below the room's path; a parameter begins with a brace.
        let segments: [(text: String, isParameter: Bool)]
        /// The parameter of the query; nil if there is none.
        let parameter: String?

        init(_ operation: Operation) {
            type = operation.name
            method = HTTPMethod(rawValue: operation.method.rawValue)
            segments = operation.path.dropFirst("/v1/rooms/{id}".count).split(separator: "/").map { segment in
                let isParameter = segment.hasPrefix("{")
                return (String(isParameter ? segment.dropFirst().dropLast() : segment), isParameter)
            }
            parameter = operation.parameters.first { $0.place == .query }?.name
        }
    }

    private static let forms = Operation.frames.map(Form.init)

    /// The client's identifier of the frame, repeated in its acknowledgement; 1 to 64 bytes.
    let id: String
    let method: HTTPMethod
    /// Path below the room's.
    let tail: String
    let query: String?
    /// The other members of the frame, which are those of the body.
    let content: FrameContent
    /// The Idempotency-Key; nil if absent.
    let key: String?
    /// Whether it is a bid, whose refusals have a receipt.
    var isBid: Bool { tail == "/bids" }

    /// - Parameter id: set as soon as it is parsed, so that an error can repeat it.
    init(_ bytes: [UInt8], limits: JSONLimits, id known: inout String?) throws(Problem) {
        var fields: JSONFields
        let type: String
        do throws(JSONError) {
            fields = try JSONFields(try JSONReader.read(bytes, limits: limits))
            id = try fields.string("id")
            guard (1...64).contains(id.utf8.count) else {
                throw fields.invalid("id", "must have 1 to 64 bytes", "须为 1 至 64 字节")
            }
            known = id
            type = try fields.string("type")
            key = try fields.optionalString("key")
        } catch {
            throw Problem(error)
        }
        guard let form = Self.forms.first(where: { $0.type.hasSameBytes(as: type) }) else {
            let names = Self.forms.map(\.type).joined(separator: ", ")
            throw .malformed("\"type\" must be one of \(names).", "type 须为 \(names) 之一。", field: "type")
        }
        method = form.method
        var tail = ""
        for segment in form.segments {
            tail += try "/" + (segment.isParameter ? Self.value(segment.text, from: &fields) : segment.text)
        }
        self.tail = tail
        do throws(JSONError) {
            // Without it the route reports what is missing.
            query = try form.parameter.flatMap { name throws(JSONError) in
                try fields.optionalString(name).map { QueryItems.text(name, $0) }
            }
        } catch {
            throw Problem(error)
        }
        // The route of a DELETE has none, and refuses them after what its path names.
        if form.method == .delete { try fields.end() }
        content = FrameContent(fields.members, receivedCount: bytes.count)
    }

    /// A value of a path: the number of a seat or of a round, or an id, which has no characters that a path would have to escape.
    private static func value(_ name: String, from fields: inout JSONFields) throws(Problem) -> String {
        let value: String
        do throws(JSONError) {
            value = try ["seat", "round"].contains(name) ? String(fields.int(name)) : fields.string(name)
        } catch {
            throw Problem(error)
        }
        // `members/me` is another route.
        guard !value.isEmpty, value != "me", !value.contains(".."),
            value.utf8.allSatisfy({ PercentEncoding.isAlphanumeric($0) || "_.-".utf8.contains($0) })
        else {
            throw .malformed("\"\(name)\" is no id.", "\(name) 不是有效的编号。", field: name)
        }
        return value
    }
}

/// The members of a frame's body, which are handed to the route as they were read.
final class FrameContent: ReadContent {
    let members: [JSONMember]
    let receivedCount: Int
    /// Written only where the bytes of a body count.
    private(set) lazy var bytes: [UInt8] = {
        guard !isEmpty else { return [] }
        var writer = JSONWriter(reserving: receivedCount)
        writer.value(.object(members))
        return writer.bytes
    }()

    init(_ members: [JSONMember], receivedCount: Int) { (self.members, self.receivedCount) = (members, receivedCount) }

    var isEmpty: Bool { members.isEmpty }
}
