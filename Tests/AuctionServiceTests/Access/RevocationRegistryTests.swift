import AuctionDomain
import EventLog
import Testing

@testable import AuctionService

struct RevocationRegistryTests {
    private let now = Timestamp(milliseconds: 1_000_000_000)
    private var registry = RevocationRegistry()

    private func later(days: Int64) -> Timestamp { now.advanced(byMilliseconds: days * 24 * 3_600_000) }

    /// Publishes the next batch of pending revocations and returns it.
    private mutating func nextBatch(at instant: Timestamp) -> [Revocation] {
        let next = registry.nextToPublish(at: instant)
        registry.published(next)
        return next
    }

    /// Whether reading these changes what is in effect.
    private mutating func merge(_ found: [Revocation], isWhole: Bool, at instant: Timestamp) -> Bool {
        _ = registry.takeChange()
        registry.merge(found, isWhole: isWhole, at: instant)
        return registry.takeChange() != nil
    }

    @Test mutating func `a listed revocation is published once and stays valid`() {
        registry.list([1: nil, 2: now])
        let published = nextBatch(at: now)
        #expect(published.map(\.key) == [1, 2])
        #expect(published.map(\.before) == [nil, now])
        #expect(published.allSatisfy { $0.until == later(days: 30) })
        #expect(nextBatch(at: now).isEmpty)
        #expect(merge(published, isWhole: true, at: now) == false, "it is already known")
        #expect(nextBatch(at: now).isEmpty)
        #expect(merge([], isWhole: true, at: later(days: 31)) == true, "it expired without being published again")
    }

    @Test mutating func `a starting node does not republish a valid revocation until it is about to expire`() {
        let standing = Revocation(key: 1, at: now, until: later(days: 30), before: nil)
        #expect(merge([standing], isWhole: true, at: now) == true)
        registry.list([1: now])
        #expect(nextBatch(at: now).isEmpty)
        #expect(merge([standing], isWhole: true, at: later(days: 2)) == false)
        #expect(nextBatch(at: later(days: 2)).map(\.until) == [later(days: 32)])
    }

    @Test mutating func `a removed line is withdrawn, and a narrower one replaces the published one`() {
        registry.list([1: nil, 2: nil])
        _ = nextBatch(at: now)
        registry.list([2: now])
        #expect(registry.keysToRestore == [1, 2])
        registry.restored(registry.keysToRestore)
        #expect(nextBatch(at: now).map(\.before) == [now])
        #expect(registry.keysToRestore.isEmpty)
    }

    @Test mutating func `a revocation withdrawn by another node is republished while this node lists it`() {
        registry.list([1: nil])
        _ = nextBatch(at: now)
        #expect(merge([], isWhole: false, at: now) == false, "an empty incremental read withdraws nothing")
        #expect(nextBatch(at: now).isEmpty)
        #expect(merge([], isWhole: true, at: now) == true)
        #expect(nextBatch(at: now).map(\.key) == [1])
    }

    @Test mutating func `revocations of other nodes apply, and this node does not withdraw them`() {
        #expect(merge([Revocation(key: 9, at: now, until: later(days: 1))], isWhole: false, at: now) == true)
        registry.list([:])
        #expect(registry.keysToRestore.isEmpty)
        #expect(registry.latest == now)
        #expect(merge([], isWhole: true, at: later(days: 1)) == true, "it has expired")
    }

    @Test mutating func `a long list is published in batches`() {
        registry.list(Dictionary(uniqueKeysWithValues: (1...UInt128(RevocationRegistry.perCall + 3)).map { ($0, nil) }))
        #expect(nextBatch(at: now).count == RevocationRegistry.perCall)
        #expect(nextBatch(at: now).count == 3)
        #expect(nextBatch(at: now).isEmpty)
    }

    @Test mutating func `a withdrawn revocation is a change even if the read that follows fails`() {
        registry.list([1: nil])
        _ = nextBatch(at: now)
        #expect(registry.takeChange() != nil)
        registry.list([:])
        registry.restored(registry.keysToRestore)
        #expect(registry.takeChange() == SharedRevocations())
        #expect(registry.takeChange() == nil)
    }
}
