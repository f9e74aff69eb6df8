internal import Synchronization

/// A queue from any thread to one consumer, which takes all waiting values at once, in order.
final class Mailbox<Element: Sendable>: Sendable {
    private let waiting = Mutex<[Element]>([])
    private let signal = MonotonicSemaphore()

    func post(_ element: Element) { post(CollectionOfOne(element)) }

    func post(_ elements: some Collection<Element>) { if enqueue(elements) { wake() } }

    /// Adds values without waking the consumer.
    /// - Returns: Whether they are the first, so that the caller has to wake the consumer or to take them itself. For later values the
    ///   consumer is awake or about to be.
    func enqueue(_ elements: some Collection<Element>) -> Bool {
        waiting.withLock { waiting in
            let isFirst = waiting.isEmpty
            waiting.append(contentsOf: elements)
            return isFirst && !waiting.isEmpty
        }
    }

    /// Wakes the consumer.
    func wake() { signal.signal() }

    /// Waits until values may be waiting; at most for the timeout.
    /// - Parameter milliseconds: The timeout; nil: none.
    /// - Returns: False after the timeout.
    func wait(within milliseconds: Int?) -> Bool {
        if isEmpty { return signal.wait(milliseconds: milliseconds) }
        // Takes the signal of what is waiting, or it would cause a vain turn later.
        signal.wait(milliseconds: 0)
        return true
    }

    /// Removes and returns all waiting values, after waiting for at least one.
    func take() -> [Element] {
        while true {
            let taken = takeAll()
            guard taken.isEmpty else { return taken }
            signal.wait(milliseconds: nil)
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
