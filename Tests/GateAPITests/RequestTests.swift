import GateAPI
import GateJSON
import GateModel
import Testing

/// What a body's text is read as, or the error that refuses it.
private func reading<Body: APIBody>(_ type: Body.Type, _ text: String) throws -> Result<Body, ModelError> {
    let json = try JSONReader.read(text)
    do throws(ModelError) { return .success(try Body(json: json)) } catch { return .failure(error) }
}

struct RequestTests {
    @Test(arguments: [
        ("[]", ""),
        ("{}", "/targets"),
        (#"{"targets":{}}"#, "/targets"),
        (#"{"targets":[],"set":{}}"#, "/targets"),
        (#"{"targets":["shop/ios"],"set":{}}"#, "/targets/0"),
        (#"{"targets":[{"platform":"ios","revision":1}],"set":{}}"#, "/targets/0/app"),
        (#"{"targets":[{"app":"shop","revision":1}],"set":{}}"#, "/targets/0/platform"),
        (#"{"targets":[{"app":"shop","platform":"ios","revision":"1"}],"set":{}}"#, "/targets/0/revision"),
        (#"{"targets":[{"app":"shop","platform":"ios","revision":1.0}],"set":{}}"#, "/targets/0/revision"),
        (#"{"targets":[{"app":"shop","platform":"ios","revison":1}],"set":{}}"#, "/targets/0/revison"),
        (
            #"{"targets":[{"app":"shop","platform":"ios","revision":1},{"app":"shop","platform":"ios","revision":1}],"set":{}}"#,
            "/targets/1"
        ),
        (#"{"targets":[{"app":"shop","platform":"ios","revision":1}]}"#, "/set"),
        (#"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{},"revertTo":1}"#, "/revertTo"),
        (#"{"targets":[{"app":"shop","platform":"ios","revision":1,"set":{}}],"set":{}}"#, "/targets/0/set"),
        (#"{"targets":[{"app":"shop","platform":"ios","set":{}},{"app":"shop","platform":"android"}]}"#, "/targets/1/set"),
        (#"{"targets":[{"app":"shop","platform":"ios"},{"app":"shop","platform":"android"}],"revertTo":1}"#, "/targets"),
        (#"{"targets":[{"app":"shop","platform":"ios"}],"set":[]}"#, "/set"),
        (#"{"targets":[{"app":"shop","platform":"ios"}],"set":{"kilSwitch":null}}"#, "/set/kilSwitch"),
        (#"{"targets":[{"app":"shop","platform":"ios","set":{"a/b~":null}}]}"#, "/targets/0/set/a~1b~0"),
        (#"{"targets":[{"app":"shop","platform":"ios"}],"set":{},"reason":7}"#, "/reason"),
        (#"{"targets":[{"app":"shop","platform":"ios"}],"set":{},"dryRun":"yes"}"#, "/dryRun"),
        (#"{"targets":[{"app":"shop","platform":"ios"}],"set":{},"accept":"text_order"}"#, "/accept"),
        (#"{"targets":[{"app":"shop","platform":"ios"}],"set":{},"accept":[1]}"#, "/accept/0"),
        (#"{"targets":[{"app":"shop","platform":"ios"}],"set":{},"confim":"shop/ios"}"#, "/confim"),
    ])
    func aChangeThatIsNotOneIsRefusedAtItsField(text: String, field: String) throws {
        guard case .failure(let error) = try reading(ChangeRequest.self, text) else {
            Issue.record("read: \(text)")
            return
        }
        #expect(error.kind == .malformed)
        #expect(error.field == field)
    }

    @Test func aChangeWithoutARevisionIsReadSoThatItCanBeAnsweredWith428() throws {
        let request = try reading(ChangeRequest.self, #"{"targets":[{"app":"shop","platform":"ios"}],"set":{"killSwitch":null}}"#).get()
        #expect(request.targets.map(\.revision) == [nil])
        #expect(request.edit(for: request.targets[0])?.rules.count == 1)
        #expect(!request.terms.dryRun)
    }

    @Test func aTargetThatCannotExistIsReadAndHasNoKey() throws {
        let request = try reading(ChangeRequest.self, #"{"targets":[{"app":"Shop!","platform":"ios2"}],"revertTo":4}"#).get()
        #expect(request.targets.map(\.key) == [nil])
        #expect(request.content == .revertTo(4))
    }

    @Test func aThousandTargetsAreTakenAndOneMoreIsNot() throws {
        func text(_ count: Int) -> String {
            let targets = (0..<count).map { #"{"app":"a\#($0)","platform":"ios","revision":1}"# }
            return #"{"targets":[\#(targets.joined(separator: ","))],"set":{}}"#
        }
        let limits = JSONReader.Limits(members: .max)
        #expect(throws: Never.self) { try ChangeRequest(json: JSONReader.read(text(1_000), limits: limits)) }
        #expect(throws: ModelError.self) { try ChangeRequest(json: JSONReader.read(text(1_001), limits: limits)) }
    }

    @Test(arguments: [
        (#"{"format":"auto"}"#, "/app"),
        (#"{"app":"shop"}"#, "/document"),
        (#"{"app":"shop","document":{}}"#, "/document"),
        (#"{"app":"shop","document":"","format":"yaml"}"#, "/format"),
        (#"{"app":"shop","document":"","revisions":{"ios":"3"}}"#, "/revisions/ios"),
        (#"{"app":"shop","document":"","revisions":[]}"#, "/revisions"),
        (#"{"app":"shop","document":"","skipInvalid":1}"#, "/skipInvalid"),
        (#"{"app":"shop","document":"","skip":true}"#, "/skip"),
    ])
    func anImportThatIsNotOneIsRefusedAtItsField(text: String, field: String) throws {
        guard case .failure(let error) = try reading(ImportRequest.self, text) else {
            Issue.record("read: \(text)")
            return
        }
        #expect(error.kind == .malformed)
        #expect(error.field == field)
    }

    @Test func settingsAreKeptAsTheyAreBesideTheTerms() throws {
        let request = try reading(SettingsRequest.self, #"{"releases":["1.0"],"reason":"r","dryRun":true,"storeURL":null}"#).get()
        #expect(request.settings.text == #"{"releases":["1.0"],"storeURL":null}"#)
        #expect(request.terms == WriteTerms(reason: "r", dryRun: true))
    }

    /// What was seen is only compared, so that what an older server allowed can be named too; but a misspelt name compares nothing.
    @Test func whatWasSeenIsKeptAsItIsAndItsNamesAreChecked() throws {
        let seen = #"{"releases":["1.0","1.0"],"storeURL":null}"#
        let request = try reading(SettingsRequest.self, #"{"releases":[],"seen":\#(seen)}"#).get()
        #expect(request.settings.text == #"{"releases":[]}"#)
        #expect(request.seen.map { JSONValue.object($0).text } == seen)
        #expect(request.json.text == #"{"releases":[],"seen":\#(seen)}"#)
        for (text, field) in [(#"{"seen":{"release":[]}}"#, "/seen/release"), (#"{"seen":[]}"#, "/seen")] {
            guard case .failure(let error) = try reading(SettingsRequest.self, text) else {
                Issue.record("read: \(text)")
                continue
            }
            #expect((error.kind, error.field) == (.malformed, field))
        }
    }

    /// What stands for a key or a name is a string, as it is described; a number was taken for its digits.
    @Test(arguments: [
        (#"{"key":1,"name":"Shop","platforms":{}}"#, "/apps/0/key"),
        (#"{"key":"shop","name":1,"platforms":{}}"#, "/apps/0/name"),
        (#"{"key":"shop","name":"Shop","platforms":{},"ownFeeds":[{"name":1,"template":"{}"}]}"#, "/apps/0/ownFeeds/0/name"),
        (
            #"{"key":"shop","name":"Shop","platforms":{},"ownFeeds":[{"name":"a","platform":1,"template":"{}"}]}"#,
            "/apps/0/ownFeeds/0/platform"
        ),
        (
            #"{"key":"shop","name":"Shop","platforms":{},"ownFeeds":[{"name":"a","template":"{}","accept":["all"]}]}"#,
            "/apps/0/ownFeeds/0/accept/0"
        ),
        (#"{"key":"shop","name":"Shop","platforms":{"ios":{"revision":-1}}}"#, "/apps/0/platforms/ios/revision"),
        (#"{"key":"shop","name":"Shop","platforms":{"ios":{"settings":{"releases":[1]}}}}"#, "/apps/0/platforms/ios/settings/releases/0"),
        (#"{"key":"shop","name":"Shop","platforms":{"ios":{"gate":{"theme":{}}}}}"#, "/apps/0/platforms/ios/gate/theme"),
        (#"{"key":"shop","name":"Shop","platforms":{},"theme":1}"#, "/apps/0/theme"),
    ])
    func anExportedAppThatIsNotOneIsRefusedAtItsField(app: String, field: String) throws {
        guard case .failure(let error) = try reading(ExportBody.self, #"{"schema":"gatehouse/export/v1","apps":[\#(app)]}"#) else {
            Issue.record("read: \(app)")
            return
        }
        #expect(error.kind == .malformed)
        #expect(error.field == field)
    }

    /// What is left out is what it is without a word, and is written.
    @Test func anExportIsWrittenWhole() throws {
        let text =
            #"{"schema":"gatehouse/export/v1","apps":[{"key":"shop","name":"Shop","platforms":{"android":{},"ios":{"gate":{"alert":null}}}}]}"#
        let export = try reading(ExportBody.self, text).get()
        let settings = { (scheme: String) in
            #"{"versionScheme":"\#(scheme)","storeURL":null,"releases":[],"defaultRetryInterval":15,"clients":null}"#
        }
        #expect(
            export.json.text == #"{"schema":"gatehouse/export/v1","apps":[{"key":"shop","name":"Shop","aliases":[],"platforms":{"#
                + #""android":{"settings":\#(settings("code")),"gate":{}},"ios":{"settings":\#(settings("dotted")),"gate":{}}}}]}"#
        )
    }

    /// Which paths there may be is the server's matter: one that a newer or an older one serves is shown all the same.
    @Test func anAliasIsReadAsTheServerTellsIt() throws {
        let app = try reading(
            AppBody.self,
            #"{"key":"shop","name":"Shop","aliases":[{"path":"/metrics/old.json","feed":"launchgate.json","since":1}],"platforms":{}}"#
        ).get()
        #expect(app.aliases.map(\.path) == ["/metrics/old.json"])
    }

    @Test func theOthersRefuseUnknownMembers() throws {
        for text in [#"{"code":"c","username":"u","password":"p","x":1}"#] { #expect(try reading(SetupRequest.self, text).isFailure) }
        for text in [#"{"username":"u","password":"p","otp":"1"}"#, #"{"username":"u"}"#, #"{"username":"u","password":1}"#] {
            #expect(try reading(SessionRequest.self, text).isFailure)
        }
        for text in [#"{"key":"shop"}"#, #"{"key":"shop","name":"Shop","platforms":{}}"#] {
            #expect(try reading(AppRequest.self, text).isFailure)
        }
        for text in [#"{"key":"shop"}"#, #"{"aliases":{}}"#] { #expect(try reading(AppPatch.self, text).isFailure) }
        #expect(try reading(DeleteRequest.self, #"{"force":true}"#).isFailure)
        #expect(try reading(DeleteRequest.self, "{}").get() == DeleteRequest())
    }

    /// A scope that somebody forgot must not widen one, and one that is taken away must be told from one that is left alone.
    @Test func aScopeThatIsNullIsAllAppsAndOneThatIsMissingStays() throws {
        #expect(try reading(UserPatch.self, #"{"apps":null}"#).get() == UserPatch(apps: .all))
        #expect(try reading(UserPatch.self, "{}").get() == UserPatch())
        #expect(try reading(TokenRequest.self, #"{"name":"ci"}"#).get().apps == nil)
    }

    /// Who is added without a password is invited; `null` says the same.
    @Test func aPasswordMayBeMissing() throws {
        for text in [#"{"username":"u","role":"viewer"}"#, #"{"username":"u","role":"viewer","password":null}"#] {
            #expect(try reading(UserRequest.self, text).get() == UserRequest(username: "u", role: .viewer))
        }
    }

    /// What holds a secret and reaches a log by mistake says nothing.
    @Test func anInvitationIsNotDescribed() {
        let (secret, password) = ("the token of the link", "a long pass phrase")
        let made = Invitation(token: secret, expiresAt: Timestamp(milliseconds: 0))
        for text in ["\(InvitationRequest(invitation: secret, password: password, totp: "123456"))", "\(made)"] {
            #expect(![secret, password, "123456"].contains { text.contains($0) }, "\(text)")
        }
    }

    @Test(arguments: [
        (UserRequest.self as any APIBody.Type, #"{"username":"u","role":"root","password":"p"}"#, "/role"),
        (UserRequest.self, #"{"username":"u","role":"viewer","password":"p","apps":["No!"]}"#, "/apps/0"),
        (UserRequest.self, #"{"username":"u","role":"viewer","password":5}"#, "/password"),
        (UserRequest.self, #"{"role":"viewer"}"#, "/username"),
        (InvitationRequest.self, #"{"password":"a long pass phrase"}"#, "/invitation"),
        (InvitationRequest.self, #"{"invitation":"a"}"#, "/password"),
        (InvitationRequest.self, #"{"invitation":"a","password":"b","username":"c"}"#, "/username"),
        (UserPatch.self, #"{"totp":true}"#, "/totp"),
        (UserPatch.self, #"{"username":"v"}"#, "/username"),
        (TokenRequest.self, #"{"name":"ci","expiresAt":"tomorrow"}"#, "/expiresAt"),
        (TokenRequest.self, #"{"name":"ci","apps":"shop"}"#, "/apps"),
        (PasswordRequest.self, #"{"currentPassword":"a"}"#, "/newPassword"),
        (ReauthenticationRequest.self, #"{"password":"a","username":"b"}"#, "/username"),
        (TOTPConfirmRequest.self, #"{"code":123456}"#, "/code"),
        (EmptyRequest.self, #"{"all":true}"#, "/all"),
    ])
    func aRequestAboutPeopleIsRefusedAtItsField(type: any APIBody.Type, text: String, field: String) throws {
        let error = #expect(throws: ModelError.self) { try type.init(json: JSONReader.read(text)) }
        #expect(error?.field == field)
    }

    @Test func anAliasAtFaultIsNamedByItsPlace() throws {
        guard
            case .failure(let error) = try reading(
                AppPatch.self,
                #"{"aliases":[{"path":"/config.json","feed":"launchgate.json"},{"path":"config.json","feed":"launchgate.json"}]}"#
            )
        else {
            Issue.record("read")
            return
        }
        #expect(error.field == "/aliases/1/path")
        #expect(error.code == "invalid_alias")
    }

    @Test func aSecretIsNotInTheDescription() {
        #expect(!"\(SetupRequest(code: "s3cret", username: "u", password: "s3cret"))".contains("s3cret"))
        #expect(!"\(SessionRequest(username: "u", password: "s3cret", totp: "s3cret"))".contains("s3cret"))
        for text in [
            "\(UserRequest(username: "u", role: .admin, password: "s3cret"))", "\(UserPatch(password: "s3cret"))",
            "\(TOTPConfirmRequest(code: "s3cret"))",
            "\(PasswordRequest(currentPassword: "s3cret", newPassword: "s3cret"))",
            "\(ReauthenticationRequest(password: "s3cret", totp: "s3cret"))",
            "\(TOTPSecretBody(secret: "s3cret", uri: "s3cret"))", "\(RecoveryCodesBody(recoveryCodes: ["s3cret"]))",
        ] { #expect(!text.contains("s3cret")) }
        #expect(
            !"\(SessionBody(user: User(name: "u", role: .admin, scope: .all), csrf: "s3cret", expiresAt: nil))".contains("s3cret")
        )
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
