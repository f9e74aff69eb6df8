import StateMachines

/// A pocket calculator: states that carry what was typed, and one function from state and button to state.
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

        /// Nil where there is no result: a division by zero, or more than the display takes.
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

    /// Why a button does nothing.
    enum Refusal: Error, Hashable {
        case displayFull
        case notADigit(Int)
        case onlyClear
    }

    static let cleared = Calculator.left(Digits())

    /// What the display shows.
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

/// A number while it is typed.
struct Digits: Hashable, Codable {
    /// Eight digits: what the display takes.
    static let largest = 99_999_999
    var value = 0

    func typing(_ digit: Int) throws(Calculator.Refusal) -> Digits {
        guard 0...9 ~= digit else { throw .notADigit(digit) }
        guard value <= (Self.largest - digit) / 10 else { throw .displayFull }
        return Digits(value: value * 10 + digit)
    }
}
