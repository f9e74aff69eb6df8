internal import IPAddresses
internal import AuctionServer
internal import FoundationEssentials
internal import MicroHTTP
internal import OutboundHTTP

extension ServeOption {
    static let port = number(
        "port", \.server.http.port, 0...65535,
        """
        The port to listen on. 0 takes any free one; the line on standard output names it. Under Kubernetes see \
        `enableServiceLinks` in `kubernetes/deployment.yaml`.
        """
    ).common("The port to listen on; 0 takes any free one.")
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
        """
    ).common("Certificate with its chain, PEM: HTTPS, and no WebSockets.")
    static let tlsKey = text(
        "tls-key", \.tls.key, default: "required with tls-cert", bounds: "at most 1 MiB", "Its private key, PEM."
    ).common()
    static let jwtIssuer = text(
        "jwt-issuer", \.identity.issuer, default: "required with keys", "What `iss` of the provider's tokens must be."
    ).common()
    static let oidc: ServeOption = {
        var option = value(
            "oidc", \.identity.signIn.providers, default: "none", bounds: "ISSUER=CLIENT_ID[,CLIENT_ID…]",
            expected: "ISSUER=CLIENT_ID[,CLIENT_ID…], the issuer by https, or http on this machine",
            """
            A provider whose users sign in with its ID tokens (OpenID Connect), by `POST /v1/sessions`, and the names under which it \
            knows your programs. Several options, or several values with spaces in the variable.
            """
        ) { text in
            let words = text.split(separator: " ")
            let providers = words.compactMap { SignInProvider(option: String($0)) }
            return providers.isEmpty || providers.count < words.count ? nil : providers
        }
        option.isRepeatable = true
        return option
    }()
    static let jwtAudience = text(
        "jwt-audience", \.identity.audience, default: "required with keys",
        "What `aud` of the provider's tokens must be or contain."
    ).common()
    static let metricsToken = text(
        "metrics-token", \.metricsToken, default: "none", bounds: "at least 16 visible ASCII characters",
        """
        The token itself instead of a file with it, which wins. Rather in the variable: all users of a machine can see a program's \
        arguments.
        """)

    static let memory = bytes(
        "limit-memory", \.memory, (64 << 20)...(1 << 40), default: "a quarter of the machine's or container's, at least 64M",
        """
        Memory of rooms, events, responses and large bodies together, in bytes or such as 512M or 2G; `auction-room configuration` lists what \
        follows from it. The process needs some more, for its connections.
        """
    ) { settings in
        let machine =
            MachineMemory.bytes(physical: MachineMemory.physical) { try? String(contentsOfFile: $0, encoding: .utf8) } ?? 4
            << 30
        return max(MemoryShares.least(largestBody: settings.server.largestBody), machine / 4)
    }.common("Memory of rooms, events, responses and large bodies, such as 512M or 2G.")

    /// - Parameter name: the option of the command, if it has another.
    static func store(named name: String = "store") -> ServeOption {
        var option = value(
            name, \.store, default: "sqlite:./data/rooms.db", expected: "sqlite:PATH, postgres://… or memory:",
            """
            The event log: `sqlite:PATH` for one process, `postgres://…` for any number of nodes, \
            `memory:` for a temporary SQLite file that is removed at exit.
            """, parse: ChosenStore.init)
        option.isSecret = true
        return option.common("The event log: `sqlite:PATH`, `postgres://…`, or `memory:`, which is lost at exit.")
    }
}

/// What the server serves, and from where.
enum ServingSection: OptionSection {
    static let title = "Serving"
    static let options: [ServeOption] = [
        .text(
            "host", \.server.http.host, bounds: "an address of this machine",
            "The address to listen on; `0.0.0.0` or `::` for all."
        ).common(),
        .port,
        .number(
            "threads", \.server.http.threads, 1...256, default: "half the cores",
            "Event loops. Besides these one or two threads decide, one commits, and a few read."),
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
            How long the stop itself may take, at least a second: pending responses are awaited, then the log. What kills the \
            process by force must wait longer than both together.
            """),
        // At most 30, as the web page treats a connection without data for 40 seconds as dead.
        .number(
            "stream-notice-seconds", \.server.streams.noticeSeconds, 1...30,
            "How often every stream says who watches, which keeps it alive. A proxy must wait longer."),
        .choice("log-level", \.logLevel, "The least severe messages of the log, which goes to standard error.").common(),
        .choice("log-format", \.logFormat, "How the log is written; `json`: an object per line."),
        .text(
            "metrics-token-file", \.metricsTokenFile, default: "none, this machine only",
            bounds: "at least 16 visible ASCII characters",
            "The token that `/metrics` asks for."),
        .metricsToken,
        .text(
            "admin-token-file", \.adminTokenFile, default: "none, and no feed", bounds: "at least 32 visible ASCII characters",
            """
            The token of your programs, which read the events of all rooms by `/v1/feed` and make tokens with fewer rights by \
            `/v1/admin/tokens`; SIGHUP reads it again.
            """),
        .list(
            "webhooks-allow", \.server.webhooks.allowed, bounds: "hosts, addresses and blocks, with commas",
            expected: "host names, addresses or blocks such as 10.0.0.0/8",
            """
            Where webhooks may go beside public addresses, and without TLS too: `hooks.internal,10.0.0.0/8`. Endpoints are made by \
            `/v1/admin/webhooks`.
            """
        ) { AddressException($0) },
        .voice, .voiceKey, .voiceSecretFile, .voiceAnonymous, .voiceClientURL,
        .list(
            "trusted-proxies", \.server.trustedProxies, bounds: "addresses and blocks, with commas",
            expected: "addresses or blocks such as 10.0.0.0/8",
            """
            Proxies whose `Forwarded` or `X-Forwarded-For` names the client: `10.0.0.0/8,::1`. Without it all clients \
            behind a proxy share the limits of one address.
            """
        ) { AddressBlock($0) }
        .common("Proxies whose `Forwarded` or `X-Forwarded-For` names the client, such as `10.0.0.0/8,::1`."),
    ]
}

/// Who may be a user, and over which connections.
enum IdentitySection: OptionSection {
    static let title = "Identity and TLS"
    static let options: [ServeOption] = [
        .choice("guests", \.identity.guests, "Whether anyone may become a guest.").common(
            "`off`: only users of your identity provider."),
        .text(
            "jwks-file", \.identity.jwksFile, default: "none", bounds: "at most 16 MiB",
            "The public keys of an identity provider, as a JSON Web Key Set; SIGHUP reads it again."
        )
        .common("The public keys of your identity provider, as a JSON Web Key Set."),
        .value(
            "jwks-url", \.identity.jwksURL, default: "none", bounds: "`https:`, or `http:` on this machine",
            expected: "an address by https, or by http on this machine",
            "Or the address of the keys, which are fetched at the start, every hour, and for tokens with a new key."
        ) { Identity.mayFetchKeys(at: $0) ? $0 : nil },
        .text(
            "jwt-secret-file", \.identity.secretFile, default: "none", bounds: "at least 32 bytes",
            "Or the secret that the identity provider signs with (HS256)."),
        .jwtIssuer,
        .jwtAudience,
        .oidc,
        .value(
            "page-sign-in", \.identity.signIn.pageIssuer, default: "none", bounds: "one of `--oidc`",
            expected: "the issuer of a provider of --oidc",
            """
            The provider of `--oidc` that the web page signs users in with, as its first client id; the provider sends them back to the \
            page's address, such as `https://auction.example/`.
            """
        ) { Identity.mayFetchKeys(at: $0) ? $0 : nil },
        .number(
            "session-days", \.identity.signIn.sessionDays, 1...3650,
            "How long users who have signed in with a provider of `--oidc` can renew their tokens."),
        .text(
            "revocations-file", \.identity.revocationsFile, default: "none", bounds: "at most 16 MiB",
            """
            Tokens that are revoked, one a line: `user ID [TIME]`, `sub SUBJECT [TIME]` or `jti ID`; SIGHUP reads it again.
            """),
        .list(
            "allowed-origins", \.server.allowedOrigins, bounds: "origins, or `*`, with commas",
            expected: "origins such as https://shop.example, or *",
            """
            Other sites whose pages may call this server from a browser and open WebSockets: `https://shop.example`. Those of apps and \
            browser extensions too, of any scheme: `capacitor://localhost`, `app://localhost`. With `*` the pages of any site may \
            read without a token.
            """
        ) { WebOrigin($0)?.text }.common("Other sites whose pages may call this server: `https://shop.example`, or `*`."),
        .tlsCertificate,
        .tlsKey,
    ]
}
