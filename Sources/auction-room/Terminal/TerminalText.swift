internal import AuctionClientCore

extension String {
    /// Without characters that a terminal would take as commands or that reorder the text around them.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
                    default: true
                    }
                }))
    }
}

extension Duration {
    /// Minutes and seconds, rounded up: `1:05`.
    var clock: String {
        let parts = components
        let seconds = max(0, parts.seconds + (parts.attoseconds > 0 ? 1 : 0))
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }
}

extension RoomEvent {
    /// Whether a view that shows the state as well can do without it.
    var isQuiet: Bool {
        switch body {
        case .countdownStarted, .countdownMoved, .drawCommitted, .drawRevealed, .unknown: true
        default: false
        }
    }

    /// A line for a log: number, and what happened.
    /// - Parameter total: of a sale, what the buyer pays with the premium; nil without one.
    func line(total: Money?) -> String { "\(seq) \(summary(total: total))".printable }

    /// How a terminal shows it.
    var style: TerminalStyle {
        switch body {
        case .bidPlaced: .good
        case .itemSold, .itemPassed: .strong
        case .messageSent: .plain
        default: .faint
        }
    }

    /// The event as the service sent it, but for the order of members.
    var json: String {
        JSONValue.object([
            "seq": .number(String(seq)), "type": .string(type.rawValue), "at": .string(at.rfc3339),
            "round": .number(String(round)),
            "data": data,
        ]).text
    }
}

/// How a line looks on a terminal with colours.
enum TerminalStyle: String {
    case plain = ""
    case strong = "1"
    case faint = "2"
    case good = "32"
    case alarm = "1;31"

    /// The text, which has no control characters, in this style.
    func applied(to text: String) -> String { self == .plain ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
