import AuctionDomain
import EventLog

/// The parameters of `AppendStatement`, in their order.
extension Parameters {
    mutating func addChains(_ chains: [AppendPlan.Chain]) {
        add(identifiersOf: chains, \.room)
        add(numbersOf: chains) { $0.kind.rawValue }
        add(numbersOf: chains) { Int64($0.expected.seq) }
        add(numbersOf: chains) { Int64(bitPattern: $0.expected.headHash) }
        add(numbersOf: chains) { Int64($0.head.seq) }
        add(numbersOf: chains) { Int64(bitPattern: $0.head.headHash) }
        add(textsOf: chains) { $0.status?.state ?? "" }
        add(numbersOf: chains) { Int64($0.status?.round ?? 0) }
        add(numbersOf: chains) { $0.status?.endsAt?.milliseconds }
        add(numbersOf: chains) { $0.dueAt?.milliseconds }
        add(numbersOf: chains) { $0.status?.currentPrice }
        add(flagsOf: chains) { $0.status?.isOpen ?? false }
        add(flagsOf: chains) { $0.status?.isArchived ?? false }
        add(numbersOf: chains) { $0.events.first?.at.milliseconds }
        add(numbersOf: chains) { $0.events.last?.at.milliseconds }
        add(numbersOf: chains) { $0.notBefore?.milliseconds }
    }

    mutating func addEvents(_ chains: [AppendPlan.Chain]) {
        let events = chains.flatMap(\.events)
        add(placesOf: chains) { $0.events.count }
        add(numbersOf: events) { Int64($0.seq) }
        add(numbersOf: events) { $0.at.milliseconds }
        if events.contains(where: \.isErased) {
            add(bytesOf: events) { $0.isErased ? $0.erasedHashBytes : $0.hash.bytes }
        } else {
            add(hashesOf: events, \.hash)
        }
        add(textsOf: events) { $0.type }
        add(bytesOf: events) { $0.publicBytes }
        add(bytesOf: events) { $0.privateBytes }
    }

    mutating func addResponses(_ chains: [AppendPlan.Chain]) {
        let responses = chains.flatMap(\.responses)
        add(placesOf: chains) { $0.responses.count }
        add(numbersOf: responses) { Int64(bitPattern: $0.fingerprint) }
        add(numbersOf: responses) { $0.at.milliseconds }
        add(numbersOf: responses) { Int64($0.status) }
        add(bytesOf: responses) { $0.key.bytes }
        add(bytesOf: responses) { StoredHeaders.encode($0.headers) }
        add(bytesOf: responses) { $0.body }
        add(numbersOf: responses) { Int64(bitPattern: $0.owner.bits) }
    }

    mutating func addProfiles(_ chains: [AppendPlan.Chain]) {
        add(textsOf: chains) { $0.profile?.name }
        add(textsOf: chains) { $0.profile?.host.id.description }
        add(textsOf: chains) { $0.profile?.host.nickname }
        add(textsOf: chains) { $0.profile?.currency }
        add(textsOf: chains) { $0.profile?.visibility }
        add(numbersOf: chains) { $0.profile?.openedAt.milliseconds }
        add(textsOf: chains) { $0.profile?.itemName }
        add(numbersOf: chains) { $0.profile?.premium.map { Int64($0.rawValue) } }
        add(textsOf: chains) { $0.profile?.storedOfferName }
        add(textsOf: chains) { $0.profile?.offer?.picture?.description }
        add(numbersOf: chains) { $0.profile?.offer?.startingPrice }
        add(numbersOf: chains) { $0.profile?.startsAt?.milliseconds }
    }

    /// Adds the place of each chain, from 1, as often as it has rows.
    mutating func add(placesOf chains: [AppendPlan.Chain], _ rows: (AppendPlan.Chain) -> Int) {
        var places: [Int64] = []
        for (index, chain) in chains.enumerated() { places += repeatElement(Int64(index + 1), count: rows(chain)) }
        add(places)
    }
}
