/// What one simulated run does; the same options make the same run.
public struct SimulationOptions: Hashable, Sendable {
    /// Decides everything that the other options leave open.
    public var seed: UInt64
    /// How often somebody does something, before everything heals and comes to rest.
    public var steps: Int
    /// What goes wrong.
    public var faults: Set<SimulationFault>
    /// How many of the people take part, the host included.
    public var people: Int
    /// At most so many rooms.
    public var rooms: Int
    /// At most so many processes on the one log.
    public var nodes: Int
    /// What is broken on purpose, for showing that the auditor notices.
    public var bug: SimulationBug?

    public static let defaultSteps = 150
    public static let allPeople = 9
    public static let allRooms = 2
    public static let allNodes = 3

    public init(seed: UInt64, steps: Int = defaultSteps, bug: SimulationBug? = nil) {
        self.seed = seed
        self.steps = steps
        faults = Set(SimulationFault.allCases)
        people = Self.allPeople
        rooms = Self.allRooms
        nodes = Self.allNodes
        self.bug = bug
    }

    /// The command that runs exactly this.
    public var commandLine: String {
        var words = ["swift run -c release simulate --seed \(seed) --steps \(steps)"]
        let missing = SimulationFault.allCases.filter { !faults.contains($0) }
        if !missing.isEmpty { words.append("--without \(missing.map(\.rawValue).joined(separator: ","))") }
        if people != Self.allPeople { words.append("--people \(people)") }
        if rooms != Self.allRooms { words.append("--rooms \(rooms)") }
        if nodes != Self.allNodes { words.append("--nodes \(nodes)") }
        if let bug { words.append("--bug \(bug.rawValue)") }
        return words.joined(separator: " ")
    }
}

/// A class of things that go wrong; each can be left out to see whether a failure needs it.
public enum SimulationFault: String, Hashable, Sendable, CaseIterable {
    /// A request or its answer gets lost.
    case drop
    /// A request arrives twice.
    case duplicate
    /// Requests, answers and events take their time, and overtake one another.
    case delay
    /// A process dies, at any point between two of its steps.
    case crash
    /// The disk fails, for good as far as the process can tell.
    case diskFailure
    /// The disk is full for a moment.
    case fullDisk
    /// A statement fails: once, or whenever one poisoned command is in the batch.
    case statement
    /// Somebody sets the wall clock.
    case clockStep
    /// The wall clock runs a little fast or slow.
    case clockDrift
    /// Readers fall behind, hang up and come back.
    case slowReader
    /// Rooms leave the memory early, snapshots get lost.
    case eviction
    /// A process is cut off from the log that it shares with others.
    case cutLink
    /// Notices between processes are lost or late.
    case notice
    /// A process's estimate of the log's clock is wrong.
    case clockError
}

/// What is broken on purpose, in the simulated shells and never in the product: each breaks one promise.
public enum SimulationBug: String, Hashable, Sendable, CaseIterable {
    /// Answers go out before the commit.
    case answersBeforeCommit
    /// Events go out before the commit.
    case eventsBeforeCommit
    /// Keys are not looked at: a repeat is carried out again.
    case keysIgnored
    /// Keys are not stored with their events: a repeat after a restart is carried out again.
    case keysNotStored
    /// A repeat's answer is written anew.
    case answerRenderedAnew
    /// The hammer falls a millisecond late: a bid at the end is taken.
    case bidAtTheEnd
    /// A sale names the bidder before the winner.
    case wrongWinner
    /// The second price is the first.
    case wrongPrice
    /// A bid leaves the countdown where it is.
    case countdownStandsStill
    /// A sealed amount is in the public bytes.
    case sealedAmountShows
    /// Bids below the minimum are taken.
    case minimumForgotten
    /// A retraction gives a bidder back the maximum that the retracted bid has shown to everybody.
    case maximumRestored
    /// A running countdown never ends.
    case roundNeverCloses
    /// Nothing moves after an outage.
    case outageForgotten
    /// Nothing moves after a jump of the clock.
    case jumpForgotten
    /// The service's time is what the wall clock shows.
    case wallClockFollowed
    /// Keys are as old as the wall clock says, whatever it jumped over.
    case jumpsAgeKeys
    /// A page of events misses one.
    case eventDropped
    /// A page of events has one twice.
    case eventRepeated
    /// A page of events has two in the wrong order.
    case eventsReordered
    /// A bid that was taken is answered as refused.
    case acceptedAnsweredAsRefused
    /// The log acknowledges what it did not store.
    case appendLost
    /// After the disk has failed answers still go out.
    case failureIgnored
    /// A snapshot is the one before, under a newer seq.
    case snapshotStale
    /// An answer gets lost inside the process.
    case answerForgotten
    /// A stored event is changed afterwards.
    case historyRewritten
    /// A stored event disappears afterwards.
    case historyGap
    /// Whoever asks for a private room's events gets them.
    case strangersRead
    /// Whoever is banned from a private room while their poll is held gets its answer.
    case bannedReadOn
    /// A private room lets in whoever knows any code.
    case anyCodeOpens
    /// Keys that were read from the log are forgotten after an hour.
    case keysForgottenEarly
    /// Keys that were read from the log are as young as their reading.
    case keysNeverExpire
    /// The log compares how long a history is, and not which one it is.
    case tipIgnored
    /// A process refuses by what it has in memory, without asking the log.
    case refusedFromThePast
    /// Two processes see to the same outage.
    case outageClaimedTwice
    /// Only the first process ends rounds, and nobody does while it is dead.
    case overdueForgotten
    /// Processes do not hear of what others append.
    case othersUnheard
}

extension SimulationBug {
    /// The promise that the auditor must find broken.
    public var promise: String {
        switch self {
        case .answersBeforeCommit, .appendLost: "acknowledged"
        case .eventsBeforeCommit, .eventDropped, .eventRepeated, .eventsReordered: "stream"
        case .keysIgnored, .keysNotStored, .keysForgottenEarly, .jumpsAgeKeys: "exactly once"
        case .answerRenderedAnew: "same answer"
        case .bidAtTheEnd: "deadline"
        case .wrongWinner, .wrongPrice: "winner"
        case .countdownStandsStill: "countdown"
        case .sealedAmountShows: "secret"
        case .minimumForgotten: "refusal"
        case .maximumRestored: "retraction"
        case .roundNeverCloses: "ends"
        case .outageForgotten: "outage"
        case .jumpForgotten: "clock"
        case .wallClockFollowed: "duration"
        case .acceptedAnsweredAsRefused: "refused"
        case .failureIgnored: "failed log"
        case .snapshotStale: "snapshot"
        case .answerForgotten: "unanswered"
        case .historyRewritten: "hash chain"
        case .historyGap: "order"
        case .strangersRead, .bannedReadOn: "hidden"
        case .anyCodeOpens: "invitation"
        case .keysNeverExpire: "expiry"
        case .tipIgnored: "hash chain"
        case .refusedFromThePast: "order"
        case .outageClaimedTwice: "outage once"
        case .overdueForgotten: "late end"
        case .othersUnheard: "stream"
        }
    }
}
