import GateJSON
import GateModel

extension Endpoint {
    /// Its declaration. Made once, because every request asks for it.
    package var declaration: Declaration { Self.declarations[self]! }

    private static let declarations = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.declared) })

    /// The whole table of the admin API.
    private var declared: Declaration {
        switch self {
        case .setupState:
            Declaration(
                .get,
                "/setup",
                .anyone,
                "Whether the first administrator is still missing.",
                answers: [(200, SetupStateBody.schema)]
            )
        case .setUp:
            Declaration(
                .post,
                "/setup",
                .anyone,
                "Make the first administrator, from the server's own machine.",
                takes: SetupRequest.schema,
                answers: [(201, .answer("SetUp", [.needed("user", User.schema)]))]
            )
        case .signIn:
            Declaration(
                .post,
                "/session",
                .anyone,
                "Sign in; the session is in the cookie.",
                takes: SessionRequest.schema,
                answers: [(200, SessionBody.schema)]
            )
        case .acceptInvitation:
            Declaration(
                .post,
                "/invitations",
                .anyone,
                "Set one's own password with an invitation, once, and sign in; the session is in the cookie.",
                takes: InvitationRequest.schema,
                answers: [(200, SessionBody.schema)]
            )
        case .session:
            Declaration(.get, "/session", .viewer, "Who is signed in, or whose the token is.", answers: [(200, SessionBody.schema)])
        case .signOut:
            Declaration(.delete, "/session", .viewer, "Sign out.", takes: EmptyRequest.schema, orNothing: true, answers: [(204, nil)])
        case .reauthenticate:
            Declaration(
                .post,
                "/session/reauthenticate",
                .viewer,
                proof: .session,
                "Give the password again; the session, its cookie and its CSRF token are new afterwards.",
                takes: ReauthenticationRequest.schema,
                answers: [(200, SessionBody.schema)]
            )
        case .account:
            Declaration(.get, "/account", .viewer, proof: .session, "One's own account.", answers: [(200, Account.schema)])
        case .changePassword:
            Declaration(
                .post,
                "/account/password",
                .viewer,
                proof: .session,
                "Change one's own password; needs the code of a second factor too, if there is one. All other sessions end, and with revokeTokens one's own tokens.",
                takes: PasswordRequest.schema,
                answers: [(200, SessionBody.schema)]
            )
        case .startTOTP:
            Declaration(
                .post,
                "/account/totp",
                .viewer,
                proof: .freshSession,
                "Make a secret for an authenticator; it takes effect once it is confirmed.",
                takes: EmptyRequest.schema,
                orNothing: true,
                answers: [(200, TOTPSecretBody.schema)]
            )
        case .confirmTOTP:
            Declaration(
                .post,
                "/account/totp/confirm",
                .viewer,
                proof: .session,
                "Put the second factor into effect; answers the recovery codes, once.",
                takes: TOTPConfirmRequest.schema,
                answers: [(200, RecoveryCodesBody.schema)]
            )
        case .removeTOTP:
            Declaration(
                .delete,
                "/account/totp",
                .viewer,
                proof: .freshSession,
                "Remove one's own second factor.",
                takes: EmptyRequest.schema,
                orNothing: true,
                answers: [(204, nil)]
            )
        case .listSessions:
            Declaration(
                .get,
                "/account/sessions",
                .viewer,
                proof: .session,
                "One's own sessions.",
                answers: [(200, PageBody<OwnSession>.schema)]
            )
        case .endSessions:
            Declaration(
                .delete,
                "/account/sessions",
                .viewer,
                proof: .freshSession,
                "End all of one's own sessions but this one.",
                takes: EmptyRequest.schema,
                orNothing: true,
                answers: [(204, nil)]
            )
        case .endSession:
            Declaration(
                .delete,
                "/account/sessions/{id}",
                .viewer,
                proof: .freshSession,
                "End one of one's own sessions.",
                takes: EmptyRequest.schema,
                orNothing: true,
                answers: [(204, nil)]
            )
        case .status:
            Declaration(.get, "/status", .viewer, "Which server this is and how it is.", answers: [(200, StatusBody.schema)])
        case .listApps:
            Declaration(.get, "/apps", .viewer, "Apps, by key.", query: ["limit", "cursor"], answers: [(200, PageBody<AppBody>.schema)])
        case .createApp:
            Declaration(
                .post,
                "/apps",
                .admin,
                "Create an app.",
                takes: AppRequest.schema,
                answers: [(200, ChangeResultBody.schema), (201, AppBody.schema)]
            )
        case .app:
            Declaration(.get, "/apps/{app}", .viewer, "One app.", answers: [(200, AppBody.schema)])
        case .editApp:
            Declaration(
                .patch,
                "/apps/{app}",
                .admin,
                "Change an app's name or aliases.",
                takes: AppPatch.schema,
                answers: [(200, .either(AppBody.schema, ChangeResultBody.schema))]
            )
        case .deleteApp:
            Declaration(
                .delete,
                "/apps/{app}",
                .admin,
                proof: .fresh,
                "Delete an app with its platforms.",
                takes: DeleteRequest.schema,
                orNothing: true,
                answers: [(200, ChangeResultBody.schema)]
            )
        case .putPlatform:
            Declaration(
                .put,
                "/apps/{app}/platforms/{platform}",
                .admin,
                "Create a platform, or change its settings.",
                takes: SettingsRequest.schema,
                orNothing: true,
                answers: [(200, .either(TargetBody.schema, ChangeResultBody.schema)), (201, TargetBody.schema)]
            )
        case .deletePlatform:
            Declaration(
                .delete,
                "/apps/{app}/platforms/{platform}",
                .admin,
                proof: .fresh,
                "Delete a platform.",
                takes: DeleteRequest.schema,
                orNothing: true,
                answers: [(200, ChangeResultBody.schema)]
            )
        case .ownFeed:
            Declaration(
                .get,
                "/apps/{app}/own-feeds/{name}",
                .viewer,
                "One feed of the app's own shape.",
                answers: [(200, OwnFeedBody.schema)]
            )
        case .putOwnFeed:
            Declaration(
                .put,
                "/apps/{app}/own-feeds/{name}",
                .admin,
                "Make a feed of the app's own shape, or give it another template.",
                takes: OwnFeedRequest.schema,
                answers: [(200, ChangeResultBody.schema)]
            )
        case .deleteOwnFeed:
            Declaration(
                .delete,
                "/apps/{app}/own-feeds/{name}",
                .admin,
                proof: .fresh,
                "Delete a feed of the app's own shape.",
                takes: DeleteRequest.schema,
                orNothing: true,
                answers: [(200, ChangeResultBody.schema)]
            )
        case .listTargets:
            Declaration(
                .get,
                "/targets",
                .viewer,
                "Targets with their gates, by key.",
                query: ["limit", "cursor"],
                answers: [(200, PageBody<TargetBody>.schema)]
            )
        case .target:
            Declaration(.get, "/targets/{app}/{platform}", .viewer, "One target.", answers: [(200, TargetBody.schema)])
        case .listVersions:
            Declaration(
                .get,
                "/targets/{app}/{platform}/versions",
                .viewer,
                "Which versions polled a target within the last hour, or day.",
                query: ["within"],
                answers: [(200, VersionsBody.schema)]
            )
        case .listChanges:
            Declaration(
                .get,
                "/changes",
                .viewer,
                "The history, newest first.",
                query: ["app", "platform", "actor", "source", "since", "until", "after", "limit", "cursor"],
                answers: [(200, PageBody<Change>.schema)]
            )
        case .commitChange:
            Declaration(
                .post,
                "/changes",
                .operatorRole,
                "Change the gates of one or more targets, all or none.",
                takes: ChangeRequest.schema,
                answers: [(200, ChangeResultBody.schema)]
            )
        case .change:
            Declaration(.get, "/changes/{sequence}", .viewer, "One change.", answers: [(200, Change.schema)])
        case .events:
            Declaration(
                .get,
                "/events",
                .viewer,
                "Changes after a sequence, oldest first.",
                query: ["after"],
                answers: [(200, EventsBody.schema)]
            )
        case .importFile:
            Declaration(
                .post,
                "/import",
                .operatorRole,
                "Take over the file that an app polls today.",
                takes: ImportRequest.schema,
                answers: [(200, ChangeResultBody.schema)]
            )
        case .simulate:
            Declaration(
                .post,
                "/simulate",
                .viewer,
                "What one phone shows now or at a given time, maybe with a draft; for many versions also in the past. Nothing is written.",
                takes: SimulationRequest.schema,
                answers: [(200, .either(Simulation.schema, SimulationMatrix.schema))]
            )
        case .export:
            Declaration(
                .get,
                "/export",
                .viewer,
                "Everything that decides about feeds, of all apps or of one, as one document.",
                query: ["app", "cursor"],
                answers: [(200, ExportBody.schema)]
            )
        case .apply:
            Declaration(
                .post,
                "/apply",
                .admin,
                proof: .fresh,
                "Put the state of an export's document in force, as one change; up to 8 MiB. A dry run answers the sequence to name.",
                takes: ApplyRequest.schema,
                answers: [(200, ChangeResultBody.schema)]
            )
        case .listWindows:
            Declaration(
                .get,
                "/windows",
                .viewer,
                "Windows, the newest first; state takes several, separated by commas.",
                query: ["app", "state", "limit", "cursor"],
                answers: [(200, PageBody<Window>.schema)]
            )
        case .createWindow:
            Declaration(
                .post,
                "/windows",
                .operatorRole,
                "Make a change for a span of time.",
                takes: WindowRequest.schema,
                answers: [(200, WindowResultBody.schema), (201, WindowResultBody.schema)]
            )
        case .window:
            Declaration(.get, "/windows/{id}", .viewer, "One window.", answers: [(200, Window.schema)])
        case .replaceWindow:
            Declaration(
                .put,
                "/windows/{id}",
                .operatorRole,
                "Replace a window that waits or was missed, or the end of a running one; without an end, what it did stays.",
                takes: WindowReplaceRequest.schema,
                answers: [(200, WindowResultBody.schema)]
            )
        case .cancelWindow:
            Declaration(
                .delete,
                "/windows/{id}",
                .operatorRole,
                "Call a window off; what it has done stays.",
                takes: WindowCancelRequest.schema,
                orNothing: true,
                answers: [(200, WindowResultBody.schema)]
            )
        case .runWindow:
            Declaration(
                .post,
                "/windows/{id}/run",
                .operatorRole,
                "Carry out a window's next step now: the start of one that waits or was missed, the end of one that runs.",
                takes: WindowRunRequest.schema,
                orNothing: true,
                answers: [(200, WindowResultBody.schema)]
            )
        case .listUsers:
            Declaration(.get, "/users", .admin, "People, by name.", query: ["limit", "cursor"], answers: [(200, PageBody<Person>.schema)])
        case .createUser:
            Declaration(
                .post,
                "/users",
                .admin,
                proof: .fresh,
                "Add a person. Without a password they are invited: answers the invitation for their link, once; it can be used once, for 72 hours.",
                takes: UserRequest.schema,
                answers: [(201, InvitedPerson.schema)]
            )
        case .editUser:
            Declaration(
                .patch,
                "/users/{user}",
                .admin,
                proof: .fresh,
                "Change a person's role, apps or password, or keep them out. A new password ends their sessions and tokens.",
                takes: UserPatch.schema,
                answers: [(200, Person.schema)]
            )
        case .deleteUser:
            Declaration(
                .delete,
                "/users/{user}",
                .admin,
                proof: .fresh,
                "Remove a person; their tokens are revoked.",
                takes: EmptyRequest.schema,
                orNothing: true,
                answers: [(204, nil)]
            )
        case .inviteUser:
            Declaration(
                .post,
                "/users/{user}/invitation",
                .admin,
                proof: .fresh,
                "Invite a person again, to set a new password: answers the invitation for their link, once. An earlier one becomes void.",
                takes: EmptyRequest.schema,
                orNothing: true,
                answers: [(201, InvitedPerson.schema)]
            )
        case .listTokens:
            Declaration(
                .get,
                "/tokens",
                .viewer,
                "API tokens, the newest first: one's own, or all for administrators.",
                query: ["limit", "cursor"],
                answers: [(200, PageBody<ListedToken>.schema)]
            )
        case .createToken:
            Declaration(
                .post,
                "/tokens",
                .viewer,
                proof: .fresh,
                "Make an API token; answers it, once. Sent again under its Idempotency-Key, the request makes no second one and is refused (409 token_made), naming the token.",
                takes: TokenRequest.schema,
                answers: [(201, NewToken.schema)]
            )
        case .revokeToken:
            Declaration(
                .delete,
                "/tokens/{id}",
                .viewer,
                proof: .fresh,
                "End a token, at once and for ever.",
                takes: EmptyRequest.schema,
                orNothing: true,
                answers: [(204, nil)]
            )
        case .listAudit:
            Declaration(
                .get,
                "/audit",
                .admin,
                "What was done or refused, other than changes of gates; newest first.",
                query: ["actor", "action", "since", "until", "after", "limit", "cursor"],
                answers: [(200, PageBody<RecordedAuditEntry>.schema)]
            )
        case .listRehearsals:
            Declaration(
                .get,
                "/rehearsals",
                .operatorRole,
                "The rehearsals of the apps that the caller may change, the newest first.",
                answers: [(200, PageBody<Rehearsal>.schema)]
            )
        case .beginRehearsal:
            Declaration(
                .post,
                "/rehearsals",
                .operatorRole,
                "Try a gate on a phone, at addresses of its own that nobody can guess; what other phones get stays as it is.",
                takes: RehearsalRequest.schema,
                answers: [(201, Rehearsal.schema)]
            )
        case .rehearsal:
            Declaration(
                .get,
                "/rehearsals/{id}",
                .operatorRole,
                "One rehearsal, with the polls that came to it.",
                answers: [(200, Rehearsal.schema)]
            )
        case .alterRehearsal:
            Declaration(
                .put,
                "/rehearsals/{id}",
                .operatorRole,
                "Replace a rehearsal's gate, or its end.",
                takes: RehearsalPatch.schema,
                answers: [(200, Rehearsal.schema)]
            )
        case .endRehearsal:
            Declaration(
                .delete,
                "/rehearsals/{id}",
                .operatorRole,
                "End a rehearsal: its addresses answer 404.",
                takes: EmptyRequest.schema,
                orNothing: true,
                answers: [(204, nil)]
            )
        case .listBackups:
            Declaration(
                .get,
                "/backups",
                .admin,
                "The backups in the server's folder, the newest first, each read to its end to make sure that it is sound.",
                answers: [(200, PageBody<ListedBackup>.schema)]
            )
        case .createBackup:
            Declaration(
                .post,
                "/backups",
                .admin,
                "Write everything into one file in the server's folder for backups, checked when this answers.",
                takes: EmptyRequest.schema,
                orNothing: true,
                answers: [(201, ListedBackup.schema)]
            )
        }
    }
}
