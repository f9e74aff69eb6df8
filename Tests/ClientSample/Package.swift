// swift-tools-version: 6.2
import PackageDescription

// How an app's package depends on the library: nothing of the server is built for it.
let package = Package(
    name: "client-sample",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(name: "auction-room", path: "../..")],
    targets: [
        .executableTarget(name: "first", dependencies: [.product(name: "AuctionClient", package: "auction-room")]),
        .executableTarget(name: "follow", dependencies: [.product(name: "AuctionClient", package: "auction-room")]),
        .executableTarget(name: "play", dependencies: [.product(name: "AuctionClient", package: "auction-room")]),
    ],
    swiftLanguageModes: [.v6]
)
