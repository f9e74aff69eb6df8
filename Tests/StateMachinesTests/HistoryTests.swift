import Foundation
import StateMachines
import Testing

struct HistoryTests {
    /// Adds the input, returns the sum as an effect, and refuses zero.
    private let adder = PureMachine<Int, Int, String, AddsNothing> { (sum, number) throws(AddsNothing) in
        if number == 0 { throw AddsNothing() }
        return (sum + number, ["\(sum + number)"])
    }

    private struct AddsNothing: Error {}

    @Test func `performing an input returns the effects of the machine`() throws {
        var history = History<Int, Int>(1)
        #expect(try history.perform(2, by: adder) == ["3"])
    }

    @Test func `a machine that never refuses is called without try`() {
        let sum = PureMachine<Int, Int, Never, Never> { $0 + $1 }
        #expect(sum.replay(1...4, from: 0) == 10)
    }

    @Test func `a refused input leaves the history unchanged`() throws {
        var history = History<Int, Int>(1)
        try history.perform(2, by: adder)
        history.undo()
        let before = history
        #expect(throws: AddsNothing.self) { try history.perform(0, by: adder) }
        #expect(history == before)
        #expect(history.canRedo)
    }

    @Test func `a new history has nothing to undo or redo`() {
        var history = History<Int, Int>(1)
        #expect(history.undo() == nil)
        #expect(history.redo() == nil)
        #expect(history.origin == 1)
    }

    @Test func `a full history drops the oldest inputs`() throws {
        var history = History<Int, Int>(0, limit: 3)
        for number in 1...5 { try history.perform(number, by: adder) }
        #expect(history.inputs == [3, 4, 5])
        #expect(history.origin == 3)
        #expect(try adder.replay(history.inputs, from: history.origin) == 15)
        while history.canUndo { history.undo() }
        #expect(history.state == 3)
    }

    @Test(arguments: [0, -1, Int.min])
    func `a history without a place for inputs performs them and undoes none`(_ limit: Int) throws {
        var history = History<Int, Int>(1, limit: limit)
        try history.perform(2, by: adder)
        #expect(history.state == 3 && !history.canUndo)
    }

    @Test func `a history survives encoding and decoding`() throws {
        var history = History<Int, Int>(0)
        for number in 1...3 { try history.perform(number, by: adder) }
        history.undo()
        let data = try JSONEncoder().encode(history)
        #expect(try JSONDecoder().decode(History<Int, Int>.self, from: data) == history)
    }
}
