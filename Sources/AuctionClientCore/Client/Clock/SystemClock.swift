import StateMachines

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The clocks of the device.
struct SystemClock: ClientClock {
    private let origin = ContinuousClock.now

    func now() -> MachineTimestamp {
        let parts = (ContinuousClock.now - origin).components
        return MachineTimestamp(milliseconds: parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
    }

    func sleep(until instant: MachineTimestamp) async {
        let delay = instant.duration(since: now())
        guard delay > .zero else { return }
        // Cancelled: the caller finds out by itself.
        do { try await Task.sleep(for: delay, clock: .continuous) } catch { return }
    }

    func deviceTime() -> ServerTime { ServerTime(Date()) }
}
