import Foundation

/// What a program that is built with a sanitizer is told of where its reports go, by `Tests/Sanitizers/run`.
enum Sanitizers {
    static let environment = ProcessInfo.processInfo.environment.filter { ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) }
}
