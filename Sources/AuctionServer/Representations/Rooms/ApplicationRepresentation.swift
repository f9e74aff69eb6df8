internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// The JSON of an application, for the host and for the applicant.
enum ApplicationRepresentation {
    /// As the host reads it.
    static func write(_ application: BidderApplication, in room: Room, to json: inout JSONWriter) {
        json.object { json in
            json.member("applicant", room.member(application.person.id)?.person ?? application.person)
            writeMembers(of: application, to: &json)
        }
    }

    /// As the applicant reads it.
    static func writeOwn(_ application: BidderApplication, to json: inout JSONWriter) {
        json.object { writeMembers(of: application, to: &$0) }
    }

    private static func writeMembers(of application: BidderApplication, to json: inout JSONWriter) {
        json.member("at", application.at)
        json.member("state", application.isDeclined ? "declined" : "open")
        json.member("reason", application.reason)
    }
}
