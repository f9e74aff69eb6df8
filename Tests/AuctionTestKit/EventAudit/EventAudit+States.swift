internal import ExactJSON

extension EventAudit {
    /// Calls `write` with a line of JSON for the state of each room after each of its events, as the events make it: `room`, `seq`, `state`,
    /// `round`, `endsAt` in milliseconds since 1970, `price` and `nextMinimum` in minor units, the `leader`'s id, and in `running` whether
    /// the next lot follows by itself.
    ///
    /// Where an event has changed lots, `order` names all of them in their order, and `lots` has those that are not as before, each with
    /// `id`, `number`, `state`, `reference` and `item`.
    package func forEachState(_ write: (String) -> Void) {
        for (id, room) in rooms.sorted(by: { $0.key < $1.key }) {
            var before: [AuditedSale.Lot] = []
            for (seq, (state, sale)) in zip(room.snapshots, room.sales).enumerated().dropFirst() {
                var json = JSONWriter(reserving: 300)
                json.object { json in
                    json.member("room", id)
                    json.member("seq", seq)
                    json.members(of: state)
                    json.member("running", sale.isRunning)
                    if sale.lots != before { json.members(of: sale.lots, before: before) }
                }
                before = sale.lots
                write(String(decoding: json.bytes, as: UTF8.self))
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of state: PublicSnapshot) {
        member("state", state.state)
        member("round", state.round)
        member("endsAt", state.endsAt.map(Int.init))
        member("price", state.price.map(Int.init))
        member("leader", state.leader)
        member("nextMinimum", state.minimum.map(Int.init))
    }

    fileprivate mutating func members(of lots: [AuditedSale.Lot], before: [AuditedSale.Lot]) {
        member("order", strings: lots.map(\.id))
        // A damaged history may have a lot twice.
        let known = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        member(
            "lots",
            array: { json in
                for lot in lots where known[lot.id] != lot {
                    json.object { json in
                        json.member("id", lot.id)
                        json.member("number", lot.number)
                        json.member("state", lot.state)
                        json.member("reference", lot.reference)
                        json.name("item")
                        json.value(lot.item)
                    }
                }
            })
    }
}
