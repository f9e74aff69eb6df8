internal import Synchronization

/// A queue from any thread to one consumer, which takes all waiting values at once, in order.
final class Mailbox<Element: Sendable>: Sendable {
    private let waiting = Mutex<[Element]>([])
    private let signal = MonotonicSemaphore()

    func post(_ element: Element) { post(CollectionOfOne(element)) }

    func post(_ elements: some Collection<Element>) {
        // Only the first value wakes the consumer; for later ones it is awake or about to be.
        let wakes = waiting.withLock { waiting in
            let wakes = waiting.isEmpty
            waiting.append(contentsOf: elements)
            return wakes && !waiting.isEmpty
        }
        if wakes { signal.signal() }
    }

    /// Removes and returns all waiting values, after waiting for at least one; empty after the timeout.
    /// - Parameter milliseconds: The timeout; nil: none.
    func take(within milliseconds: Int? = nil) -> [Element] {
        while true {
            let taken = takeAll()
            guard taken.isEmpty else { return taken }
            if !signal.wait(milliseconds: milliseconds) { return takeAll() }
        }
    }

    var count: Int { waiting.withLock { $0.count } }

    var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

    /// Removes and returns all waiting values, without waiting.
    func takeAll() -> [Element] {
        waiting.withLock { waiting in
            var taken: [Element] = []
            swap(&taken, &waiting)
            return taken
        }
    }
}
