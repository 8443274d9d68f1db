import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct DoctorCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "doctor",
        abstract: "Check settings, connection, rights, clock and feeds, one line each.",
        discussion: """
            EXAMPLES
              gatectl doctor
              gatectl doctor --context staging -v
            """
    )

    @OptionGroup var common: CommonOptions

    private struct Diagnosis {
        var name: String
        var isGood = true
        /// Good, but not for long or not in every respect.
        var isWarning = false
        var detail: String
    }

    func execute(_ console: Console) async throws {
        var findings: [Diagnosis] = []
        var worst: Failure?
        do {
            let session = try Session.open(common.connection, console, needsToken: false)
            let settings = session.settings
            findings.append(.init(name: "server", detail: "\(settings.server) (from \(settings.serverOrigin))"))
            findings.append(
                .init(
                    name: "token",
                    isGood: settings.token != nil,
                    detail: settings.tokenOrigin.map { "from \($0)" } ?? "none: \(Invocation.sameServer("auth login"))"
                )
            )
            try await ask(session, &findings)
        } catch {
            let failure = Failure.of(error)
            findings.append(.init(name: findings.isEmpty ? "settings" : "answer", isGood: false, detail: Style.safe(failure.message)))
            worst = failure
        }
        show(findings, console)
        if let worst { throw ExitCode(worst.exit) }
        if findings.contains(where: { !$0.isGood }) { throw ExitCode(Exit.other) }
    }

    /// - Parameter findings: what was found before a request failed stays in it.
    private func ask(_ session: Session, _ findings: inout [Diagnosis]) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let status = try await session.client.status()
        findings += Self.server(status, answeredIn: clock.now - start)
        findings += Self.rights(try await session.client.session(), now: status.serverTime)
        findings.append(try await feeds(session))
    }

    private static func server(_ status: StatusBody, answeredIn time: Duration) -> [Diagnosis] {
        let milliseconds = time.components.attoseconds / 1_000_000_000_000_000 + time.components.seconds * 1_000
        var findings = [Diagnosis(name: "answer", detail: "Gatehouse \(Style.safe(status.version)) in \(milliseconds) ms")]
        if let difference = ServerRelease.difference(status.version) {
            findings.append(.init(name: "version", isWarning: true, detail: difference))
        }
        let health = status.health
        let reasons = health.reasons.isEmpty ? "" : ": " + health.reasons.map(Style.safe).joined(separator: " ")
        findings.append(.init(name: "health", isGood: health.state == .ok, detail: health.state.rawValue + reasons))
        findings += health.notices.map { Diagnosis(name: "notice", detail: Style.safe($0)) }
        if let servers = Words.servers(status.servers) { findings.append(.init(name: "servers", detail: servers)) }
        let apart = abs(Timestamp.now.milliseconds - status.serverTime.milliseconds) / 1_000
        findings.append(
            .init(name: "clock", isGood: apart < 30, detail: apart < 2 ? "agrees with the server's" : "\(apart) s apart from the server's")
        )
        return findings
    }

    private static func rights(_ session: SessionBody, now: Timestamp) -> [Diagnosis] {
        let user = session.user
        let mayWrite = user.role > .viewer
        let named = "\(Style.safe(user.name)), \(user.role.rawValue)"
        let rights = Diagnosis(name: "rights", isGood: mayWrite, detail: named + (mayWrite ? "" : ": may only look"))
        guard let end = session.expiresAt else { return [rights] }
        let isNear = end.milliseconds - now.milliseconds < warning
        let ends = "ends in \(Words.age(from: now, to: end)), at \(Words.time(end, inUTC: false))"
        let rotate = isNear ? ": " + Invocation.sameServer("tokens rotate") : ""
        return [rights, .init(name: "token", isWarning: isNear, detail: ends + rotate)]
    }

    /// Whether the first target's gate is published as it is.
    private func feeds(_ session: Session) async throws -> Diagnosis {
        guard let target = try await session.client.targets().first, let path = target.feeds[.gate] else {
            return .init(name: "feeds", detail: "no apps yet")
        }
        let feed = try await session.phone.raw(path)
        let revision = (try? JSONReader.read(feed.body, limits: .own))?.object?["revision"]?.integer
        let (key, expected) = (target.target.key, target.target.revision)
        guard feed.status == 200, let revision, revision >= expected else {
            let found = revision.map(String.init) ?? "unknown"
            return .init(name: "feeds", isGood: false, detail: "\(path) answered \(feed.status), revision \(found) and not \(expected)")
        }
        return .init(name: "feeds", detail: "\(key) is published at revision \(revision)")
    }

    /// How many milliseconds before a token's end doctor starts to warn: two weeks, for those who look once a week.
    private static let warning: Int64 = 14 * 86_400_000

    private func show(_ findings: [Diagnosis], _ console: Console) {
        if console.isJSON {
            let items = findings.map { finding -> JSONValue in
                var item: JSONObject = ["check": .string(finding.name), "ok": .bool(finding.isGood), "detail": .string(finding.detail)]
                if finding.isWarning { item["warning"] = .bool(true) }
                return .object(item)
            }
            return console.json(Document.list(items, ["ok": .bool(findings.allSatisfy(\.isGood))]))
        }
        for finding in findings {
            let mark = finding.isWarning ? "WARN" : finding.isGood ? "ok  " : "FAIL"
            let tint: Style.Tint = finding.isWarning ? .update : finding.isGood ? .open : .blocked
            console.data(
                "\(console.out.tinted(mark, tint))  \(finding.name)\(String(repeating: " ", count: max(1, 9 - finding.name.count)))\(finding.detail)"
            )
        }
    }
}
