internal import Synchronization

/// A row of counters that one thread writes and any thread reads: adding is one relaxed atomic instruction, without a lock and
/// without memory.
///
/// `@unchecked Sendable`: the pointer never changes, what it points at are atomics, and they live as long as the block.
@safe
final class CounterBlock: @unchecked Sendable {
    let count: Int
    private let cells: UnsafeMutablePointer<Atomic<Int64>>

    init(count: Int) {
        self.count = count
        unsafe cells = .allocate(capacity: count)
        // Safe: each of the cells that were just allocated is initialised once.
        for index in 0..<count { unsafe (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        // Safe: nobody has the block any more, and every cell was initialised.
        unsafe cells.deinitialize(count: count)
        unsafe cells.deallocate()
    }

    /// Adds to a counter; what is outside the block counts for nothing.
    func add(_ amount: Int64 = 1, to index: Int) {
        guard index >= 0, index < count else { return }
        // Safe: within the bounds that were just checked.
        unsafe cells[index].wrappingAdd(amount, ordering: .relaxed)
    }

    subscript(index: Int) -> Int64 {
        precondition(index >= 0 && index < count, "a counter of this block")  // proven: the program's own
        // Safe: within the bounds that were just checked.
        return unsafe cells[index].load(ordering: .relaxed)
    }
}

extension Sequence<CounterBlock> {
    /// The sum over blocks of one make.
    func sum(_ index: Int) -> Int64 { reduce(0) { $0 + $1[index] } }
}
