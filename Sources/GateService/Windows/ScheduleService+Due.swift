package import GateJSON

extension ScheduleService {
    /// Does what is due, in the order in which it came due, one transaction each.
    ///
    /// - Returns: when there is something to do next, nil for never; a moment in the past when something could not be done and must be
    ///   retried, which the health then reports.
    @discardableResult
    package func doWhatIsDue() -> Timestamp? {
        var failed: Set<Duty> = []
        var tries = 0
        while let (moment, duty) = nextDuty(except: failed) {
            guard moment <= ledger.now(), tries < Self.mostAtOnce else {
                if failed.isEmpty { allDone() }
                return failed.isEmpty ? moment : ledger.now()
            }
            tries += 1
            do throws(ServiceError) {
                try ledger.carryOut(DutyWork(schedule: self, duty: duty))
                ledger.failures.worked(.duty(duty))
            } catch {
                // A duty that cannot be done must not hold up the others.
                failed.insert(duty)
                // At the start it is only waiting for the history check, which wakes this thread.
                guard error.code != .starting else { continue }
                ledger.failures.failed(.duty(duty), error)
                func late(_ what: String) -> String { "schedule: \(what) could not be done on time and is tried again: \(error.word)" }
                ledger.report(naming: .init(late("\(duty)"), nameless: late("something that was due")), on: .schedule)
            }
        }
        guard failed.isEmpty else { return ledger.now() }
        allDone()
        return nil
    }

    /// For when another server does what is due, and reports what it cannot do. Whether anything is done at all is seen here.
    /// - Parameter since: since when this server has stood by; what came due before may have waited for servers that were down.
    func standBy(since: Timestamp) {
        ledger.failures.allWorked(by: Chore.scheduleName)
        ledger.report(naming: overdue(since: since), on: .schedule)
    }

    private func overdue(since: Timestamp) -> Troubles.Reason? {
        // A clock that is wrong says nothing about the others, and is reported itself.
        guard let (moment, duty) = nextDuty(except: []), !ledger.isClockOff,
            ledger.now().milliseconds - max(moment, since).milliseconds > Self.patience
        else { return nil }
        func late(_ what: String) -> String { "schedule: \(what) was due at \(moment), and no server has done it" }
        return .init(late("\(duty)"), nameless: late("something"))
    }

    /// How long, in milliseconds, something may be overdue before a server that stands by says so: longer than it takes another one to get
    /// the duty.
    private static let patience: Int64 = 10_000

    /// Nothing that failed is left: it was done, or called off.
    private func allDone() {
        ledger.failures.allWorked(by: Chore.scheduleName)
        ledger.report(nil, on: .schedule)
    }

    /// Every duty done is one less to do; if that ever fails to hold, the server must not spin.
    private static let mostAtOnce = 10_000

    private func nextDuty(except failed: Set<Duty>) -> (moment: Timestamp, duty: Duty)? {
        let snapshot = ledger.snapshot
        return Duty.next(snapshot.catalog, snapshot.schedule, except: failed)
    }
}
