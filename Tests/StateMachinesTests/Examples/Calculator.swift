import StateMachines

/// A pocket calculator: its states carry the typed numbers, and one function maps state and button to the next state.
enum Calculator: Hashable, Codable {
    case left(Digits)
    case leftOperator(Int, Operator)
    case leftOperatorRight(Int, Operator, Digits)
    case result(Int)
    case error

    enum Operator: Character, Hashable, CaseIterable {
        case plus = "+"
        case minus = "-"
        case times = "×"
        case divide = "÷"

        /// Nil if there is no result: a division by zero, or a number of more than eight digits.
        func callAsFunction(_ left: Int, _ right: Int) -> Int? {
            let (value, overflow) =
                switch self {
                case .plus: left.addingReportingOverflow(right)
                case .minus: left.subtractingReportingOverflow(right)
                case .times: left.multipliedReportingOverflow(by: right)
                case .divide: left.dividedReportingOverflow(by: right)
                }
            return overflow || value.magnitude > Digits.largest ? nil : value
        }
    }

    enum Button: Hashable {
        case digit(Int)
        case operation(Operator)
        case equals
        case clear
    }

    /// Why a button is refused.
    enum Refusal: Error, Hashable {
        case displayFull
        case notADigit(Int)
        case onlyClear
    }

    static let cleared = Calculator.left(Digits())

    /// Text on the display.
    var display: String {
        switch self {
        case .left(let digits), .leftOperatorRight(_, _, let digits): "\(digits.value)"
        case .leftOperator(let value, _), .result(let value): "\(value)"
        case .error: "E"
        }
    }
}

extension Calculator.Operator: Codable {}
extension Calculator.Button: Codable {}

/// A number being typed.
struct Digits: Hashable, Codable {
    /// The largest number that the display shows: eight digits.
    static let largest = 99_999_999
    var value = 0

    func typing(_ digit: Int) throws(Calculator.Refusal) -> Digits {
        guard 0...9 ~= digit else { throw .notADigit(digit) }
        guard value <= (Self.largest - digit) / 10 else { throw .displayFull }
        return Digits(value: value * 10 + digit)
    }
}
