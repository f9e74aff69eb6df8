internal import ArgumentParser

/// `auction-room configuration`: prints `docker/CONFIGURATION.md`, which a test compares with it; or the bounds in force.
struct PrintConfiguration: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configuration", abstract: "Prints every variable as a document in Markdown.", shouldDisplay: false)

    @Flag(help: "Print the number of each bound on this machine, with the variables that are set.")
    var values = false

    func run() throws {
        if values { return try failing { try printValues() } }
        print(Self.introduction)
        for section in ServeOption.sections {
            print("## \(section.title)\n")
            if !section.note.isEmpty { print("\(section.note)\n") }
            print("| variable | default | bounds | |\n| --- | --- | --- | --- |")
            for option in section.options { print(option.row) }
            print("")
        }
        print(Self.derived)
        for bound in DerivedBound.all { print(bound.row) }
        print(Self.otherCommands)
    }

    private func printValues() throws(ConfigurationError) {
        var settings = Settings()
        for option in ServeOption.all { try option.apply(nil, to: &settings) }
        try settings.deriveBounds()
        for option in ServeOption.all { if let inForce = option.inForce { print(option.name, inForce(settings)) } }
        for bound in DerivedBound.all { print(bound.name, bound.inForce(settings)) }
    }

    private static let introduction = """
        # Configuration

        Every variable of `auction-room serve`. Each is also an option, which wins over it: `AUCTION_ROOM_LIMIT_BODY_BYTES` is
        `--limit-body-bytes`. A variable that is empty counts as not set. A value that cannot be used ends the program with one line and exit code
        78; nothing is rounded or capped quietly. A variable that is not here is named in the log at start. This page is what
        `auction-room configuration` prints; `auction-room configuration --values` prints the bounds in force on a machine, as the variables there set them.

        The image sets `AUCTION_ROOM_HOST=0.0.0.0`, `AUCTION_ROOM_PORT=8080` and `AUCTION_ROOM_STORE=sqlite:/data/rooms.db`. Of libpq's own variables
        those that say how to reach a server count too (`PGSSLMODE`, `PGSSLROOTCERT`, `PGPASSWORD`, `PGPASSFILE`…), where the store's text leaves it open.

        """

    private static let derived = """
        ## Bounds that follow

        They have no variable, and refusals name them. `limit-memory` is divided completely: large bodies are counted twice, and where they have their least, rooms,
        responses and events have 4, 2 and 1 of 7 parts of the rest. Other bounds are fixed, and named in the source.

        | bound | follows | |
        | --- | --- | --- |
        """

    private static let otherCommands = """

        ## Other commands

        `healthcheck` uses `AUCTION_ROOM_PORT`, and refuses to judge a server with `AUCTION_ROOM_TLS_CERT`. `verify`, `pictures`, `export`, `prune`, `migrate`, `backup` and `restore` use
        `AUCTION_ROOM_STORE`; all but the last two, and `copy`, use `AUCTION_ROOM_STORE_PASSWORD_FILE`.
        """
}
