/// What the host does by hand while a round runs, as far as it lasts.
struct Hand: Hashable, Sendable, Codable {
    /// The last warning; nil if there was none, or a transition or a retraction ended it.
    var warning: Warning?
}

/// The host says that the round is about to end. A bid that follows ends the warning: nothing is written for that.
package struct Warning: Hashable, Sendable, Codable {
    /// 1: going once; 2: going twice.
    package let level: Int
    /// The seq of its event.
    let seq: Int
}

extension Room {
    /// 1 after "going once", 2 after "going twice"; 0 if there was no warning since the last bid.
    package var warning: Int {
        guard let lastWarning, lastWarning.seq > bids.last?.seq ?? 0 else { return 0 }
        return lastWarning.level
    }

    /// The last warning, also if a bid has ended it; nil if there was none, or a transition or a retraction ended it.
    package var lastWarning: Warning? { fields.value.hand?.warning }
}

extension RoomFields {
    mutating func endWarning() {
        if hand?.warning != nil { hand?.warning = nil }
    }
}
