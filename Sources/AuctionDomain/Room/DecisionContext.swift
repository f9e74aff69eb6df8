/// Everything a decision depends on: equal contexts give equal decisions.
package struct DecisionContext: Sendable {
    /// The room before the decision.
    package let room: Room
    /// Permission rules, states and formats that decide.
    package let rulebook: RoomRulebook
    /// The acceptance instant: never earlier than the room's last event.
    package let instant: Timestamp
    /// Source of new identifiers; advances with each one it makes.
    package var identifiers: IdentifierSource
    /// The seq of the decision's first event; not the room's next one if the return of its host is recorded before.
    package internal(set) var firstSeq: Int
    /// Whether the response is stored for repeats of the command, if it changes something.
    package var storesResponse = false

    package init(room: Room, rulebook: RoomRulebook, instant: Timestamp, identifiers: IdentifierSource) {
        self.room = room
        self.rulebook = rulebook
        self.instant = max(instant, room.lastEventAt)
        self.identifiers = identifiers.notBefore(self.instant)
        firstSeq = room.seq + 1
    }
}

/// Makes identifiers from an instant and random bits that the caller supplies.
package struct IdentifierSource: Sendable {
    private var instant: Timestamp
    private var generator: SplitMix64
    /// For a draw among equal sealed bids, independent of the identifiers; nil for a command that starts no round.
    package let drawSeed: DrawSeed?

    /// - Parameters:
    ///   - seed: fresh random bits for every command.
    ///   - drawSeed: fresh random bits for every command that may start a round, see `Command.mayNeedTieDraw`.
    package init(instant: Timestamp, seed: UInt64, drawSeed: DrawSeed? = nil) {
        self.instant = instant
        self.drawSeed = drawSeed
        generator = SplitMix64(seed: seed)
    }

    /// The same source, whose identifiers have at least this instant: that of the events that they are in.
    func notBefore(_ earliest: Timestamp) -> Self {
        var source = self
        source.instant = max(instant, earliest)
        return source
    }

    /// The next identifier: 48 bits of Unix milliseconds, then 80 random bits.
    package mutating func next<Kind>(_ kind: Kind.Type = Kind.self) -> Identifier<Kind> {
        let time = UInt128(UInt64(bitPattern: instant.milliseconds) & 0xFFFF_FFFF_FFFF)
        let random = UInt128(generator.next()) << 16 | UInt128(generator.next() & 0xFFFF)
        return Identifier(bits: time << 80 | random)
    }

    /// Twelve characters (60 random bits) from an alphabet without easily confused letters.
    package mutating func nextInviteCode() -> String {
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
        var bits = generator.next()
        return String(
            (0..<12).map { _ in
                defer { bits >>= 5 }
                return alphabet[Int(bits & 31)]
            })
    }
}
