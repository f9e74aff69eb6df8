import Foundation

/// Inputs on their way to one reader. Unlike the iteration of an `AsyncStream`, reading does not end when the reader's task is cancelled:
/// a cancellation is an input like others. The senders are few and known, so it is not bounded.
///
/// `@unchecked Sendable`: all mutable state is only used while `lock` is held.
final class Mailbox<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var pending: [Element] = []
    private var reader: CheckedContinuation<Element, Never>?

    func put(_ element: Element) {
        let waiting = lock.withLock {
            guard let waiting = reader else {
                pending.append(element)
                return nil as CheckedContinuation<Element, Never>?
            }
            reader = nil
            return waiting
        }
        waiting?.resume(returning: element)
    }

    func next() async -> Element {
        await withCheckedContinuation { continuation in
            let element: Element? = lock.withLock {
                if !pending.isEmpty { return pending.removeFirst() }
                reader = continuation
                return nil
            }
            if let element { continuation.resume(returning: element) }
        }
    }
}
