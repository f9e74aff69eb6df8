internal import ArgumentParser
internal import Foundation

/// A setting of the program: the option takes precedence over the environment variable, and that over the default.
struct Setting<Value> {
    let option: String
    let variable: String
    let fallback: Value
    let parse: (String) -> Value?
    let expected: String

    /// The option's value if it was given, else the variable's, else the default.
    /// - Throws: `ConfigurationError` with the option or variable, its value, and the expected values.
    func value(_ given: String?) throws(ConfigurationError) -> Value {
        let text = given ?? ProcessInfo.processInfo.environment[variable] ?? ""
        guard given != nil || !text.isEmpty else { return fallback }
        guard let value = parse(text) else {
            throw ConfigurationError("\(source(given)) must be \(expected), not \"\(text)\"")
        }
        return value
    }

    /// The option or variable that the value comes from, for error texts.
    func source(_ given: String?) -> String { given == nil ? variable : "--\(option)" }
}

extension Setting where Value == Int {
    static func int(_ option: String, _ range: ClosedRange<Int>, default fallback: Int) -> Setting {
        Setting(
            option: option, variable: variable(for: option), fallback: fallback,
            parse: { Int($0).flatMap { range.contains($0) ? $0 : nil } },
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
}

extension Setting where Value == String {
    static func text(_ option: String, default fallback: String) -> Setting {
        Setting(
            option: option, variable: variable(for: option), fallback: fallback, parse: { $0.isEmpty ? nil : $0 },
            expected: "a text")
    }
}

extension Setting {
    /// The environment variable of an option, such as `AUCTION_ROOM_LIMIT_BODY_BYTES` for `limit-body-bytes`.
    static func variable(for option: String) -> String {
        "AUCTION_ROOM_" + option.uppercased().replacing("-", with: "_")
    }
}

/// An invalid configuration; `description` is one line.
struct ConfigurationError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension ArgumentHelp {
    /// Help for an option, with its default and its variable.
    static func setting(_ option: String, _ text: String, default fallback: String) -> ArgumentHelp {
        ArgumentHelp("\(text) (default: \(fallback); \(Setting<String>.variable(for: option)))")
    }
}

extension ExitCode {
    /// EX_UNAVAILABLE: the address is taken, or the log is in use.
    static let unavailable = ExitCode(69)
    /// EX_IOERR: the log failed.
    static let ioError = ExitCode(74)
    /// EX_CONFIG: an option or variable is invalid.
    static let configuration = ExitCode(78)
}

/// Writes one line for the operator to standard error.
func complain(_ message: String) { FileHandle.standardError.write(Data("auction-room: \(message)\n".utf8)) }
