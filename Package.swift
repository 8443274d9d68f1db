// swift-tools-version: 6.1
import PackageDescription

/// The three upcoming features that every Swift target of this package is built with; the tools version makes Swift 6 mode the default.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// With the optimizer on in debug builds, too, while the variable is set, as `deploy/test` does: reading and writing JSON is much of what the
/// tests do, and takes about twice as long without it. What `assert` checks is checked all the same. Unset for everybody else, because the
/// package manager refuses a dependency that has flags of its own, and GateKit needs these rooms.
let optimizedSettings =
    Context.environment["GATEHOUSE_OPTIMIZED_ROOMS"] == nil
    ? settings : settings + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// A room of the package. `imports` is the room's line in the table of allowed imports; nothing else can be imported.
func room(_ name: String, imports: [Target.Dependency] = [], settings: [SwiftSetting] = settings) -> Target {
    .target(name: name, dependencies: imports, swiftSettings: settings)
}

func program(_ name: String, imports: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: imports, swiftSettings: settings)
}

func tests(of name: String, imports: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: [.byName(name: name), "GateTesting"] + imports,
        resources: resources,
        swiftSettings: settings
    )
}

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let sqlite = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
    name: "gatehouse",
    // Apps build only GateKit and the rooms below it, which need nothing newer. The server's rooms need macOS 15 (`Synchronization.Mutex`)
    // and run on Linux, where `platforms` has no effect; to build them on a Mac, set the variable. A platform counts for the whole package:
    // with macOS 15 here, no app for macOS 12 could depend on GateKit.
    platforms: [.iOS(.v15), Context.environment["GATEHOUSE_SERVER_ON_MACOS"] == nil ? .macOS(.v12) : .macOS(.v15)],
    products: [
        .library(name: "GateKit", targets: ["GateKit"]),
        .executable(name: "gatehouse", targets: ["gatehouse"]),
        .executable(name: "gatectl", targets: ["gatectl"]),
        .executable(name: "gatekit-demo", targets: ["gatekit-demo"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.8.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),

        room("GateJSON", settings: optimizedSettings),
        room("GateModel", imports: ["GateJSON"], settings: optimizedSettings),
        room("GateFeeds", imports: ["GateJSON", "GateModel"]),
        room("GateCrypto", imports: ["CSodium"]),
        room("PostgreSQL", imports: ["CPostgreSQL"]),
        room("GateStore", imports: ["GateJSON", "GateModel", "GateCrypto", "PostgreSQL", sqlite]),
        room("GateService", imports: ["GateJSON", "GateModel", "GateFeeds", "GateCrypto", "GateStore"]),
        room("GateHTTP"),
        room("MicroHTTP", imports: ["CMicroHTTPD", "GateHTTP"]),
        room("GateAPI", imports: ["GateJSON", "GateModel"]),
        room("GateServer", imports: ["GateAPI", "GateFeeds", "GateHTTP", "GateJSON", "GateModel", "GateService"]),
        room("CurlHTTP", imports: ["CCurl"]),
        room("ObjectStore", imports: ["CurlHTTP", "GateJSON"]),
        room("GateAdminClient", imports: ["CurlHTTP", "GateAPI", "GateJSON", "GateModel"]),
        // Apple's systems have Ed25519 in CryptoKit; libsodium is for the others.
        room(
            "GateKit",
            imports: ["GateJSON", "GateModel", "GateFeeds", .target(name: "GateCrypto", condition: .when(platforms: [.linux]))]
        ),

        program(
            "gatehouse",
            imports: [
                "GateServer", "GateService", "GateStore", "GateCrypto", "GateHTTP", "GateJSON", "GateModel", "MicroHTTP", "ObjectStore",
                arguments, logging,
            ]
        ),
        program(
            "gatectl",
            imports: ["CurlHTTP", "GateAdminClient", "GateAPI", "GateJSON", "GateModel", "GateFeeds", "ObjectStore", arguments]
        ),

        program("gatekit-demo", imports: ["GateKit", "GateJSON", arguments]),

        // What all tests need: a clock, random numbers from a seed, folders. The clock returns `Timestamp`s.
        .target(name: "GateTesting", dependencies: ["GateJSON"], path: "Tests/GateTesting", swiftSettings: settings),
        tests(of: "GateJSON"),
        tests(of: "GateModel", imports: ["GateJSON"]),
        tests(of: "GateFeeds", imports: ["GateJSON", "GateModel"], resources: [.copy("Golden"), .copy("Fixtures")]),
        tests(of: "GateCrypto"),
        tests(of: "PostgreSQL"),
        tests(of: "GateStore", imports: ["GateJSON", "GateModel", "GateCrypto", "PostgreSQL", sqlite]),
        tests(of: "GateService", imports: ["GateJSON", "GateModel", "GateStore", "GateCrypto", "GateFeeds"]),
        tests(of: "GateHTTP"),
        tests(of: "MicroHTTP", imports: ["GateHTTP"]),
        tests(of: "GateAPI", imports: ["GateJSON", "GateModel"], resources: [.copy("Golden")]),
        tests(
            of: "GateServer",
            imports: ["GateAPI", "GateHTTP", "GateJSON", "GateModel", "GateService", "GateStore", "GateCrypto", sqlite]
        ),
        tests(of: "ObjectStore", imports: ["GateHTTP", "MicroHTTP"]),
        tests(of: "GateAdminClient"),
        tests(of: "GateKit", imports: ["GateCrypto", "GateFeeds", "GateJSON", "GateModel"], resources: [.copy("Fixtures")]),
        tests(of: "gatectl", imports: ["GateAdminClient", "GateAPI", "GateFeeds", "GateModel", arguments]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "CurlHTTP", "GateAdminClient", "GateAPI", "GateCrypto", "GateFeeds", "GateJSON", "GateModel", "GateTesting", "ObjectStore",
                "gatehouse", "gatectl",
                "gatekit-demo", sqlite,
            ],
            resources: [.copy("Golden")],
            swiftSettings: settings,
            // The linker gold fails here without saying what is missing.
            linkerSettings: [.unsafeFlags(["-use-ld=lld"])]
        ),
    ]
)

// Only for Tests/Fuzz/run, which sets the variable: the program needs functions of libFuzzer, which no other build has.
if Context.environment["GATEHOUSE_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: ["GateFeeds", "GateHTTP", "GateJSON", "GateModel"],
            path: "Tests/Fuzz",
            exclude: ["README.md", "run", "words.dict", "Corpus"],
            swiftSettings: settings,
            // The linker gold fails here without saying what is missing.
            linkerSettings: [.unsafeFlags(["-use-ld=lld"])]
        )
    )
}
