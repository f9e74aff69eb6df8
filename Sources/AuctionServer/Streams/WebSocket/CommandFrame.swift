internal import AuctionContract
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

/// A command that a client sends as a WebSocket frame, converted to the parts of the equivalent HTTP request.
struct CommandFrame {
    /// Method and path below the room's of each command; values in braces and of query parameters are members of the frame.
    private static let commands: [(type: String, method: HTTPMethod, tail: String)] = Operation.frames.map { operation in
        let query = operation.parameters.filter { $0.place == .query }.map { "?" + $0.name }.joined()
        let tail = operation.path.dropFirst("/v1/rooms/{id}".count) + query
        return (operation.name, HTTPMethod(rawValue: operation.method.rawValue), String(tail))
    }

    /// The client's identifier of the frame, repeated in its acknowledgement; 1 to 64 bytes.
    let id: String
    let method: HTTPMethod
    /// Path below the room's.
    let tail: String
    let query: String?
    let body: [UInt8]
    /// The Idempotency-Key; nil if absent.
    let key: String?
    /// Whether it is a bid, whose refusals have a receipt.
    var isBid: Bool { tail == "/bids" }

    /// - Parameter id: set as soon as it is parsed, so that an error can repeat it.
    init(_ bytes: [UInt8], limits: JSONLimits, id known: inout String?) throws(Problem) {
        let json: JSONValue
        var fields: JSONFields
        let type: String
        do throws(JSONError) {
            json = try JSONReader.read(bytes, limits: limits)
            fields = try JSONFields(json)
            id = try fields.string("id")
            guard (1...64).contains(id.utf8.count) else { throw fields.invalid("id", "must have 1 to 64 bytes") }
            known = id
            type = try fields.string("type")
            key = try fields.optionalString("key")
        } catch {
            throw Problem(error)
        }
        guard let command = Self.commands.first(where: { $0.type.hasSameBytes(as: type) }) else {
            let names = Self.commands.map(\.type).joined(separator: ", ")
            throw .malformed("\"type\" must be one of \(names).", "type 须为 \(names) 之一。", field: "type")
        }
        method = command.method
        var used = ["id", "type", "key"]
        let parts = command.tail.split(separator: "?", omittingEmptySubsequences: false)
        tail = try Self.fill(String(parts[0]), from: &fields, &used)
        query = try parts.count == 2 ? Self.parameter(String(parts[1]), from: &fields, &used) : nil
        // The route of a DELETE reads no body, which would report members that it does not know.
        if command.method == .delete { try fields.end() }
        guard case .object(let members) = json else { throw .malformed("A frame is an object.", "帧须为 JSON 对象。") }
        let rest = members.filter { member in !used.contains { $0.hasSameBytes(as: member.name) } }
        var writer = JSONWriter(reserving: rest.isEmpty ? 0 : bytes.count)
        if !rest.isEmpty { writer.value(.object(rest)) }
        body = writer.bytes
    }

    private static func fill(
        _ tail: String, from fields: inout JSONFields, _ used: inout [String]
    ) throws(Problem) -> String {
        var path = ""
        for segment in tail.split(separator: "/") {
            path += "/"
            guard segment.hasPrefix("{") else {
                path += segment
                continue
            }
            let name = String(segment.dropFirst().dropLast())
            used.append(name)
            path += try value(name, from: &fields)
        }
        return path
    }

    /// A value of a path: the number of a seat, or an id, which has no characters that a path would have to escape.
    private static func value(_ name: String, from fields: inout JSONFields) throws(Problem) -> String {
        let value: String
        do throws(JSONError) {
            value = try name == "seat" ? String(fields.int(name)) : fields.string(name)
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

    /// The query parameter of this name; nil if the frame lacks it: the route then reports what is missing.
    private static func parameter(
        _ name: String, from fields: inout JSONFields, _ used: inout [String]
    ) throws(Problem) -> String? {
        used.append(name)
        let value: String?
        do throws(JSONError) { value = try fields.optionalString(name) } catch { throw Problem(error) }
        return value.map { QueryItems.text(name, $0) }
    }
}
