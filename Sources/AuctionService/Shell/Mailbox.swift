internal import Synchronization

/// Hands values from any thread to one: whoever takes gets all that came, in order.
final class Mailbox<Element: Sendable>: Sendable {
    private let waiting = Mutex<[Element]>([])
    private let signal = MonotonicSemaphore()

    func post(_ element: Element) { post(CollectionOfOne(element)) }

    func post(_ elements: some Collection<Element>) {
        // Only the first one wakes the taker; the rest find it awake or about to be.
        let wakes = waiting.withLock { waiting in
            let wakes = waiting.isEmpty
            waiting.append(contentsOf: elements)
            return wakes && !waiting.isEmpty
        }
        if wakes { signal.signal() }
    }

    /// All that has come; waits for something at most so long, so it may return nothing.
    /// - Parameter milliseconds: nil: for ever.
    func take(within milliseconds: Int? = nil) -> [Element] {
        while true {
            let taken = takeAll()
            guard taken.isEmpty else { return taken }
            if !signal.wait(milliseconds: milliseconds) { return takeAll() }
        }
    }

    var count: Int { waiting.withLock { $0.count } }

    var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

    /// All that has come, without waiting.
    func takeAll() -> [Element] {
        waiting.withLock { waiting in
            var taken: [Element] = []
            swap(&taken, &waiting)
            return taken
        }
    }
}
