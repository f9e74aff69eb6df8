internal import ArgumentParser

/// `auction-room configuration`: prints `docker/CONFIGURATION.md`, which a test compares with it.
struct PrintConfiguration: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configuration", abstract: "Prints every variable as a document in Markdown.", shouldDisplay: false)

    func run() {
        let sections: [any OptionSection.Type] = [
            ServingSection.self, OperationSection.self, IdentitySection.self, LimitSection.self, StreamSection.self,
        ]
        print(Self.introduction)
        for section in sections {
            print("## \(section.title)\n")
            if !section.note.isEmpty { print("\(section.note)\n") }
            print("| variable | default | bounds | |\n| --- | --- | --- | --- |")
            for option in section.options { print(option.row) }
            print("")
        }
        print(Self.otherCommands)
    }

    private static let introduction = """
        # Configuration

        Every variable of `auction-room serve`. Each is also an option, which wins over it: `AUCTION_ROOM_LIMIT_BODY_BYTES` is
        `--limit-body-bytes`. A variable that is empty counts as not set. A value that cannot be used ends the program with one line and exit code
        78; nothing is rounded or capped quietly. This page is what `auction-room configuration` prints.

        The image sets `AUCTION_ROOM_HOST=0.0.0.0`, `AUCTION_ROOM_PORT=8080` and `AUCTION_ROOM_STORE=sqlite:/data/rooms.db`. Of libpq's own variables
        those that say how to reach a server count too (`PGSSLMODE`, `PGSSLROOTCERT`, `PGPASSWORD`, `PGPASSFILE`…), where the store's text leaves it open.

        """

    private static let otherCommands = """
        ## Other commands

        `healthcheck` uses `AUCTION_ROOM_PORT`, and refuses to judge a server with `AUCTION_ROOM_TLS_CERT`. `verify`, `pictures`, `export`, `migrate`, `backup` and `restore` use
        `AUCTION_ROOM_STORE`; all but the last two, and `copy`, use `AUCTION_ROOM_STORE_PASSWORD_FILE`.
        """
}
