internal import ArgumentParser
internal import FoundationEssentials

/// The one declaration of a setting: its option of `serve` and its variable, its default, bounds and text, and where its value goes.
/// `--help`, error texts and `docker/CONFIGURATION.md` are made from it.
struct ServeOption: Sendable {
    /// Where a value is kept.
    typealias Place<Value> = any WritableKeyPath<Settings, Value> & Sendable

    /// The option without its dashes, such as `limit-body-bytes`.
    let name: String
    /// What it means, in whole sentences.
    let text: String
    /// The default, as operators read it.
    let fallback: String
    /// The possible values, as operators read them; empty if the text says it all.
    let bounds: String
    /// What a value must be, for error texts.
    var expected: String
    /// Sets the value from its text; false if that is not a possible value.
    var set: @Sendable (inout Settings, String) -> Bool
    /// Sets a default that depends on other settings, which are declared before.
    var setDefault: @Sendable (inout Settings) -> Void = { _ in }
    /// Whether the option may be given several times: the texts are then joined with spaces, as a variable has them.
    var isRepeatable = false
    /// Whether a value may contain a password, so that error texts do not quote it.
    var isSecret = false
    /// The number in force, for `auction-room configuration --values`; nil for other values.
    var inForce: (@Sendable (Settings) -> String)?
    /// The text of `serve --help`, for the options that most operators set; nil: only `serve --help-all` has it.
    var brief: String?

    /// The option as one of those in `serve --help`.
    /// - Parameter brief: nil: the whole text.
    func common(_ brief: String? = nil) -> ServeOption {
        var option = self
        option.brief = brief ?? text
        return option
    }

    /// The environment variable, such as `AUCTION_ROOM_LIMIT_BODY_BYTES`.
    var variable: String { "AUCTION_ROOM_" + name.uppercased().replacing("-", with: "_") }

    /// The row of `docker/CONFIGURATION.md`.
    var row: String { "| `\(variable)` | `\(fallback)` | \(bounds)\(bounds.isEmpty ? "" : " ")| \(text) |" }

    /// The text with bounds, default and variable.
    private func full(_ text: String) -> String {
        "\(text)\(bounds.isEmpty ? "" : " [\(bounds)]") (default: \(fallback); \(variable))"
    }

    /// The help of another command that has the option.
    func help(_ text: String) -> ArgumentHelp { ArgumentHelp("\(full(text))") }

    /// The help of `serve --help`.
    var help: ArgumentHelp {
        ArgumentHelp(
            "\(brief.map { "\($0) (default: \(fallback))" } ?? full(text))", visibility: brief == nil ? .hidden : .default)
    }

    /// The lines of `serve --help-all`.
    var entry: String {
        var lines = ["  --\(name) <\(name)>", "     "]
        for word in full(text).split(separator: " ") {
            if lines[lines.count - 1].count + word.count > 79 { lines.append("     ") }
            lines[lines.count - 1] += " \(word)"
        }
        return lines.joined(separator: "\n")
    }

    /// Sets the value: the option's if it was given, else the variable's, else the default.
    /// - Throws: `ConfigurationError` with the option or variable, its value unless it is secret, and the possible values.
    func apply(_ given: String?, to settings: inout Settings) throws(ConfigurationError) {
        let value = given ?? ProcessInfo.processInfo.environment[variable] ?? ""
        guard given != nil || !value.isEmpty else { return setDefault(&settings) }
        guard set(&settings, value) else {
            let quoted = isSecret ? "" : ", not \"\(value)\""
            throw ConfigurationError("\(given == nil ? variable : "--\(name)") must be \(expected)\(quoted)")
        }
    }

    /// - Throws: `ConfigurationError` that names option and variable, unless the condition holds.
    func check(_ condition: Bool, _ problem: String) throws(ConfigurationError) {
        guard condition else { throw ConfigurationError("--\(name) (\(variable)) \(problem)") }
    }
}

extension ServeOption {
    /// - Parameter parse: nil if the text is not a possible value.
    static func value<Value>(
        _ name: String, _ place: Place<Value>, default fallback: String, bounds: String = "", expected: String,
        _ text: String, parse: @escaping @Sendable (String) -> Value?
    ) -> ServeOption {
        ServeOption(name: name, text: text, fallback: fallback, bounds: bounds, expected: expected) { settings, value in
            guard let value = parse(value) else { return false }
            settings[keyPath: place] = value
            return true
        }
    }

    /// A whole number.
    /// - Parameters:
    ///   - fallback: the default as operators read it; nil: the number that `Settings` has.
    ///   - derived: a default that depends on other settings.
    static func number<Number: Numeric & Sendable>(
        _ name: String, _ place: Place<Number>, _ range: ClosedRange<Int>, default fallback: String? = nil, _ text: String,
        derived: (@Sendable (Settings) -> Number)? = nil
    ) -> ServeOption {
        var option = value(
            name, place, default: fallback ?? whole(Settings()[keyPath: place]),
            bounds: "\(grouped(range.lowerBound)) to \(grouped(range.upperBound))",
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound)", text
        ) { Int($0).flatMap { range.contains($0) ? Number(exactly: $0) : nil } }
        if let derived { option.setDefault = { $0[keyPath: place] = derived($0) } }
        option.inForce = { whole($0[keyPath: place]) }
        return option
    }

    /// Bytes: a whole number, or one with K, M, G or T for powers of 1,024.
    static func bytes(
        _ name: String, _ place: Place<Int>, _ range: ClosedRange<Int>, default fallback: String, _ text: String,
        derived: @escaping @Sendable (Settings) -> Int
    ) -> ServeOption {
        var option = number(name, place, range, default: fallback, text, derived: derived)
        let setNumber = option.set
        option.set = { settings, value in
            guard let power = ["K", "M", "G", "T"].firstIndex(of: value.suffix(1)) else { return setNumber(&settings, value) }
            let (bytes, isTooLarge) = (Int(value.dropLast()) ?? -1).multipliedReportingOverflow(by: 1 << (10 * (power + 1)))
            return !isTooLarge && setNumber(&settings, String(bytes))
        }
        option.expected += ", or such as 512M or 2G"
        return option
    }

    /// A text that is not empty: a name or a path.
    static func text(
        _ name: String, _ place: Place<String>, default fallback: String? = nil, bounds: String = "", _ text: String
    ) -> ServeOption {
        value(
            name, place, default: fallback ?? Settings()[keyPath: place], bounds: bounds, expected: "a text that is not empty",
            text
        ) { $0.isEmpty ? nil : $0 }
    }

    /// One of a few words.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ place: Place<Choice>, _ text: String
    ) -> ServeOption {
        let words = Choice.allCases.map(\.rawValue)
        return value(
            name, place, default: Settings()[keyPath: place].rawValue, bounds: words.joined(separator: ", "),
            expected: words.dropLast().joined(separator: ", ") + " or " + (words.last ?? ""), text,
            parse: Choice.init(rawValue:))
    }

    /// A list with commas between its elements; spaces are ignored.
    /// - Parameter parse: nil if the text is not a possible element.
    static func list<Element>(
        _ name: String, _ place: Place<[Element]>, bounds: String, expected: String, _ text: String,
        parse: @escaping @Sendable (String) -> Element?
    ) -> ServeOption {
        value(name, place, default: "none", bounds: bounds, expected: "\(expected), with commas between", text) { value in
            let parts = value.split(separator: ",")
            let elements = parts.compactMap { parse($0.filter { $0 != " " }) }
            return elements.count == parts.count ? elements : nil
        }
    }

    /// A number without the fraction of seconds: "10" of 10.0.
    static func whole(_ number: some Numeric) -> String { String("\(number)".prefix { $0 != "." }) }

    /// 16777216 as "16,777,216".
    private static func grouped(_ number: Int) -> String {
        var digits = String(number)
        for place in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
        }
        return digits
    }
}
