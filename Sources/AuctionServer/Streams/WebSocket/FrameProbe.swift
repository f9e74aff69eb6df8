internal import ExactJSON
internal import MicroHTTP

/// Parses clients' frames without a socket, for fuzzing.
package enum FrameProbe {
    /// The equivalent HTTP request of a frame: method, path below the room, and body; nil if the frame is invalid.
    package static func request(in frame: [UInt8]) -> (method: String, tail: String, body: [UInt8])? {
        var id: String?
        guard let command = try? CommandFrame(frame, limits: JSONLimits(), id: &id) else { return nil }
        return (command.method.rawValue, command.tail, command.content.bytes)
    }
}
