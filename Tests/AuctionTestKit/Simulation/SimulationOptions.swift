/// Options of one simulated run; the same options produce the same run.
package struct SimulationOptions: Hashable, Sendable {
    /// Seed of all random choices.
    package var seed: UInt64
    /// Number of steps, each with at most one command, before faults stop and pending work finishes.
    package var steps: Int
    /// Fault classes that are injected.
    package var faults: Set<SimulationFault>
    /// Number of simulated people, the host included; at least 3 are used.
    package var people: Int
    /// Maximum number of rooms.
    package var rooms: Int
    /// Maximum number of processes on the shared log.
    package var nodes: Int
    /// Maximum number of sequencers of each process; a run has 1, 2 or 5.
    package var sequencers: Int
    /// Bug planted to show that the auditor finds it; nil for a normal run.
    package var bug: SimulationBug?

    /// Default of `steps`.
    package static let defaultSteps = 150
    /// Default of `people`.
    package static let allPeople = 9
    /// Default of `rooms`.
    package static let allRooms = 2
    /// Default of `nodes`.
    package static let allNodes = 3
    /// Default of `sequencers`.
    package static let allSequencers = 5

    package init(seed: UInt64, steps: Int = defaultSteps, bug: SimulationBug? = nil) {
        self.seed = seed
        self.steps = steps
        faults = Set(SimulationFault.allCases)
        people = Self.allPeople
        rooms = Self.allRooms
        nodes = Self.allNodes
        sequencers = Self.allSequencers
        self.bug = bug
    }

    /// Shell command that reproduces the run.
    package var commandLine: String {
        var words = ["swift run -c release simulate --seed \(seed) --steps \(steps)"]
        let missing = SimulationFault.allCases.filter { !faults.contains($0) }
        if !missing.isEmpty { words.append("--without \(missing.map(\.rawValue).joined(separator: ","))") }
        if people != Self.allPeople { words.append("--people \(people)") }
        if rooms != Self.allRooms { words.append("--rooms \(rooms)") }
        if nodes != Self.allNodes { words.append("--nodes \(nodes)") }
        if sequencers != Self.allSequencers { words.append("--sequencers \(sequencers)") }
        if let bug { words.append("--bug \(bug.rawValue)") }
        return words.joined(separator: " ")
    }
}

/// A class of injected faults; each can be disabled to see whether a failure needs it.
package enum SimulationFault: String, Hashable, Sendable, CaseIterable {
    /// A request or its response is lost.
    case drop
    /// A request arrives twice.
    case duplicate
    /// Requests, responses and events are delayed and reordered.
    case delay
    /// A process crashes between any two of its steps.
    case crash
    /// The disk fails; the process must treat the failure as permanent.
    case diskFailure
    /// The disk is full for one append.
    case fullDisk
    /// A statement fails: once, or for every batch that contains a poisoned command.
    case statement
    /// The wall clock is stepped.
    case clockStep
    /// The wall clock runs slightly fast or slow.
    case clockDrift
    /// Readers lag, disconnect and reconnect.
    case slowReader
    /// Rooms are evicted early, snapshots are lost.
    case eviction
    /// The link between a process and the shared log is cut.
    case cutLink
    /// Notifications between processes are lost or delayed.
    case notice
    /// A process's estimate of the log's clock is wrong.
    case clockError
}

/// A bug planted in the simulated shells, never in the product; each breaks one guarantee.
package enum SimulationBug: String, Hashable, Sendable, CaseIterable {
    /// Responses are sent before the commit.
    case responsesBeforeCommit
    /// Events are delivered before the commit.
    case eventsBeforeCommit
    /// Idempotency keys are ignored: a repeated command is executed again.
    case keysIgnored
    /// Keys are not stored with their events: a repeated command is executed again after a restart.
    case keysNotStored
    /// First bids of a round are not in the index by user.
    case bidsNotIndexed
    /// What a linked guest bought stays the guest's in the index by user.
    case linkedWinsNotIndexed
    /// Guests are linked during a round.
    case linkedDuringRound
    /// A repeated command's response is encoded again instead of replayed.
    case responseEncodedAgain
    /// A round closes a millisecond late: a bid at the deadline is accepted.
    case bidAtDeadline
    /// A sale names an earlier bidder instead of the winner.
    case wrongWinner
    /// The next round of a sale has the second queued lot.
    case lotSkipped
    /// The next lot of a sale begins without the pause.
    case pauseBetweenLotsForgotten
    /// A round that begins by itself commits to no seed for the draw between equal bids.
    case drawSeedForgotten
    /// A lot that has been sold has its turn again.
    case lotSoldTwice
    /// A lot that has ended stays current while the next one has its turn.
    case lotStaysCurrent
    /// A lot is offered again that waits, has its turn or is sold.
    case reofferedWhileSold
    /// A lot that is moved before another one is moved to the end.
    case lotMovedElsewhere
    /// An import leaves out its last row.
    case importedInPart
    /// The next lot of an attended sale begins in a room without a host.
    case saleWithoutHost
    /// A sale that needs no host stops in a room without one.
    case unattendedSaleStops
    /// The pause between two lots is not extended after an outage.
    case pauseLostInOutage
    /// A paused round's wait for its host is not restarted after an outage.
    case hostWaitNotRestarted
    /// A process that starts does not know of rooms that wait for the next lot of a sale.
    case nextLotForgotten
    /// A process that starts does not know of rooms that wait for the start of a sale.
    case scheduleForgotten
    /// The winner pays their own bid instead of the second price.
    case wrongPrice
    /// A bid does not extend the deadline.
    case countdownStandsStill
    /// A retraction does not extend the deadline.
    case deadlineStaysAfterRetraction
    /// A Dutch price drops for the first time a second late.
    case firstDropLate
    /// The event of a bid says whether the reserve price was reached before it.
    case reserveMetLate
    /// The public bytes contain a sealed amount.
    case sealedAmountShows
    /// The public bytes of a report tell who made it.
    case reporterShown
    /// Bids of members whom the host has not approved are accepted.
    case unapprovedBids
    /// Snapshots are without applications: who was declined applies again.
    case declinedAppliesAgain
    /// Bids below the minimum are accepted.
    case minimumForgotten
    /// A bid counts for another item than the one that it names.
    case wrongItemTaken
    /// After an ask, a bid that the leader's maximum beats makes the leader bid more than is needed.
    case askOverpaid
    /// An ask is announced, and bids below it are taken.
    case askIgnored
    /// The public bytes contain the maximum of an absentee bid.
    case absenteeShown
    /// The public bytes name the bidder of an absentee bid.
    case absenteeBidderShown
    /// An absentee bid that was used acts again when the next lot opens.
    case absenteeUsedTwice
    /// An absentee bid acts above its maximum.
    case absenteeAboveMaximum
    /// Absentee bids act in the reverse of their order.
    case absenteeOutOfOrder
    /// An absentee bid is taken back after its lot was opened.
    case absenteeTakenBackLate
    /// The absentee bid of a bidder who was banned, left or was removed acts once they may bid again.
    case absenteeVoidForgotten
    /// Snapshots are without absentee bids.
    case absenteeForgotten
    /// Rooms are loaded with absentee bids that were taken back.
    case absenteeActsWithdrawn
    /// Whether the bidder of a sealed absentee bid may bid is judged again at the close.
    case absenteeJudgedAtClose
    /// The close of a sealed round shows every absentee bid, also of those who lost.
    case absenteeLosersShown
    /// The opening of a sealed round does not note which bids may not act in full.
    case absenteeCutForgotten
    /// Responses show the last warning of the round, although a bid has ended it.
    case warningStays
    /// Any user accepts an offer to the next bidder.
    case offerTakenByAnother
    /// An item is offered to another member than the next bidder.
    case offeredToAnother
    /// An offer stands longer than it may, and is accepted after its time.
    case offerStandsTooLong
    /// An offer ends at once after an outage or a clock jump in which its time was over.
    case offerLostInOutage
    /// A process that starts does not know of rooms in which an offer stands.
    case offerForgotten
    /// A sale that was voided still counts as what its buyer has won.
    case voidedCounts
    /// A warning moves the deadline.
    case warningMovesCountdown
    /// Every caller receives the paddle of a floor bid.
    case floorPaddleShown
    /// The owner of the item may enter floor bids.
    case floorBidOnOwnItem
    /// A host who has bid in the round may pause it.
    case hostPausesOwnBid
    /// A user who joins as bidder becomes auctioneer.
    case bidderBecomesAuctioneer
    /// A retraction restores a maximum that the retracted bid had disclosed.
    case maximumRestored
    /// The maximum of a banned bidder stays in force.
    case bannedMaximumStays
    /// Countdowns never expire.
    case roundNeverCloses
    /// Deadlines are not extended after an outage.
    case outageForgotten
    /// An extension after an outage is published with the cause `clock`.
    case outageNamedJump
    /// Deadlines are extended by a minute too much.
    case extendedTooFar
    /// A process that starts within two seconds of the end of the last one takes that for alive, and recovers from no outage.
    case deadProcessTakenForAlive
    /// The deadline of a room whose append found the disk full is not extended.
    case fullDiskForgotten
    /// The log reports deadlines of open rooms an hour late, so that these rooms stay out of memory.
    case deadlinesReportedLate
    /// Deadlines are not extended after a clock jump.
    case jumpForgotten
    /// The service's time is the wall clock's reading.
    case wallClockFollowed
    /// The age of keys includes the wall clock's jumps.
    case jumpsAgeKeys
    /// A page lacks an event.
    case eventDropped
    /// A page contains an event twice.
    case eventRepeated
    /// A page contains two events in the wrong order.
    case eventsReordered
    /// An accepted bid gets the response of a refused one.
    case acceptedReportedAsRefused
    /// The log acknowledges an append that it did not store.
    case appendLost
    /// Responses are still sent after the disk has failed.
    case failureIgnored
    /// A snapshot has the previous snapshot's content under a newer seq.
    case snapshotStale
    /// A response is lost inside the process.
    case responseLost
    /// A stored event is changed later.
    case historyRewritten
    /// A stored event is removed later.
    case historyGap
    /// Any caller can read a private room's events.
    case strangersRead
    /// A user who is banned from a private room while their poll is held still gets its events.
    case bannedReadOn
    /// A private room accepts any invite code.
    case anyCodeOpens
    /// Keys loaded from the log expire after an hour.
    case keysForgottenEarly
    /// The age of keys loaded from the log counts from their loading.
    case keysNeverExpire
    /// The log compares only the head's seq and ignores its hash.
    case headHashIgnored
    /// A process refuses commands by its memory, without a check of the head in the log.
    case refusedWithoutCheck
    /// Two processes extend deadlines for the same outage.
    case outageClaimedTwice
    /// Only the first node closes rounds, so none are closed while it is down.
    case missedDeadlines
    /// Processes are not notified of appends by other processes.
    case appendsUnnoticed
    /// A stream resumes one event before the reader's cursor.
    case streamResumedTooEarly
    /// A stream resumes at the room's head instead of the reader's cursor.
    case streamResumedAtHead
    /// A page is sent twice to a subscriber that catches up.
    case streamPageDoubled
    /// A subscriber that has received its page is not given the next one.
    case streamForgottenAfterPage
    /// Only the first of the live subscribers of a room receives its events.
    case streamGroupForgotten
    /// A stream's later bytes may arrive before earlier ones.
    case streamReordered
    /// A stream does not count as a watcher of its room.
    case streamNotWatched
    /// A stream that is too slow is neither closed nor sent anything any more.
    case streamTooSlowIgnored
    /// The stream of a user who is banned from a private room stays open.
    case bannedStreamsOn
    /// Streams that have ended are kept as subscribers.
    case streamNotLeft
    /// The return of a user who was present before is not reported.
    case returnsUnreported
    /// A process does not know who is present on others.
    case remotePresenceIgnored
    /// A room counts as confirmed when the log's reply arrived instead of when the log was asked.
    case confirmedTooLate
    /// Only the first of the long-polls that wait for the same page is answered.
    case pollGroupForgotten
    /// Responses are delivered to the first event loop, which does not have the connections of others.
    case repliesToFirstLoop
    /// Events are delivered to the first event loop only.
    case eventsToFirstLoop
    /// Streams and held long-polls outlive the expiry of their tokens.
    case expiredStreamsStay
    /// Streams and held long-polls outlive the revocation of their tokens.
    case revokedStreamsStay
    /// A process does not know what the operators of others have revoked.
    case remoteRevocationsIgnored
    /// Only the first sequencer of a process extends the deadlines of its rooms after an outage.
    case othersNotRecovered
    /// The verdicts of every batch are returned to the first sequencer.
    case completedByAnother
    /// The feed shows events before their commit.
    case feedBeforeCommit
    /// The feed numbers events before their commit, so that a reader passes those that are committed late.
    case feedPassesLateCommits
    /// The feed has two events of a room in the wrong order.
    case feedOutOfOrder
    /// A reader of the feed goes on from the position of before.
    case feedPositionNotKept
}

extension SimulationBug {
    /// Whether it needs bids that are left before the sale.
    var isOfAbsentees: Bool { rawValue.hasPrefix("absentee") }

    /// Whether it needs lots with sealed bids.
    var isOfSealedAbsentees: Bool { BrokenSealed.bugs.contains(self) }
    /// Whether it needs a room whose host approves bidders.
    var isOfApplications: Bool { self == .unapprovedBids || self == .declinedAppliesAgain }

    /// Rule of the finding that the auditor must report.
    package var guarantee: String {
        switch self {
        case .responsesBeforeCommit, .appendLost: "acknowledged"
        case .eventsBeforeCommit, .eventDropped, .eventRepeated, .eventsReordered: "stream"
        case .keysIgnored, .keysNotStored, .keysForgottenEarly, .jumpsAgeKeys: "exactly once"
        case .bidsNotIndexed, .linkedWinsNotIndexed: "index by user"
        case .linkedDuringRound: "state"
        case .responseEncodedAgain: "same response"
        case .bidAtDeadline: "deadline"
        case .lotSkipped, .lotSoldTwice, .lotStaysCurrent, .reofferedWhileSold: "lots"
        case .drawSeedForgotten: "draw"
        case .lotMovedElsewhere: "order of lots"
        case .importedInPart: "import"
        case .pauseBetweenLotsForgotten, .saleWithoutHost, .unattendedSaleStops: "sale"
        case .pauseLostInOutage, .nextLotForgotten: "pause"
        case .hostWaitNotRestarted: "host"
        case .scheduleForgotten: "schedule"
        case .wrongWinner, .wrongPrice: "winner"
        case .countdownStandsStill: "countdown"
        case .deadlineStaysAfterRetraction, .warningMovesCountdown: "moved"
        case .firstDropLate: "drops"
        case .reserveMetLate: "reserve"
        case .sealedAmountShows, .floorPaddleShown, .reporterShown, .absenteeShown, .absenteeBidderShown: "secret"
        case .absenteeUsedTwice, .absenteeTakenBackLate, .absenteeVoidForgotten, .absenteeForgotten, .absenteeActsWithdrawn,
            .absenteeJudgedAtClose, .absenteeLosersShown, .absenteeCutForgotten:
            "absentee"
        case .absenteeAboveMaximum, .absenteeOutOfOrder: "price"
        case .minimumForgotten, .askIgnored: "refusal"
        case .unapprovedBids: "rights"
        case .declinedAppliesAgain: "application"
        case .askOverpaid: "price"
        case .wrongItemTaken: "item"
        case .hostPausesOwnBid: "own bid"
        case .floorBidOnOwnItem: "rights"
        case .warningStays: "picture"
        case .voidedCounts: "totals"
        case .offerTakenByAnother, .offeredToAnother, .offerStandsTooLong, .offerLostInOutage, .offerForgotten: "offer"
        case .bidderBecomesAuctioneer: "roles"
        case .maximumRestored: "retraction"
        case .bannedMaximumStays: "ban"
        case .roundNeverCloses: "ends"
        case .outageForgotten, .deadProcessTakenForAlive, .fullDiskForgotten, .othersNotRecovered, .deadlinesReportedLate:
            "outage"
        case .jumpForgotten: "clock"
        case .outageNamedJump: "cause"
        case .extendedTooFar: "extension"
        case .wallClockFollowed: "duration"
        case .acceptedReportedAsRefused: "refused"
        case .failureIgnored: "failed log"
        case .snapshotStale: "snapshot"
        case .responseLost, .completedByAnother: "unanswered"
        case .historyRewritten: "hash chain"
        case .historyGap: "order"
        case .strangersRead, .bannedReadOn: "hidden"
        case .anyCodeOpens: "invitation"
        case .keysNeverExpire: "expiry"
        case .headHashIgnored: "hash chain"
        case .refusedWithoutCheck: "order"
        case .outageClaimedTwice: "outage once"
        case .missedDeadlines: "late end"
        case .appendsUnnoticed: "stream"
        case .confirmedTooLate: "age"
        case .repliesToFirstLoop: "unanswered"
        case .returnsUnreported, .remotePresenceIgnored: "presence"
        case .pollGroupForgotten, .eventsToFirstLoop, .streamResumedTooEarly, .streamResumedAtHead, .streamPageDoubled,
            .streamForgottenAfterPage, .streamGroupForgotten,
            .streamReordered, .streamNotWatched, .streamTooSlowIgnored:
            "stream"
        case .feedBeforeCommit, .feedPassesLateCommits, .feedOutOfOrder, .feedPositionNotKept: "feed"
        case .bannedStreamsOn: "hidden"
        case .streamNotLeft: "subscribers"
        case .expiredStreamsStay: "token"
        case .revokedStreamsStay, .remoteRevocationsIgnored: "revocation"
        }
    }
}
