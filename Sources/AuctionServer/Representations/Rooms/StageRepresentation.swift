internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// The JSON of the stage: its seats, its queue, and one handshake.
enum StageRepresentation {
    static func stage(_ room: Room) -> [UInt8] {
        let stage = room.stage
        var json = JSONWriter(reserving: 1024)
        json.object { json in
            json.member("seats", each: stage.seats) { write($0, to: &$1) }
            json.member("queue", each: stage.queue) { write($0, $0.state, to: &$1) }
            json.member("handshake", stage.hostsHandshake) { write($0, $0.state, to: &$1) }
        }
        return json.bytes
    }

    static func handshake(_ id: StageID, _ room: Room) -> [UInt8] {
        var json = JSONWriter(reserving: 256)
        json.value(room.stage.progress(of: id)) { write($0.0, $0.1, to: &$1) }
        return json.bytes
    }

    private static func write(_ handshake: Handshake, _ state: HandshakeState, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", handshake.id)
            json.member("role", handshake.role.rawValue)
            json.member("state", state.rawValue)
            json.member("guest", handshake.guest)
            json.member("origin", handshake.origin.rawValue)
            json.member("expiresAt", HandshakeState.waiting.contains(state) ? handshake.dueAt : nil)
        }
    }

    private static func write(_ seat: Seat, to json: inout JSONWriter) {
        json.object { json in
            json.member("seat", seat.number)
            json.member("occupant", seat.occupant) { occupant, json in
                json.object { json in
                    json.member("user", occupant.person)
                    json.member("role", occupant.role.rawValue)
                    json.member("since", occupant.since)
                }
            }
            json.member("closed", seat.isClosed)
            json.member("muted", seat.isMuted)
        }
    }
}
