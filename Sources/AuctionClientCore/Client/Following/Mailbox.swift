/// Inputs on their way to one reader. Unlike the iteration of an `AsyncStream`, reading does not end when the reader's task is cancelled:
/// a cancellation is an input like others. The senders are few and known, so it is not bounded.
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var pending: [Element] = []
        var reader: CheckedContinuation<Element, Never>?
    }

    private let state = Locked(State())

    func put(_ element: Element) {
        let waiting = state.withLock { state in
            if state.reader == nil { state.pending.append(element) }
            defer { state.reader = nil }
            return state.reader
        }
        waiting?.resume(returning: element)
    }

    func next() async -> Element {
        await withCheckedContinuation { continuation in
            let element: Element? = state.withLock { state in
                if !state.pending.isEmpty { return state.pending.removeFirst() }
                state.reader = continuation
                return nil
            }
            if let element { continuation.resume(returning: element) }
        }
    }
}
