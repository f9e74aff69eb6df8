// What ThreadSanitizer makes of Swift's Mutex on Linux, and that the suppression in thread.txt hides nothing else:
// `mutex` counts under one from four threads, correctly, and is reported without the suppression; `race` counts without one and has
// to be reported with it.
import Glibc
import Synchronization

final class Counter: @unchecked Sendable {
    let guarded = Mutex<Int>(0)
    var bare = 0
}

enum Failure: Error { case never }

extension Counter {
    /// As the program has it: with a typed error.
    func add(_ amount: Int) throws(Failure) {
        try guarded.withLock { value throws(Failure) in
            guard amount > 0 else { throw .never }
            value += amount
        }
    }
}

let counter = Counter()
let turns = 200_000
let isRace = CommandLine.arguments.contains("race")

func start() -> pthread_t {
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { _ in
            for _ in 0..<turns {
                if isRace { counter.bare += 1 } else { try! counter.add(1) }
            }
            return nil
        }, nil)
    return thread
}

let threads = (0..<4).map { _ in start() }
for thread in threads { pthread_join(thread, nil) }
guard isRace || counter.guarded.withLock({ $0 }) == turns * threads.count else { fatalError("a Mutex lost counts") }
