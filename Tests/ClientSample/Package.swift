// swift-tools-version: 6.2
import PackageDescription

// How an app's package depends on the library: with `traits: []` no package of the server's is resolved, so the app has versions of its
// own. swift-crypto 3 and Yams 5 stand for these: both are resolved, and on Linux neither is built.
let package = Package(
    name: "client-sample",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [
        .package(name: "auction-room", path: "../..", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", exact: "3.12.3"),
        .package(url: "https://github.com/jpsim/Yams", exact: "5.0.1"),
    ],
    targets: [
        .executableTarget(
            name: "first",
            dependencies: [
                .product(name: "AuctionClient", package: "auction-room"),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.macOS])),
                .product(name: "Yams", package: "Yams", condition: .when(platforms: [.macOS])),
            ]),
        .executableTarget(name: "follow", dependencies: [.product(name: "AuctionClient", package: "auction-room")]),
        .executableTarget(name: "play", dependencies: [.product(name: "AuctionClient", package: "auction-room")]),
    ],
    swiftLanguageModes: [.v6]
)
