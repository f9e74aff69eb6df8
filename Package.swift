// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "auction-room",
    // For the libraries that apps use: AuctionClient and StateMachines. The server is built and tested on Linux only.
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "AuctionClient", targets: ["AuctionClient"]),
        .executable(name: "auction-room", targets: ["auction-room"]),
        .library(name: "StateMachines", targets: ["StateMachines"]),
    ],
    traits: [
        .trait(name: "Server", description: "The server, with the packages that it needs. An app leaves it out: `traits: []`."),
        .default(enabledTraits: ["Server"]),
    ],
    // Exact versions, so that the same sources make the same program: "One package, with exact versions" in DecisionsOnTheCore.md.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        // C libraries as Debian ships them.
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // openapi/openapi.yaml and openapi/asyncapi.yaml, embedded in the program.
        .target(name: "CContract"),
        // Thread scheduling, a semaphore with a monotonic time-out, thread names, clocks.
        .target(name: "CScheduling"),
        // Reports the requests that were being handled when the program traps.
        .target(name: "CTrapReport"),
        // The web page (Sources/Page) and the articles, embedded in the program.
        .target(name: "CPage"),
        // Calls of libmicrohttpd that Swift cannot make. GnuTLS is linked by name, so that the shims can replace one of its functions.
        .target(name: "CMicroHTTPDShims", dependencies: ["CMicroHTTPD"], linkerSettings: [.linkedLibrary("gnutls")]),

        // Calls of libcurl that Swift cannot make.
        .target(name: "CCurlShims", dependencies: ["CCurl"]),

        // Pure: no clock, no random source, no file, no network, no `unsafe`.
        .target(name: "ExactJSON"),
        .target(name: "IPAddresses"),
        .target(name: "StateMachines"),
        .target(name: "Permissions"),
        .target(name: "Pictures"),
        .target(name: "WebSocketFrames"),
        .target(name: "AuctionDomain", dependencies: ["StateMachines", "Permissions"]),

        // The operations of the API and the codes of its problems, from which the contract in `openapi/` is made.
        .target(name: "AuctionContract", dependencies: ["AuctionDomain", "ExactJSON", "Permissions"]),

        // For apps: Foundation and StateMachines, nothing else. `Core` is pure.
        // The client library. Its core has no network of its own, so that the program's terminal client needs no URLSession.
        .target(name: "AuctionClientCore", dependencies: ["StateMachines"]),
        .target(name: "AuctionClient", dependencies: ["AuctionClientCore"]),

        // SHA-256 and the other primitives that the service needs, by OpenSSL's libcrypto.
        .target(name: "Cryptography", dependencies: ["CCrypto"]),

        // Requests to other servers, by libcurl.
        .target(name: "OutboundHTTP", dependencies: ["CCurl", "CCurlShims", "CScheduling", "IPAddresses"]),

        // The log and the cores.
        .target(
            name: "EventLog",
            dependencies: ["AuctionDomain", "Cryptography", "ExactJSON", "Permissions"]),
        .target(
            name: "EventLogSQLite",
            dependencies: [
                "AuctionDomain", "CSQLite", "Cryptography", "EventLog", "ExactJSON",
            ]),
        .target(
            name: "EventLogPostgres", dependencies: ["AuctionDomain", "CPostgres", "CScheduling", "EventLog", "ExactJSON"]),
        .target(
            name: "AuctionService",
            dependencies: [
                "AuctionDomain", "CScheduling", "Cryptography", "EventLog", "Permissions",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ]),

        // The shells.
        .target(
            name: "MicroHTTP",
            dependencies: [
                "CMicroHTTPD", "CMicroHTTPDShims", "CScheduling", "Cryptography", "IPAddresses", "WebSocketFrames",
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "AuctionServer",
            dependencies: [
                "AuctionContract", "AuctionDomain", "AuctionService", "CContract", "CPage", "CTrapReport", "CZlib",
                "Cryptography", "EventLog",
                "ExactJSON", "IPAddresses", "MicroHTTP", "OutboundHTTP",
                "Permissions", "Pictures",
                "StateMachines", "WebSocketFrames",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "auction-room",
            dependencies: [
                "AuctionClientCore", "AuctionContract", "AuctionDomain", "AuctionServer", "AuctionService", "CMicroHTTPDShims",
                "EventLog",
                "EventLogPostgres", "EventLogSQLite", "IPAddresses", "MicroHTTP", "OutboundHTTP", "StateMachines",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),

        // For tests and measurements, never shipped.
        .target(
            name: "AuctionTestKit",
            dependencies: [
                "AuctionContract", "AuctionDomain", "AuctionService", "Cryptography", "EventLog", "ExactJSON", "Permissions",
                "StateMachines",
                .product(name: "HeapModule", package: "swift-collections"),
            ], path: "Tests/AuctionTestKit"),
        // Sockets, waiting and random bits, also for the tests of targets that know nothing of auctions.
        .target(name: "TestSupport", dependencies: ["CCrypto"], path: "Tests/TestSupport"),
        // Reads the contract in `openapi/` and checks responses against it.
        .target(
            name: "HTTPContract", dependencies: ["ExactJSON", .product(name: "Yams", package: "Yams")],
            path: "Tests/HTTPContract", exclude: ["Unlisted.yaml"]),
        // Fuzzes the whole server in one process with requests and frames made from the contract.
        .target(
            name: "ServerFuzz",
            dependencies: [
                "AuctionContract", "AuctionDomain", "AuctionServer", "AuctionService", "AuctionTestKit", "EventLog",
                "ExactJSON", "HTTPContract",
                "MicroHTTP", "WebSocketFrames", .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/ServerFuzz"),
        .executableTarget(
            name: "fuzz-server",
            dependencies: ["ServerFuzz", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Tests/Tools/fuzz-server"),
        // One function for each parser of clients' bytes; called by libFuzzer (`make fuzz`) and, over a corpus, by a unit test.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AuctionDomain", "AuctionServer", "AuctionTestKit", "Cryptography", "EventLog", "ExactJSON", "MicroHTTP",
                "Pictures",
                "WebSocketFrames",
            ], path: "Tests/FuzzTargets"),
        .executableTarget(
            name: "simulate",
            dependencies: ["AuctionTestKit", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Tests/Tools/simulate"),
        .executableTarget(
            name: "audit-events",
            dependencies: ["AuctionTestKit", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Tests/Tools/audit-events"),
        .executableTarget(
            name: "websocket-echo",
            dependencies: [
                "MicroHTTP", "WebSocketFrames", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/Tools/websocket-echo"),
        // What `make bench` and its sisters measure with: loads of this service's, and libmicrohttpd alone to compare with.
        .executableTarget(
            name: "auction-bench",
            dependencies: [
                "AuctionDomain", "CMicroHTTPDShims", "CScheduling", "EventLog", "EventLogPostgres", "EventLogSQLite",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Tests/Benchmarks/auction-bench"),
        // What `Tests/scripts/test-work.sh` counts instructions and allocations of.
        .executableTarget(
            name: "auction-work",
            dependencies: [
                "AuctionDomain", "AuctionServer", "AuctionTestKit", "EventLog", "ExactJSON", "MicroHTTP",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/Benchmarks/auction-work"),
        .executableTarget(
            name: "bare-microhttpd", dependencies: ["CMicroHTTPD"], path: "Tests/Benchmarks/bare-microhttpd"),

        .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets"]),
        .testTarget(name: "ServerFuzzTests", dependencies: ["ExactJSON", "HTTPContract", "ServerFuzz"]),
        .testTarget(name: "CryptographyTests", dependencies: ["Cryptography", "TestSupport"]),
        .testTarget(name: "ExactJSONTests", dependencies: ["ExactJSON"]),
        .testTarget(name: "IPAddressesTests", dependencies: ["IPAddresses"]),
        .testTarget(name: "OutboundHTTPTests", dependencies: ["IPAddresses", "OutboundHTTP", "TestSupport"]),
        .testTarget(name: "StateMachinesTests", dependencies: ["StateMachines"]),
        .testTarget(
            name: "AuctionClientTests", dependencies: ["AuctionClient", "AuctionClientCore", "StateMachines", "TestSupport"]),
        .testTarget(name: "PermissionsTests", dependencies: ["Permissions"]),
        .testTarget(name: "PicturesTests", dependencies: ["Pictures"]),
        .testTarget(name: "WebSocketFramesTests", dependencies: ["TestSupport", "WebSocketFrames"]),
        .testTarget(
            name: "AuctionDomainTests",
            dependencies: ["AuctionDomain", "AuctionTestKit", "Permissions", "StateMachines", "TestSupport"]),
        .testTarget(
            name: "EventLogTests",
            dependencies: [
                "AuctionDomain", "AuctionService", "AuctionTestKit", "CSQLite", "EventLog", "EventLogPostgres",
                "EventLogSQLite", "ExactJSON", "TestSupport",
            ], exclude: ["Data"]),
        .testTarget(
            name: "AuctionServiceTests",
            dependencies: ["AuctionDomain", "AuctionService", "AuctionTestKit", "EventLog", "TestSupport"]),
        .testTarget(
            name: "MicroHTTPTests",
            dependencies: [
                "IPAddresses", "MicroHTTP", "TestSupport", "WebSocketFrames", .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "AuctionServerTests",
            dependencies: [
                "AuctionContract", "AuctionDomain", "AuctionServer", "AuctionTestKit", "AuctionService", "CPage",
                "Cryptography", "EventLog",
                "EventLogSQLite", "ExactJSON", "HTTPContract", "IPAddresses", "MicroHTTP", "OutboundHTTP",
                "Permissions", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer provides the `main` of this program, so it links with that sanitizer only: see `.ci/fuzz.sh`.
if Context.environment["AUCTION_ROOM_FUZZ"] != nil {
    package.targets.append(.executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz"))
}

// The articles and the reference as web pages: `make docs`. Other builds do not download the plugin.
if Context.environment["AUCTION_ROOM_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"))
}

// Apple's tools look for the privacy manifest of a library in its bundle; elsewhere a bundle would only be one more folder beside a program.
// The manifest of a package is evaluated on the machine that builds.
for target in package.targets where target.name == "AuctionClient" {
    #if os(macOS)
        target.resources = [.process("PrivacyInfo.xcprivacy")]
    #else
        target.exclude = ["PrivacyInfo.xcprivacy"]
    #endif
}

// All packages are the server's: without its trait none is resolved.
for target in package.targets {
    target.dependencies = target.dependencies.map { dependency in
        guard case .productItem(let name, let package, let aliases, _) = dependency else { return dependency }
        return .product(name: name, package: package ?? "", moduleAliases: aliases, condition: .when(traits: ["Server"]))
    }
}

// Not optimised in release builds, since no request goes through them: the terminal client, the tables of the contract, the commands. They are
// a fifth of the code: "A release optimises what requests go through" in DecisionsOnTheCore.md. An app, which has not this trait, gets its
// client optimised.
for target in package.targets where ["AuctionClientCore", "AuctionContract", "auction-room"].contains(target.name) {
    target.swiftSettings = [.unsafeFlags(["-Onone"], .when(configuration: .release, traits: ["Server"]))]
}

// The strictest checks of the compiler, for every target.
for target in package.targets where ![.system, .plugin].contains(target.type) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .strictMemorySafety(),
            .treatAllWarnings(as: .error),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
