/// A parser of untrusted bytes, with the properties that every input must satisfy; it must never trap.
///
/// libFuzzer searches for inputs (`make fuzz`); the inputs it keeps are replayed by an ordinary test.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// A request's head: target, query, percent-encoding, header fields.
    case request
    /// The raw bytes of a connection with any number of requests.
    case connection
    /// Decimal amounts of money.
    case money
    /// JSON documents.
    case json
    /// Signed guest tokens.
    case token
    /// A WebSocket's frames, and the commands in its messages.
    case frames
    /// Files of comma-separated values.
    case csv
    /// Events as stored in the log.
    case event
    /// Files that are uploaded as pictures.
    case picture

    /// Runs one input. Nil if every property holds, else a description of the broken one.
    package func finding(_ input: [UInt8]) -> String? {
        do throws(PropertyViolation) {
            switch self {
            case .request: try RequestTarget.run(input)
            case .connection: try ConnectionTarget.run(input)
            case .money: try MoneyTarget.run(input)
            case .json: try JSONTarget.run(input)
            case .token: try TokenTarget.run(input)
            case .frames: try FramesTarget.run(input)
            case .csv: try CSVTarget.run(input)
            case .event: try EventTarget.run(input)
            case .picture: try PictureTarget.run(input)
            }
            return nil
        } catch {
            return error.what
        }
    }
}

/// Thrown if an input breaks a property.
struct PropertyViolation: Error {
    let what: String
    init(_ what: String) { self.what = what }
}

func require(_ holds: Bool, _ what: @autoclosure () -> String) throws(PropertyViolation) {
    if !holds { throw PropertyViolation(what()) }
}
