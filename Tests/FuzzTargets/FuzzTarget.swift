/// Something that reads bytes of strangers. What is tried on it: that it never traps, and what else must hold of its results.
///
/// libFuzzer looks for inputs (`make fuzz`); what it found worth keeping is replayed by an ordinary test.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// The request's head: target, query, percent-encoding, header fields.
    case request
    /// A connection's raw bytes, from request to request.
    case connection
    case money
    case json
    /// Guests' tokens.
    case token
    /// A WebSocket's bytes, and the commands in its messages.
    case frames
    /// Stored events.
    case event

    /// Runs one input. Nil if everything holds, else what does not.
    public func finding(_ input: [UInt8]) -> String? {
        do throws(Broken) {
            switch self {
            case .request: try RequestTarget.run(input)
            case .connection: try ConnectionTarget.run(input)
            case .money: try MoneyTarget.run(input)
            case .json: try JSONTarget.run(input)
            case .token: try TokenTarget.run(input)
            case .frames: try FramesTarget.run(input)
            case .event: try EventTarget.run(input)
            }
            return nil
        } catch {
            return error.what
        }
    }
}

/// A property that an input breaks.
struct Broken: Error {
    let what: String
    init(_ what: String) { self.what = what }
}

func require(_ holds: Bool, _ what: @autoclosure () -> String) throws(Broken) {
    if !holds { throw Broken(what()) }
}
