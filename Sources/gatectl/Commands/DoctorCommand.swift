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
        var isGood: Bool
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
            findings.append(.init(name: "server", isGood: true, detail: "\(settings.server) (from \(settings.serverOrigin))"))
            findings.append(
                .init(
                    name: "token",
                    isGood: settings.token != nil,
                    detail: settings.tokenOrigin.map { "from \($0)" } ?? "none: gatectl auth login"
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

    private func ask(_ session: Session, _ findings: inout [Diagnosis]) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let status = try await session.client.status()
        let time = clock.now - start
        findings.append(
            .init(
                name: "answer",
                isGood: true,
                detail:
                    "Gatehouse \(Style.safe(status.version)) in \(time.components.attoseconds / 1_000_000_000_000_000 + time.components.seconds * 1_000) ms"
            )
        )
        if let difference = ServerRelease.difference(status.version) {
            findings.append(.init(name: "version", isGood: true, isWarning: true, detail: difference))
        }
        let health = status.health
        let reasons = health.reasons.isEmpty ? "" : ": " + health.reasons.map(Style.safe).joined(separator: " ")
        findings.append(.init(name: "health", isGood: health.state == .ok, detail: health.state.rawValue + reasons))
        for notice in health.notices { findings.append(.init(name: "notice", isGood: true, detail: Style.safe(notice))) }
        if let servers = Words.servers(status.servers) { findings.append(.init(name: "servers", isGood: true, detail: servers)) }
        let apart = abs(Timestamp.now.milliseconds - status.serverTime.milliseconds) / 1_000
        findings.append(
            .init(name: "clock", isGood: apart < 30, detail: apart < 2 ? "agrees with the server's" : "\(apart) s apart from the server's")
        )
        let signedIn = try await session.client.session()
        let user = signedIn.user
        findings.append(
            .init(
                name: "rights",
                isGood: user.role > .viewer,
                detail: "\(Style.safe(user.name)), \(user.role.rawValue)" + (user.role > .viewer ? "" : ": may only look")
            )
        )
        if let end = signedIn.expiresAt {
            let isNear = end.milliseconds - status.serverTime.milliseconds < Self.warning
            let left = Words.age(from: status.serverTime, to: end)
            findings.append(
                .init(
                    name: "token",
                    isGood: true,
                    isWarning: isNear,
                    detail: "ends in \(left), at \(Words.time(end, inUTC: false))" + (isNear ? ": gatectl tokens rotate" : "")
                )
            )
        }
        let targets = try await session.client.targets()
        guard let target = targets.first, let path = target.feeds[.gate] else {
            return findings.append(.init(name: "feeds", isGood: true, detail: "no apps yet"))
        }
        let feed = try await session.phone.raw(path)
        let revision = (try? JSONReader.read(feed.body, limits: .own))?.object?["revision"]?.integer
        let isGood = feed.status == 200 && (revision ?? 0) >= target.target.revision
        findings.append(
            .init(
                name: "feeds",
                isGood: isGood,
                detail: isGood
                    ? "\(target.target.key) is published at revision \(revision ?? 0)"
                    : "\(path) answered \(feed.status), revision \(revision.map(String.init) ?? "unknown") and not \(target.target.revision)"
            )
        )
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
