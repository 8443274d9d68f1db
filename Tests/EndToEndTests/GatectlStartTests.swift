import Foundation
import Testing

/// What gatectl loads before its first line runs: everything it does is waited for at a keyboard.
struct GatectlStartTests {
    /// Foundation with its time zones and locales takes longer to load than most commands take altogether. Its essentials come with the
    /// argument parser.
    @Test func foundationIsNotLoaded() async throws {
        // The loader lists what it would load, and runs nothing (ld.so(8)).
        let outcome = try await run(Programs.gatectl, [], environment: ["LD_TRACE_LOADED_OBJECTS": "1"])
        let libraries = outcome.out.split(separator: "\n").compactMap {
            $0.split(separator: " ").first?.trimmingCharacters(in: .whitespaces)
        }
        #expect(libraries.contains { $0.hasPrefix("libcurl") }, "\(outcome)")
        for name in ["libFoundation.so", "libFoundationInternationalization.so", "libFoundationNetworking.so", "lib_FoundationICU.so"] {
            #expect(!libraries.contains(name), "\(name)")
        }
        // It talks to servers, and to no database.
        #expect(!libraries.contains { $0.hasPrefix("libpq") || $0.hasPrefix("libsqlite3") }, "\(outcome)")
    }
}
