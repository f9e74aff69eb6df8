internal import AuctionServer
internal import MicroHTTP

extension ServeOption {
    static let port = number(
        "port", \.server.http.port, 0...65535,
        """
        The port to listen on. 0 takes any free one; the line on standard output names it. Under Kubernetes see \
        `enableServiceLinks` in `kubernetes/deployment.yaml`.
        """)
    static let storePasswordFile = text(
        "store-password-file", \.storePasswordFile, default: "none, as libpq finds it", bounds: "one line, at most 1,000 bytes",
        """
        The password for `postgres://…`, if the store's text has none. Unlike libpq's `PGPASSFILE` the file may have any owner \
        and mode, as mounted secrets do. Read at start.
        """)
    static let tlsCertificate = text(
        "tls-cert", \.tls.certificate, default: "none, plain HTTP", bounds: "at most 1 MiB",
        """
        Certificate with its chain, PEM: HTTPS, and no WebSockets; SIGHUP reads it again. Behind a proxy that terminates TLS \
        leave it out.
        """)
    static let tlsKey = text(
        "tls-key", \.tls.key, default: "required with tls-cert", bounds: "at most 1 MiB", "Its private key, PEM.")
    static let jwtIssuer = text(
        "jwt-issuer", \.identity.issuer, default: "required with keys", "What `iss` of the provider's tokens must be.")
    static let jwtAudience = text(
        "jwt-audience", \.identity.audience, default: "required with keys",
        "What `aud` of the provider's tokens must be or contain.")
    static let metricsToken = text(
        "metrics-token", \.metricsToken, default: "none", bounds: "at least 16 visible ASCII characters",
        """
        The token itself instead of a file with it, which wins. Rather in the variable: all users of a machine can see a program's \
        arguments.
        """)

    /// - Parameter name: the option of the command, if it has another.
    static func store(named name: String = "store") -> ServeOption {
        var option = value(
            name, \.store, default: "sqlite:./data/rooms.db", expected: "sqlite:PATH, postgres://… or memory:",
            """
            The event log: `sqlite:PATH` for one process, `postgres://…` for any number of nodes, \
            `memory:` for a temporary SQLite file that is removed at exit.
            """, parse: ChosenStore.init)
        option.isSecret = true
        return option
    }
}

/// What the server serves, and from where.
enum ServingSection: OptionSection {
    static let title = "Serving"
    static let options: [ServeOption] = [
        .text(
            "host", \.server.http.host, bounds: "an address of this machine",
            "The address to listen on; `0.0.0.0` or `::` for all."),
        .port,
        .number(
            "threads", \.server.http.threads, 1...256, default: "half the cores",
            "Event loops. Besides these some threads decide (`sequencers`), one commits, and a few read."),
        .number(
            "sequencers", \.server.sequencers, 1...64, default: "1 with up to 3 cores, 2 with more",
            """
            Threads that decide commands, each those of its part of the rooms, with a part of `limit-loaded-bytes` and \
            `limit-pending-loads`; never more of them than `limit-pending-loads`.
            """),
        .store(),
        .storePasswordFile,
        .choice(
            "media", \.server.media.sources,
            """
            Where the pictures of items may be: on other servers (`external`: nothing is uploaded), on this one (`own`), or on both. SQLite \
            keeps uploaded ones in a file of its own beside the log, PostgreSQL in the log's database.
            """),
        .text(
            "token-secret-file", \.tokenSecretFile, default: "made on first start beside the log", bounds: "at least 32 bytes",
            """
            What tokens are signed with; on PostgreSQL it is made in the database and shared by all nodes. Its holder can act as \
            any guest. Ids of rooms that were opened with an Idempotency-Key follow from it: with another secret a repeat opens \
            another room.
            """),
    ]
}

/// Starting, stopping, watching.
enum OperationSection: OptionSection {
    static let title = "Operation"
    static let options: [ServeOption] = [
        .number(
            "drain-seconds", \.drainSeconds, 0...3600,
            """
            How long a stop is only announced on `/readyz`, while everything is served as before: as long as load balancers take \
            to notice. A second signal ends the wait. 0 where nothing asks `/readyz`.
            """),
        .number(
            "stop-seconds", \.stopSeconds, 0...3600,
            """
            How long the stop itself waits for pending responses. What kills the process by force must wait longer than both \
            together.
            """),
        .choice("log-level", \.logLevel, "The least severe messages of the log, which goes to standard error."),
        .choice("log-format", \.logFormat, "How the log is written; `json`: an object per line."),
        .text(
            "metrics-token-file", \.metricsTokenFile, default: "none, this machine only",
            bounds: "at least 16 visible ASCII characters",
            "The token that `/metrics` asks for."),
        .metricsToken,
        .list(
            "trusted-proxies", \.server.trustedProxies, bounds: "addresses and blocks, with commas",
            expected: "addresses or blocks such as 10.0.0.0/8",
            """
            Proxies whose `Forwarded` or `X-Forwarded-For` names the client: `10.0.0.0/8,::1`. Without it all clients \
            behind a proxy share the limits of one address.
            """
        ) { AddressBlock($0) },
    ]
}

/// Who may be a user, and over which connections.
enum IdentitySection: OptionSection {
    static let title = "Identity and TLS"
    static let options: [ServeOption] = [
        .choice("guests", \.identity.guests, "Whether anyone may become a guest."),
        .text(
            "jwks-file", \.identity.jwksFile, default: "none", bounds: "at most 16 MiB",
            "The public keys of an identity provider, as a JSON Web Key Set; SIGHUP reads it again."),
        .text(
            "jwt-secret-file", \.identity.secretFile, default: "none", bounds: "at least 32 bytes",
            "Or the secret that the identity provider signs with (HS256)."),
        .jwtIssuer,
        .jwtAudience,
        .number(
            "jwt-skew-seconds", \.identity.skewSeconds, 0...300,
            "How far `nbf` and `iat` of the provider's tokens may be ahead of this machine's clock."),
        .text(
            "revocations-file", \.identity.revocationsFile, default: "none", bounds: "at most 16 MiB",
            """
            Tokens that are revoked, one a line: `user ID [TIME]`, `sub SUBJECT [TIME]` or `jti ID`; SIGHUP reads it again.
            """),
        .list(
            "allowed-origins", \.server.allowedOrigins, bounds: "origins, or `*`, with commas",
            expected: "origins such as https://shop.example, or *,",
            """
            Other sites whose pages may call this server from a browser and open WebSockets: `https://shop.example`. With `*` the \
            pages of any site may read without a token.
            """
        ) { WebOrigin($0)?.text },
        .tlsCertificate,
        .tlsKey,
    ]
}
