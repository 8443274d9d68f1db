"""Which test tries to break which requirement, and README.md with their table, made again by each run (and by `Tests/Faults/run table`).

A test is named by file and function, `CommitTests.aFailureAtAnyStepLeavesNothing`, one of the dashboard's by its Python name, a run of this folder
as `run NAME`, another one by its command. The table is not made when one of them does not exist."""
import datetime
import json
import pathlib
import re

import chart

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FIGURES = HERE / "figures.json"

# Number: what it asks for, in short; its tests; and where tests are missing or incomplete, why.
REQUIREMENTS = {
    1: ("no acknowledged change is lost or doubled on kill -9", "run storm, run killed, ServerDurabilityTests.whatWasAcknowledgedIsThereAfterKill9", ""),
    2: ("a commit reaches the disk before its answer", "run order", ""),
    3: ("whoever was answered finds the new feed", "ServerWritingTests.afterTheAnswerNoFeedShowsAnOlderState, DurabilityTests.whoeverWasAnsweredFindsTheNewFeed, Tests/Benchmarks/run changes", ""),
    4: ("sequences only rise, over restarts, restores, clock steps", "RestoreTests.aRestoreGoesOnAboveWhatTheFolderHandedOut, CommitTests.onlyTheNextSequenceIsTaken, ScheduleTests.aClockThatIsPutBackRepeatsNothing", ""),
    5: ("pragmas are read back at the start", "StoreOpeningTests.aSettingThatDoesNotHoldIsNamed", ""),
    6: ("one writer", "StoreOpeningTests.exactlyOneConnectionCanWrite, StoreOpeningTests.exactlyOneHandleIsOpenForWriting, ServerDurabilityTests.aSecondServerOnTheSameDataSaysSoAndLeaves", ""),
    7: ("change, audit row and kept answer are one transaction", "CommitTests.aFailureAtAnyStepLeavesNothing, AtomicityTests.aWriteThatFailsAnywhereLeavesNothing", ""),
    8: ("a repeated key gives the same answer", "IdempotencyTests.theSameKeyGivesTheFirstAnswerByteForByte, IdempotencyTests.anotherBodyUnderTheSameKeyIsRefused, IdempotencyTests.aKeyIsForgottenAfterADay", ""),
    9: ("a stale revision is 412, none 428; of two one wins", "DurabilityTests.ofTwoWritersWithOneRevisionOneWins, ServerWritingTests.aChangeWithoutARevisionIsRefusedWith428", ""),
    10: ("the history only grows; one bit changed is found", "AppendOnlyTests.refused, VerifyTests.aTriggerThatWasWeakenedIsFound, VerifyTests.everyColumnOfEveryRowIsCovered, ServerDurabilityTests.oneChangedByteOfTheHistoryIsFoundAndItsRowNamed", ""),
    11: ("the chain's head is anchored outside", "VerifyTests.anAnchorFindsATailThatWasCutOffAndAHistoryRewritten, TamperedServerTests.anOlderFolderIsKnownByTheAnchorsCopy", ""),
    12: ("a backup under writes is of one moment, checked, atomic; the way back is walked", "BackupTests.aBackupUnderChangesIsRestoredIntoAnEmptyFolder, BackupTests.oneFlippedBitAnywhereIsFound, BackupTests.aRestoreThatIsKilledCanBeRunAgain, run killed", ""),
    13: ("feeds stay while the database is full, read-only, locked, slow, gone", "run full, run injected, run locked, run deleted", ""),
    14: ("writes then fail closed within 6 s and recover without a restart", "run full, run locked, run deleted, run nth, DiskTests.aFullDiskRefusesAndRecoversByItself", ""),
    15: ("a damaged database never makes another valid feed", "TroubleTests.aCorruptDatabaseNeverMakesOtherFeeds, DiskTests.damagedPagesGiveErrorsAndNeverAnotherState, KilledServerTests.aLogThatWasLostTakesNoFeedBack, KilledServerTests.aTableThatLostItsRowsTakesNoFeedAway, run corrupted", ""),
    16: ("with an unreadable database the last feeds within a second", "run unreadable, TroubleTests.withAnUnreadableDatabaseTheLastFeedsAreServedAndNothingIsWritten", ""),
    17: ("SIGTERM under load cuts no answer", "StopTests.stoppingUnderLoadCutsNoAnswer, ServerDurabilityTests.aStopUnderLoadIsAnOrderlyEnd", ""),
    18: ("a restart shows no wrong answer", "ServerDurabilityTests.theFeedsOfARestartedServerAreTheSameBytes, run storm", ""),
    19: ("load on the admin side does not move the feeds", "run hostile", ""),
    20: ("10,000 idle and 1,000 slow callers", "run slow, run crowd, Tests/Benchmarks/run idle", ""),
    21: ("deadlines of header, body, answer, connection", "DeadlineTests.whoNamesNoDeadlinesHasThose, DeadlineTests.aHeaderThatNeverEndsIsCut, DeadlineTests.anAnswerThatIsNotReadIsCut, run slow", ""),
    22: ("caps of body, header, target, connections", "BodyTests.aBodyOfTheLimitIsTakenAndOneByteMoreIsNot, BodyTests.tooLongATargetIs414AndTooLargeAHeader431, run limits", ""),
    23: ("no descriptors and no memory end nothing", "run limits", ""),
    24: ("health and metrics tell", "TroubleTests.aFailingDatabaseRefusesTheChangeAndShowsInTheHealth, ServerMetricsTests.theMetricsCountWhatWasAsked, run full", ""),
    25: ("the edge keeps serving", "Tests/Edge/run edge, Tests/Edge/run bad_starts", ""),
    26: ("feeds are signed", "SignatureVectorTests.documentedVectors, SignedFeedTests.everyByteOfTheDocumentAndOfTheSignatureIsProven, SignedFeedTests.anOlderDocumentIsRefusedAlsoAfterARestart, FeedKeyRingTests.activatingRetiresTheOneBefore", ""),
    27: ("the client's own contract", "FaultTests.nothingHappensByMistake, FaultTests.whereNobodyListensAColdStartLetsInAtOnce, BackOffTests.whatFailedIsAskedForLater", ""),
    28: ("framing", "EdgeTests.anAmbiguousRequestIsRefusedAndNothingAfterItIsExecuted, EdgeTests.everyExecutedRequestHasOneAnswerAndARefusalIsTheLast, BodyTests.nothingBehindChunksIsExecuted, Tests/Edge/run raw", ""),
    29: ("ETag, If-None-Match, HEAD, 405", "ConditionalRequestTests.ifNoneMatchIsReadToTheLetter, HTTPServerTests.headHasTheHeadersOfGetAndNoBody, FeedsResponderTests.aFeedIsOnlyRead", "feeds are small and have no gzip twin"),
    30: ("a hundred pipelined requests in order", "HTTPServerTests.aHundredPipelinedRequestsAreAnsweredInOrder", ""),
    31: ("no path leads outside", "StaticFilesTests.noPathLeadsOutsideTheFiles, StaticFilesTests.linksHiddenNamesAndUnknownKindsAreNotServedAndAreNamed", ""),
    32: ("exact headers of each class", "HeaderSetTests.answersOfTheAdminListenerHaveTheHeadersOfTheirClass, HTTPServerTests.thePreparedFeedHasExactlyItsHeaders", ""),
    33: ("who may what, on each route", "RouteTests.everyRouteIsClosedToEverybodyBelowItsAccess, RouteTests.nobodyBelowTheAccessHasWrittenAnything", ""),
    34: ("sessions", "AuthenticatorTests.theCookieIsForThisHostAloneAndNotForScripts, PeopleTests.aPersonsSessionsEndWhenTheirRightsOrPasswordChange, PeopleTests.theFileHoldsDigestsAlone", ""),
    35: ("no request of another page changes anything", "AuthenticatorTests.aRequestThatTheOwnPageDidNotSendIsRefusedWithoutEffect, test_no_form_and_no_script_of_another_origin_changes_anything", ""),
    36: ("the policy holds, texts stay text", "test_a_violation_of_the_policy_would_be_seen", ""),
    37: ("argon2id, two at a time, the same time for all", "PasswordHashTests.theStandardCostStandsInTheText, run passwords", ""),
    38: ("throttles survive a restart; the right person gets in", "AccessServiceTests.aRestartForgivesNothing, SignInAttackTests.anAttackFromEverywhereKeepsTheRightPersonOutForAMinuteAtMost", ""),
    39: ("no default credentials", "AccessServiceTests.theFirstAdministratorIsMadeOnceWithTheCode, AccessServiceTests.theSetUpIsForTheServersOwnMachineOnly", ""),
    40: ("tokens", "TokenOwnerTests.aTokenIsRevokedOnce, PeopleTests.theFileHoldsDigestsAlone, run canary", ""),
    41: ("typed confirmations, fresh sign-ins, undo", "ServerWritingTests.aProtectedEnvironmentRefusesAKillWithoutConfirmationWhoeverAsks, SessionAccessTests.fiveMinutesAfterSigningInSomeRoutesWantThePasswordAgain", ""),
    42: ("one-time codes", "TOTPTests.aCodeIsTakenInTheStepBeforeAndTheStepAfterAndNoFurther, SecondFactorTests.aCodeServesOnceAndNoneBeforeItServesAfterwards, SecondFactorTests.aRecoveryCodeOpensOnceHoweverItIsTyped", ""),
    43: ("JSON bombs", "run limits, JSONReaderTests.depthIsLimitedWithoutRunningOutOfStack, Tests/Fuzz/run json", ""),
    44: ("characters that disguise are refused in every field", "MalformedBodyTests.noTextFieldTakesADisguise, MessageTextTests.charactersThatDisguiseOrBreakADialogAreRefused, Tests/Fuzz/run messages", ""),
    45: ("forwarded addresses of trusted peers alone", "TrustedProxyTests.theSenderIsTheLastHopThatIsNotOurs, TrustedProxyTests.whoClaimsAnotherAddressEachTimeIsSlowedDownAllTheSame", ""),
    46: ("no secret in log, error, metric, audit", "run canary, ServiceUnitTests.itKeepsNoCoreOfAMemoryThatHoldsSecrets", ""),
    47: ("the audit has everything", "PeopleTests.everythingAboutPeopleIsInTheAuditWithBeforeAndAfterAndNoSecret, AccessServiceTests.signInsAreAudited", ""),
    48: ("the unit's exposure", "ServiceUnitTests.systemdSeesNoMoreExposureThanTwoOfTen", ""),
    49: ("sanitizers", "Tests/Sanitizers/run address, Tests/Sanitizers/run thread", "the tests that failed hold things to milliseconds or seconds, on a machine that built at the same time; those of the client library passed alone under both, and the templates are left out since"),
    50: ("schemathesis, fuzzing, failing writes", "Tests/API/run, Tests/Fuzz/run, run injected, run nth", ""),
    51: ("versions of libmicrohttpd and SQLite", "StopTests.theVersionOfTheLibraryIsKnown, SQLiteReleaseTests.strictTablesAreNeeded, ServerLogTests.eachChangeIsALine", "no other version has been put in its place"),
    52: ("a soak of a day", "run soak, run loaded", "an hour at ten times the load, not a day"),
    53: ("what is taken can be read", "RandomDocumentTests.whatIsTakenIsReadAgain, TimeBoundsTests.aTimeOutsideIsRefusedWhereverItStands, UnreadableRowTests.everyOneIsFoundByVerify, Tests/Fuzz/run times", ""),
    54: ("the writers' lock for 50 ms at most", "run hostile, BoundsTests.whatWritesNothingDoesNotTakeTheLock, Tests/Benchmarks/run lock", ""),
    55: ("the log stops nobody", "ServerLogTests.whenNobodyReadsStandardErrorEverythingGoesOn, ServerLogTests.tenThousandAnonymousRequestsWriteLittle", ""),
    56: ("answers, caches and gates are bounded", "ServerMemoryTests.twelveReadersOfAllNewsStayWithinBounds, BoundsTests.aGateHasAtMostThirtyTwoKibibytes, AnswerSizeTests.listsEndEarlyAndLoseNothing", ""),
    57: ("no session for a proof that a reset overtook", "ProofRaceTests.noSessionIsMadeForAProofThatAResetOvertook, ProofRaceTests.aResetEndsEverySignInThatIsUnderWay", ""),
    58: ("the code is asked wherever a password is", "SessionAccessTests.whereAPasswordIsGivenTheCodeIsWantedToo, SessionAccessTests.noOtherRouteMakesAStaleSessionFresh", ""),
    59: ("who is known gets in during an attack", "SignInAttackTests.guessersBehindTheSameUndeclaredProxyDoNotKeepOutWhoIsKnown, KnownDeviceTests.aBrowserThatIsKnownGetsInAtOnce", ""),
    60: ("own hosts alone", "ServerHostTests.aForeignHostIsTurnedAwayEverywhere", ""),
    61: ("people, tokens, windows are signed", "SignedRowsTests.aWindowThatBecameAKillDoesNotFireAndNobodyRunsIt, TamperedServerTests.anAdministratorMadeWithSQLDoesNotSignIn, TamperingTests.whatIsTriedIsFoundAndNotObeyed", ""),
    62: ("what cannot be known is 503, never 404", "BadStartTests.feedsThatNobodyCanKnowAboutAreNotThereNow, BadStartTests.aDatabaseOlderThanItsAnchorReplacesNothing, Tests/Edge/run bad_starts", ""),
    63: ("the busiest address makes room", "CrowdTests.aCrowdFromOneAddressDoesNotKeepOthersOut, run crowd", ""),
    64: ("apply lifts nothing that changed since", "GatectlApplyTests.aFileFromBeforeTheIncidentIsRefused, GatectlApplyTests.whatSomebodyElseChangedAfterThePlanIsNotOverwritten", ""),
}


def keep(run, lines, more={}):
    """Replaces the figures of the last run of that name. `lines` are name, whether it holds, and the detail; `more` is specific to the
    run."""
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    figures[run] = {"on": datetime.date.today().isoformat(), "lines": lines} | more
    text = json.dumps(dict(sorted(figures.items())), indent=1, ensure_ascii=False) + "\n"
    # Each sample of a soak is one line.
    FIGURES.write_text(re.sub(r'\{\s+"memory":[^{}]*\}|\[\s+\d+,\s+"[^"]*"\s+\]', lambda look: " ".join(look.group().split()), text))


def present(test):
    """Whether a test of that name exists."""
    if test.startswith("run "):
        return re.search(rf"\b{test[4:]}\b", (HERE / "run").read_text()) is not None
    if test.startswith("Tests/"):
        return (ROOT / test.split()[0]).is_file()
    if test.startswith("test_"):
        return any(f"def {test}(" in path.read_text() for path in (ROOT / "Tests/Dashboard").glob("test_*.py"))
    suite, name = test.split(".")
    return any(f"func {name}(" in path.read_text() for path in (ROOT / "Tests").glob(f"*/{suite}.swift"))


def table():
    """The Markdown of README.md.

    Raises SystemExit with the names of tests that do not exist."""
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    missing = []
    rows = []
    for number, (asks, tests, lack) in REQUIREMENTS.items():
        names = [name for name in tests.split(", ") if name]
        missing += [f"R{number}: {name}" for name in names if not present(name)]
        seen = []
        for name in names:
            run = figures.get(name.removeprefix("run "))
            if run:
                held = sum(1 for _, holds, _ in run["lines"] if holds)
                seen.append(f"{name.removeprefix('run ')}: {held} of {len(run['lines'])} on {run['on']}")
        words = [f"`{name}`" for name in names] + ([f"*{lack}*"] if lack else [])
        rows.append(f"| R{number} | {asks} | {'; '.join(words)} | {'; '.join(seen)} |")
    if missing:
        raise SystemExit("there is no such test: " + ", ".join(missing))
    lines = [
        "# What is tried to break each requirement", "",
        "Made by `Tests/Faults/run` from requirements.py and the figures of each run's last time; not edited by hand. Tests without a figure are",
        "part of `deploy/test`, or of the command that is named. In italics: what there is no test of yet.", "",
        "| | Asks that | Tried by | Last figures |", "|---|---|---|---|", *rows, "", "## The runs, line by line", "",
    ]
    for name, run in figures.items():
        lines += [f"### {name}, {run['on']}", ""]
        if "samples" in run:
            lines += [f"![{run['minutes']} minutes of {name}: memory, descriptors, waits and disk](soak.svg)", ""]
        lines += [f"- {'' if holds else '**FAILED** '}{what}{f' ({detail})' if detail else ''}" for what, holds, detail in run["lines"]]
        lines.append("")
    return "\n".join(lines)


def write():
    (HERE / "README.md").write_text(table())
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    if "samples" in figures.get("soak", {}):
        (HERE / "soak.svg").write_text(chart.drawn(figures["soak"]))
