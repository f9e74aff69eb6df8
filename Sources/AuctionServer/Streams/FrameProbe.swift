internal import ExactJSON
internal import MicroHTTP

/// Clients' frames without a socket: what fuzzing feeds.
package enum FrameProbe {
    /// The request that a frame stands for: its method, path below the room, and body; nil if it stands for none.
    package static func request(in frame: [UInt8]) -> (method: String, tail: String, body: [UInt8])? {
        var id: String?
        guard let command = try? CommandFrame(frame, limits: JSONLimits(), id: &id) else { return nil }
        return (command.method.rawValue, command.tail, command.body)
    }
}
