import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func listUsers(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let part = try exchange.part { Int($0) }
        return .part(try access.listPeople(part), of: part, cursor: { String($0.id) }, bytes: \.json.bytes)
    }

    func createUser(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(UserRequest.self)
        let caller = try exchange.requireCaller()
        guard let password = body.password else {
            return .json(try access.invitePerson(name: body.username, role: body.role, scope: body.apps, by: caller).json, status: 201)
        }
        let person = try access.createPerson(name: body.username, role: body.role, scope: body.apps, password: password, by: caller)
        return .json(person.json, status: 201)
    }

    func inviteUser(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        _ = try exchange.body(EmptyRequest.self, emptyAllowed: true)
        return .json(try access.invitePerson(exchange.parameters["user"], by: try exchange.requireCaller()).json, status: 201)
    }

    func editUser(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(UserPatch.self)
        var edit = PersonEdit()
        edit.role = body.role
        edit.scope = body.apps
        edit.isDisabled = body.disabled
        edit.password = body.password
        edit.clearsTOTP = body.totp == false
        return .json(try access.editPerson(exchange.parameters["user"], edit, by: try exchange.requireCaller()).json)
    }

    func deleteUser(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        _ = try exchange.body(EmptyRequest.self, emptyAllowed: true)
        try access.deletePerson(exchange.parameters["user"], by: try exchange.requireCaller())
        return .done
    }

    func listTokens(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let part = try exchange.part { $0 }
        return .part(try access.tokens(for: try exchange.requireCaller(), part), of: part, cursor: \.id, bytes: \.json.bytes)
    }

    func createToken(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        try access.requireTokenMaker(caller)
        let body = try exchange.body(TokenRequest.self)
        let key = try exchange.idempotency()
        if let kept = try kept(exchange) { return kept }
        do throws(ServiceError) {
            let token = try access.createToken(
                name: body.name,
                role: body.role,
                scope: body.apps,
                expiresAt: body.expiresAt,
                by: caller,
                repetition: key.map { ($0, { self.answer($0, to: exchange) }) }
            )
            return .json(token.json, status: 201)
        } catch {
            // Of two that came at once, one was faster.
            if let kept = try kept(exchange) { return kept }
            throw error
        }
    }

    /// A refusal that is kept, to be given again as it is.
    private func answer(_ refusal: ServiceError, to exchange: Exchange) -> Answer {
        let response = refusal.response(requestId: exchange.request.id, target: { TargetBody($0, lastChange: nil) })
        return Answer(status: response.status, body: response.body)
    }

    func revokeToken(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        _ = try exchange.body(EmptyRequest.self, emptyAllowed: true)
        try access.revokeToken(exchange.parameters["id"], by: try exchange.requireCaller())
        return .done
    }
}
