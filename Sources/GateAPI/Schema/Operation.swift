import GateModel

/// What an endpoint does, takes and answers, for its description.
struct Operation {
    let endpoint: Endpoint
    /// A word of its own among all operations.
    let id: String
    let summary: String
    let request: Schema?
    /// Whether the body may be left out.
    let isRequestOptional: Bool
    /// What is answered when all goes well, by status; nil without a body.
    let answers: [(status: Int, schema: Schema?)]

    init(_ endpoint: Endpoint, _ id: String, _ summary: String, takes request: Schema? = nil, orNothing isOptional: Bool = false, _ answers: [(Int, Schema?)]) {
        self.endpoint = endpoint
        self.id = id
        self.summary = summary
        self.request = request
        isRequestOptional = isOptional
        self.answers = answers.map { (status: $0.0, schema: $0.1) }
    }

    private static let empty = EmptyRequest.schema
    private static let dryRun = ChangeResultBody.schema

    static let all: [Operation] = [
        Operation(.setupState, "getSetup", "Whether the first administrator is still missing.", [(200, SetupStateBody.schema)]),
        Operation(.setUp, "setUp", "Make the first administrator, from the server's own machine.", takes: SetupRequest.schema, [(201, SetUpAnswer.schema)]),
        Operation(.signIn, "signIn", "Sign in; the session is in the cookie.", takes: SessionRequest.schema, [(200, SessionBody.schema)]),
        Operation(.session, "getSession", "Who is signed in, or whose the token is.", [(200, SessionBody.schema)]),
        Operation(.signOut, "signOut", "Sign out.", takes: empty, orNothing: true, [(204, nil)]),
        Operation(
            .reauthenticate, "reauthenticate", "Give the password again; the session, its cookie and its CSRF token are new afterwards.",
            takes: ReauthenticationRequest.schema, [(200, SessionBody.schema)]
        ),
        Operation(.account, "getAccount", "One's own account.", [(200, AccountBody.schema)]),
        Operation(
            .changePassword, "changePassword",
            "Change one's own password; wants the code of a second factor too. All other sessions end, and with revokeTokens one's own tokens.",
            takes: PasswordRequest.schema, [(200, SessionBody.schema)]
        ),
        Operation(
            .startTOTP, "startTOTP", "Make a secret for an authenticator; it counts once it is confirmed.", takes: empty, orNothing: true,
            [(200, TOTPSecretBody.schema)]
        ),
        Operation(
            .confirmTOTP, "confirmTOTP", "Make the second factor count; answers the recovery codes, once.", takes: TOTPConfirmRequest.schema,
            [(200, RecoveryCodesBody.schema)]
        ),
        Operation(.removeTOTP, "removeTOTP", "Take one's own second factor away.", takes: empty, orNothing: true, [(204, nil)]),
        Operation(.listSessions, "listSessions", "One's own sessions.", [(200, PageBody<AccountSessionBody>.schema)]),
        Operation(.endSessions, "endSessions", "End all of one's own sessions but this one.", takes: empty, orNothing: true, [(204, nil)]),
        Operation(.endSession, "endSession", "End one of one's own sessions.", takes: empty, orNothing: true, [(204, nil)]),
        Operation(.status, "getStatus", "Which server this is and how it is.", [(200, StatusBody.schema)]),
        Operation(.listApps, "listApps", "Apps, by key.", [(200, PageBody<AppBody>.schema)]),
        Operation(.createApp, "createApp", "Create an app.", takes: AppRequest.schema, [(200, dryRun), (201, AppBody.schema)]),
        Operation(.app, "getApp", "One app.", [(200, AppBody.schema)]),
        Operation(.editApp, "editApp", "Change an app's name or aliases.", takes: AppPatch.schema, [(200, .either(AppBody.schema, dryRun))]),
        Operation(.deleteApp, "deleteApp", "Delete an app with its platforms.", takes: DeleteRequest.schema, orNothing: true, [(200, dryRun)]),
        Operation(
            .putPlatform, "putPlatform", "Create a platform, or change its settings.", takes: SettingsRequest.schema, orNothing: true,
            [(200, .either(TargetBody.schema, dryRun)), (201, TargetBody.schema)]
        ),
        Operation(.deletePlatform, "deletePlatform", "Delete a platform.", takes: DeleteRequest.schema, orNothing: true, [(200, dryRun)]),
        Operation(.listTargets, "listTargets", "Targets with their gates, by key.", [(200, PageBody<TargetBody>.schema)]),
        Operation(.target, "getTarget", "One target.", [(200, TargetBody.schema)]),
        Operation(.listChanges, "listChanges", "The history, newest first.", [(200, PageBody<Change>.schema)]),
        Operation(.commitChange, "commitChange", "Change the gates of one or more targets, all or none.", takes: ChangeRequest.schema, [(200, dryRun)]),
        Operation(.change, "getChange", "One change.", [(200, Change.schema)]),
        Operation(.events, "getEvents", "Changes after a sequence, oldest first.", [(200, EventsBody.schema)]),
        Operation(.importFile, "importFile", "Take over the file that an app polls today.", takes: ImportRequest.schema, [(200, dryRun)]),
        Operation(
            .simulate, "simulate", "What one phone shows, now or at a time, perhaps with a draft; nothing is written.", takes: SimulationRequest.schema,
            [(200, Simulation.schema)]
        ),
        Operation(.export, "export", "Everything that decides about feeds, of all apps or of one, as one document.", [(200, ExportBody.schema)]),
        Operation(
            .apply, "apply", "Make an export's document true, as one change; up to 8 MiB. A dry run answers the sequence to name.", takes: ApplyRequest.schema,
            [(200, dryRun)]
        ),
        Operation(.listWindows, "listWindows", "Windows, the newest first; state takes several with commas.", [(200, PageBody<Window>.schema)]),
        Operation(
            .createWindow, "createWindow", "Make a change for a span of time.", takes: WindowRequest.schema, [(200, WindowResultBody.schema), (201, WindowResultBody.schema)]
        ),
        Operation(.window, "getWindow", "One window.", [(200, Window.schema)]),
        Operation(
            .cancelWindow, "cancelWindow", "Call a window off; what it has done stays.", takes: WindowCancelRequest.schema, orNothing: true,
            [(200, WindowResultBody.schema)]
        ),
        Operation(
            .runWindow, "runWindow", "Carry out a window's next step now: one that waits, or was missed.", takes: WindowRunRequest.schema, orNothing: true,
            [(200, WindowResultBody.schema)]
        ),
        Operation(.listUsers, "listUsers", "People, by name.", [(200, PageBody<PersonBody>.schema)]),
        Operation(.createUser, "createUser", "Add a person.", takes: UserRequest.schema, [(201, PersonBody.schema)]),
        Operation(.editUser, "editUser", "Change a person's role, apps or password, or keep them out. A new password ends their sessions and tokens.", takes: UserPatch.schema, [(200, PersonBody.schema)]),
        Operation(.deleteUser, "deleteUser", "Remove a person; their tokens are revoked.", takes: empty, orNothing: true, [(204, nil)]),
        Operation(.listTokens, "listTokens", "API tokens, the newest first: one's own, or all for administrators.", [(200, PageBody<TokenBody>.schema)]),
        Operation(.createToken, "createToken", "Make an API token; answers it, once.", takes: TokenRequest.schema, [(201, NewTokenBody.schema)]),
        Operation(.revokeToken, "revokeToken", "End a token, at once and for ever.", takes: empty, orNothing: true, [(204, nil)]),
        Operation(.listAudit, "listAudit", "What was done, or refused, that is no change of a gate; newest first.", [(200, PageBody<AuditBody>.schema)]),
    ]
}
