internal import Synchronization

/// Counters that any thread may read: an addition is one relaxed atomic instruction, without a lock or an allocation.
///
/// `@unchecked Sendable`: the pointer never changes, and it points to atomics that live as long as the block.
@safe
final class CounterBlock: @unchecked Sendable {
    let count: Int
    private let cells: UnsafeMutablePointer<Atomic<Int64>>

    init(count: Int) {
        self.count = count
        unsafe cells = .allocate(capacity: count)
        // SAFETY: each cell of the new allocation is initialised once.
        for index in 0..<count { unsafe (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        // SAFETY: no reference to the block is left, and every cell was initialised.
        unsafe cells.deinitialize(count: count)
        unsafe cells.deallocate()
    }

    /// Adds to a counter; has no effect if the index is out of bounds.
    func add(_ amount: Int64 = 1, to index: Int) {
        guard index >= 0, index < count else { return }
        // SAFETY: the index was checked above.
        unsafe cells[index].wrappingAdd(amount, ordering: .relaxed)
    }

    subscript(index: Int) -> Int64 {
        precondition(index >= 0 && index < count, "a counter of this block")  // proven: the program's own
        // SAFETY: the index was checked above.
        return unsafe cells[index].load(ordering: .relaxed)
    }
}

extension Sequence<CounterBlock> {
    /// Sum of one counter over blocks of the same layout.
    func sum(_ index: Int) -> Int64 { reduce(0) { $0 + $1[index] } }
}
