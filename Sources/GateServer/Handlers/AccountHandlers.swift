import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func account(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        .json(try access.account(try exchange.requireSession(), freshSeconds: Endpoint.freshSeconds).json)
    }

    func changePassword(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(PasswordRequest.self)
        let session = try exchange.requireSession()
        let renewed = try access.changePassword(
            session,
            current: body.currentPassword,
            new: body.newPassword,
            totp: body.totp,
            revokingTokens: body.revokeTokens,
            from: exchange.origin
        )
        return response(renewed, exchange)
    }

    func startTOTP(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        _ = try exchange.body(EmptyRequest.self, emptyAllowed: true)
        let enrolment = try access.startTOTP(try exchange.requireSession(), environment: ledger.environment.name, from: exchange.origin)
        return .json(TOTPSecretBody(secret: enrolment.secret, uri: enrolment.uri).json)
    }

    func confirmTOTP(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(TOTPConfirmRequest.self)
        let codes = try access.confirmTOTP(try exchange.requireSession(), code: body.code, from: exchange.origin)
        return .json(RecoveryCodesBody(recoveryCodes: codes).json)
    }

    func removeTOTP(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        _ = try exchange.body(EmptyRequest.self, emptyAllowed: true)
        try access.removeTOTP(try exchange.requireSession(), from: exchange.origin)
        return .done
    }

    func listSessions(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let items = try access.sessions(of: try exchange.requireSession())
        return .json(PageBody(items: items).json)
    }

    func endSessions(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        _ = try exchange.body(EmptyRequest.self, emptyAllowed: true)
        try access.endOtherSessions(of: try exchange.requireSession(), from: exchange.origin)
        return .done
    }

    func endSession(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        _ = try exchange.body(EmptyRequest.self, emptyAllowed: true)
        let isOwn = try access.endSession(exchange.parameters["id"], of: try exchange.requireSession(), from: exchange.origin)
        var response = HTTPResponse.done
        if isOwn { response.headers.append("Set-Cookie", SessionCookie.expired(isSecure: exchange.sender.isSecure)) }
        return response
    }
}

extension HTTPResponse {
    /// The answer when there is nothing to say.
    static var done: HTTPResponse { HTTPResponse(status: 204, headers: HeaderSet.api) }
}
