import AuctionDomain

/// A stage in a room with a host and members, and a clock that the test sets. All events are applied and logged.
struct StageScenario {
    private(set) var stage = Stage()
    private(set) var now = Timestamp(milliseconds: 0)
    private(set) var log: [(event: StageEvent, at: Timestamp)] = []
    private var nextID: UInt128 = 0
    private var roles: [UserID: Member] = [:]

    let host = Person(id: UserID(bits: 1), nickname: "Hana")
    let guest = Person(id: UserID(bits: 2), nickname: "Gus")
    let rival = Person(id: UserID(bits: 3), nickname: "Rita")
    let stranger = Person(id: UserID(bits: 99), nickname: "Sam")

    init() {
        set(host, .host)
        set(guest, .viewer)
        set(rival, .bidder)
    }

    /// A user who has just joined as a viewer.
    mutating func newcomer(_ number: Int) -> Person {
        let person = Person(id: UserID(bits: 1000 + UInt128(number)), nickname: "Guest \(number)")
        set(person, .viewer)
        return person
    }

    mutating func set(_ person: Person, _ role: Role, _ standing: Standing = Standing()) {
        roles[person.id] = Member(person: person, role: role, joinedAt: now, standing: standing)
    }

    func role(of person: Person) -> Role? { roles[person.id]?.role }

    mutating func wait(seconds: Int) { now = now + Seconds(seconds) }
    mutating func wait(milliseconds: Int64) { now = Timestamp(milliseconds: now.milliseconds + milliseconds) }

    private func context(for id: UInt128) -> StageContext {
        StageContext(host: host, members: Members(roles.values), instant: now, id: StageID(bits: id))
    }

    @discardableResult
    mutating func perform(_ command: StageCommand, by person: Person) throws -> [StageEvent] {
        nextID += 1
        let events = try stage.decide(command, by: person, in: context(for: nextID)).events
        apply(events)
        return events
    }

    func refusal(of command: StageCommand, by person: Person) -> Refusal? {
        do throws(Refusal) {
            _ = try stage.decide(command, by: person, in: context(for: nextID + 1))
            return nil
        } catch {
            return error
        }
    }

    /// Applies events to the stage and their role changes to the members, as a room does.
    mutating func apply(_ events: [StageEvent]) {
        for event in events {
            stage.apply(event, at: now)
            log.append((event, now))
            if let (person, role) = event.roleChange { set(person, role) }
        }
    }

    /// - Returns: the new handshake.
    mutating func request(_ role: StageRole = .bidder, by person: Person) throws -> StageID {
        try perform(.request(role), by: person)
        return StageID(bits: nextID)
    }

    /// - Returns: the new handshake.
    mutating func invite(_ person: Person, as role: StageRole = .bidder) throws -> StageID {
        try perform(.invite(person.id, role), by: host)
        return StageID(bits: nextID)
    }

    mutating func seat(_ person: Person, as role: StageRole = .bidder) throws {
        let id = try request(role, by: person)
        try perform(.accept(id), by: host)
        try perform(.confirm(id), by: person)
    }

    mutating func fillSeats(_ count: Int = StageLimits.seats) throws {
        for number in 1...count { try seat(newcomer(number)) }
    }
}
