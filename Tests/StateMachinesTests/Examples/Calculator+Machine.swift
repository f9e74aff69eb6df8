import StateMachines

extension Calculator {
    static let machine = PureMachine<Calculator, Button, Never, Refusal> { state, button throws(Refusal) in
        try state.pressing(button)
    }

    private func pressing(_ button: Button) throws(Refusal) -> Calculator {
        switch button {
        case .clear: .cleared
        case .digit(let digit): try typing(digit)
        case .operation(let operation): try applying(operation)
        case .equals: try finishing()
        }
    }

    private func typing(_ digit: Int) throws(Refusal) -> Calculator {
        switch self {
        case .left(let digits): .left(try digits.typing(digit))
        case .leftOperator(let left, let operation):
            .leftOperatorRight(left, operation, try Digits().typing(digit))
        case .leftOperatorRight(let left, let operation, let right):
            .leftOperatorRight(left, operation, try right.typing(digit))
        case .result: .left(try Digits().typing(digit))
        case .error: throw .onlyClear
        }
    }

    private func applying(_ next: Operator) throws(Refusal) -> Calculator {
        switch self {
        case .left(let digits): .leftOperator(digits.value, next)
        case .leftOperator(let left, _): .leftOperator(left, next)
        case .leftOperatorRight(let left, let operation, let right):
            operation(left, right.value).map { .leftOperator($0, next) } ?? .error
        case .result(let value): .leftOperator(value, next)
        case .error: throw .onlyClear
        }
    }

    private func finishing() throws(Refusal) -> Calculator {
        switch self {
        case .left(let digits): .result(digits.value)
        case .leftOperator(let left, _): .result(left)
        case .leftOperatorRight(let left, let operation, let right):
            operation(left, right.value).map { .result($0) } ?? .error
        case .result: self
        case .error: throw .onlyClear
        }
    }
}
