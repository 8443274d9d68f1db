import Foundation
import GateKit
import GateTesting
import Synchronization

/// Answers what a test says, and remembers what was asked.
final class ScriptedTransport: GateTransport, Sendable {
    typealias Answer = @Sendable (GateRequest) async throws -> GateResponse

    private struct State {
        var answer: Answer
        var requests: [GateRequest] = []
    }

    private let state: Mutex<State>

    init(_ answer: @escaping Answer) { state = Mutex(State(answer: answer)) }

    /// One document for every question.
    convenience init(_ body: String, status: Int = 200, headers: [String: String] = [:]) {
        self.init { _ in GateResponse(status: status, headers: headers, body: Data(body.utf8)) }
    }

    var requests: [GateRequest] { state.withLock { $0.requests } }
    var count: Int { requests.count }

    func answer(_ body: String, status: Int = 200, headers: [String: String] = [:]) {
        answer { _ in GateResponse(status: status, headers: headers, body: Data(body.utf8)) }
    }

    func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

    func fail(_ code: GateKitError.Code = .transport) { answer { _ in throw GateKitError(code, "as the test wants it") } }

    /// Gives this answer to whoever asks, but not before the latch is opened, and cancelling does not open it.
    func hold(_ body: String = "", status: Int = 200) -> Latch {
        let latch = Latch()
        answer { _ in
            await latch.pass()
            return GateResponse(status: status, body: Data(body.utf8))
        }
        return latch
    }

    func send(_ request: GateRequest) async throws -> GateResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answer
        }
        return try await answer(request)
    }
}

/// Holds whoever passes until it is opened.
actor Latch {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var count = 0

    func pass() async {
        count += 1
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Waits until so many have come. In vain it opens: the test's end waits for whoever is held.
    func wait(for count: Int) async throws {
        do {
            try await waitUntil("\(count) are held", limit: .seconds(30)) { self.count >= count }
        } catch {
            open()
            throw error
        }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
