package import AuctionDomain
internal import ExactJSON

/// Replaces nicknames by pseudonyms in stored JSON: those of people by their identifiers, and what was made of nicknames or written by these
/// people for others to read. The same bytes always give the same result, and a result stays as it is.
package struct NicknameErasure: Sendable {
    private let pseudonyms: [String: String]
    private let needles: [[UInt8]]
    /// The latest sale: the message that follows it has the buyer's nickname.
    private var sale: (buyer: String, nickname: String)?

    /// What stands for a text that was written by someone who has left.
    package static let removedText = "[…]"

    /// - Parameter people: with their pseudonyms.
    package init(_ people: [Person]) {
        pseudonyms = Dictionary(people.map { ($0.id.description, $0.nickname) }, uniquingKeysWith: { first, _ in first })
        needles = people.map { Array($0.id.description.utf8) }
    }

    /// Whether the next event may depend on the one before it, so that both have to be replaced together.
    package var isBetweenEvents: Bool { sale == nil }

    /// The event with other bytes; nil if nothing in it changes. Call it for all events of a room, in order.
    package mutating func rewritten(_ event: StoredEvent) -> StoredEvent? {
        switch event.type {
        // It names the digests of others and has pseudonyms only.
        case EventType.memberErased: return nil
        case EventType.systemMessage:
            guard let sold = sale.take(), let bytes = rewrittenMessage(event.publicBytes, of: sold) else { return nil }
            return event.rewritten(publicBytes: bytes, privateBytes: event.privateBytes)
        default: break
        }
        noteSale(event)
        let (open, hidden) = (rewritten(event.publicBytes), event.privateBytes.flatMap(rewritten))
        guard open != nil || hidden != nil else { return nil }
        return event.rewritten(publicBytes: open ?? event.publicBytes, privateBytes: hidden ?? event.privateBytes)
    }

    /// The JSON with the pseudonyms; nil if nothing in it changes, or it is no JSON.
    package func rewritten(_ bytes: [UInt8]) -> [UInt8]? {
        guard needles.contains(where: { bytes.holds($0) }), let value = try? JSONReader.read(bytes, maximumDepth: 64)
        else { return nil }
        let changed = erased(value)
        guard changed != value else { return nil }
        var json = JSONWriter(reserving: bytes.count)
        json.value(changed)
        return json.bytes
    }

    /// Guests whom an event links to one of the people.
    package func guests(linkedBy event: StoredEvent) -> [UserID] {
        guard event.type == EventType.memberLinked, needles.contains(where: { event.publicBytes.holds($0) }),
            let data = try? JSONReader.read(event.publicBytes, maximumDepth: 64)["data"],
            case .string(let user) = data["to"]?["id"], pseudonyms[user] != nil,
            case .string(let text) = data["from"]?["id"], let guest = UserID(text)
        else { return [] }
        return [guest]
    }

    /// Whether the event's bytes have a user's identifier.
    package static func names(_ user: UserID, _ event: StoredEvent) -> Bool {
        let id = Array(user.description.utf8)
        return event.publicBytes.holds(id) || event.privateBytes?.holds(id) == true
    }

    private func erased(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(erased))
        case .object(let members):
            let pseudonym = pseudonym(of: value)
            let isAuthor = value["author"].flatMap { self.pseudonym(of: $0) } != nil
            let isReporter = value["reporter"].flatMap { self.pseudonym(of: $0) } != nil
            return .object(
                members.map { member in
                    switch (member.name, member.value) {
                    case ("nickname", .string):
                        JSONMember(name: member.name, value: pseudonym.map(JSONValue.string) ?? member.value)
                    case ("text", .string) where isAuthor, ("reason", .string) where isReporter:
                        JSONMember(name: member.name, value: .string(Self.removedText))
                    default: JSONMember(name: member.name, value: erased(member.value))
                    }
                })
        default: return value
        }
    }

    /// The pseudonym of the person that an object is; nil if it is none of them.
    private func pseudonym(of value: JSONValue) -> String? {
        guard case .string(let id) = value["id"], case .string = value["nickname"] else { return nil }
        return pseudonyms[id]
    }

    private mutating func noteSale(_ event: StoredEvent) {
        guard event.type == EventType.itemSold else { return }
        sale = nil
        guard needles.contains(where: { event.publicBytes.holds($0) }),
            let envelope = try? JSONReader.read(event.publicBytes, maximumDepth: 64), let winner = envelope["data"]?["winner"],
            case .string(let id) = winner["id"], case .string(let nickname) = winner["nickname"], pseudonyms[id] != nil
        else { return }
        sale = (id, nickname)
    }

    /// A message about a sale, as `SystemMessage.sold` makes it.
    private func rewrittenMessage(_ bytes: [UInt8], of sale: (buyer: String, nickname: String)) -> [UInt8]? {
        guard let pseudonym = pseudonyms[sale.buyer], case .object(let members) = try? JSONReader.read(bytes, maximumDepth: 64)
        else { return nil }
        func renamed(_ member: JSONMember) -> JSONMember {
            guard case .string(let text) = member.value else { return member }
            return JSONMember(
                name: member.name, value: .string(SystemMessage.renamingBuyer(sale.nickname, pseudonym, in: text)))
        }
        let changed = members.map { member in
            guard member.name == "data", case .object(let data) = member.value else { return member }
            return JSONMember(name: member.name, value: .object(data.map(renamed)))
        }
        guard changed != members else { return nil }
        var json = JSONWriter(reserving: bytes.count)
        json.value(.object(changed))
        return json.bytes
    }
}

extension [UInt8] {
    /// Whether they have these bytes, which are not empty, in a row.
    fileprivate func holds(_ other: [UInt8]) -> Bool {
        guard let first = other.first, count >= other.count else { return false }
        for start in 0...count - other.count where self[start] == first {
            if self[start..<start + other.count].elementsEqual(other) { return true }
        }
        return false
    }
}
