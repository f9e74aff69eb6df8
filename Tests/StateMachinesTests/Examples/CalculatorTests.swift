import StateMachines
import Testing

struct CalculatorTests {
    private let machine = Calculator.machine

    private func display(after keys: String) throws -> String {
        try machine.replay(keys.map(button), from: .cleared).display
    }

    private func button(_ key: Character) -> Calculator.Button {
        switch key {
        case "=": .equals
        case "C": .clear
        default:
            if let operation = Calculator.Operator(rawValue: key) {
                .operation(operation)
            } else {
                .digit(key.wholeNumberValue ?? -1)
            }
        }
    }

    @Test(arguments: [
        ("12+30=", "42"), ("2+3×4=", "20"), ("7-9=", "-2"), ("8÷2=", "4"), ("5=+1=", "6"), ("5+-3=", "2"), ("1÷0=", "E"),
        ("1÷0=C7", "7"), ("9=3", "3"), ("99999999×2=", "E"), ("4×", "4"), ("6×7", "7"),
    ])
    func `a sequence of buttons gives the expected display`(keys: String, display expected: String) throws {
        #expect(try display(after: keys) == expected)
    }

    @Test func `a refused button throws the reason`() {
        #expect(throws: Calculator.Refusal.onlyClear) { try machine.replay("1÷0=5".map(button), from: .cleared) }
        #expect(throws: Calculator.Refusal.displayFull) { try machine.replay("123456789".map(button), from: .cleared) }
        #expect(throws: Calculator.Refusal.notADigit(-1)) { try machine.next(.cleared, .digit(-1)) }
    }

    @Test func `buttons can be undone and redone`() throws {
        var history = History<Calculator, Calculator.Button>(.cleared)
        for key in "12+3" { try history.perform(button(key), by: machine) }
        #expect(history.state == .leftOperatorRight(12, .plus, Digits(value: 3)))
        #expect(history.undo() == .digit(3))
        #expect(history.undo() == .operation(.plus))
        #expect(history.state == .left(Digits(value: 12)))
        #expect(history.redo() == .operation(.plus))
        #expect(history.state == .leftOperator(12, .plus))
        #expect(history.canRedo)
        try history.perform(.digit(9), by: machine)
        #expect(!history.canRedo)
        #expect(history.state.display == "9")
    }

    @Test func `replaying the inputs of a history gives its current state`() throws {
        var history = History<Calculator, Calculator.Button>(.cleared)
        for key in "8÷2=×5" { try history.perform(button(key), by: machine) }
        history.undo()
        #expect(try machine.replay(history.inputs, from: history.origin) == history.state)
    }
}
