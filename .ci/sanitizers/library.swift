// What ThreadSanitizer makes of Swift's standard library on Linux, with the annotations of library.c and the suppression of thread.txt
// and without. Four programs of four threads each, by argument: `counter` counts under a Mutex; `object` passes new objects through a
// Mutex and reads them after it; `empty` makes and reads empty arrays. These are correct, and reported without. `race` counts without
// a Mutex, which has to be reported with them.
import Glibc
import Synchronization

enum Failure: Error { case never }

/// Two fields, so that the reader sees what another thread wrote before it published the object.
final class Message: @unchecked Sendable {
    var number: Int
    var square: Int

    init(_ number: Int) {
        self.number = number
        square = number &* number
    }
}

final class Program: @unchecked Sendable {
    let counter = Mutex<Int>(0)
    let latest = Mutex<Message>(Message(0))
    var bare = 0

    func run(_ name: String) {
        for turn in 0..<turns {
            switch name {
            case "counter": try! add(1)
            case "object": pass(turn)
            case "empty": makeEmpty()
            default: bare += 1
            }
        }
    }

    /// As the service has it: with a typed error.
    private func add(_ amount: Int) throws(Failure) {
        try counter.withLock { value throws(Failure) in
            guard amount > 0 else { throw .never }
            value += amount
        }
    }

    private func makeEmpty() {
        let array = ContiguousArray<Int>(unsafeUninitializedCapacity: 0) { _, count in count = 0 }
        guard array.withUnsafeBufferPointer({ $0.count }) == 0 else { fatalError("an empty array has elements") }
    }

    private func pass(_ number: Int) {
        let mine = Message(number)
        let message = latest.withLock { value in
            let previous = value
            value = mine
            return previous
        }
        guard message.square == message.number &* message.number else { fatalError("an object was read before it was written") }
    }
}

let program = Program()
let turns = 200_000
let name = CommandLine.arguments.last ?? ""
let threads = (0..<4).map { _ in
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { _ in
            program.run(name)
            return nil
        }, nil)
    return thread
}
for thread in threads { pthread_join(thread, nil) }
guard name != "counter" || program.counter.withLock({ $0 }) == turns * threads.count else { fatalError("a Mutex lost counts") }
