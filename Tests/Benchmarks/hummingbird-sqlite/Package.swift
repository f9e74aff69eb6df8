// swift-tools-version: 6.2

import PackageDescription

// A peer of `make bench`, never shipped: a package of its own, so that the product's graph has nothing of it.
let package = Package(
    name: "hummingbird-sqlite",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.0.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(
            name: "hummingbird-sqlite",
            dependencies: [
                "CSQLite", .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),
    ])
