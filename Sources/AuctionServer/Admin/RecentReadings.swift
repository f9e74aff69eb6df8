/// What was read of the feed within the last second, for others who read the same.
struct RecentReadings<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
    /// Nanoseconds after which nothing is taken from here any more: the log may have erased a name since.
    private static var lifetime: Int64 { 1_000_000_000 }
    /// Most readings that are kept.
    private static var limit: Int { 32 }

    private var answers: [Question: Answer] = [:]
    /// When the oldest one was kept, by the monotonic clock.
    private var since: Int64 = 0

    /// What was read; nil: not within the last second.
    mutating func answer(to question: Question, at monotonic: Int64) -> Answer? {
        if monotonic - since >= Self.lifetime { answers = [:] }
        return answers[question]
    }

    /// Keeps what was read; if there are too many, instead of all others.
    mutating func keep(_ answer: Answer, to question: Question, at monotonic: Int64) {
        if answers.count >= Self.limit { answers = [:] }
        if answers.isEmpty { since = monotonic }
        answers[question] = answer
    }
}
