import CurlHTTP
package import GateAPI
package import GateJSON
import GateModel

extension AdminClient {
    /// Signs a person in, makes a token in their name, and signs them out again.
    ///
    /// - Parameters:
    ///   - person: name, password, and the code of the second factor where the server asks for one (401 `totp_required`).
    ///   - name: what the token is for, as it will be listed: the machine's name.
    /// - Returns: the token and when it expires.
    /// - Throws: ``AdminClientError``; none contains the password.
    package func makeToken(for person: SessionRequest, named name: String) async throws(AdminClientError) -> (
        token: BearerToken, expiresAt: Timestamp?
    ) {
        let (signedIn, _) = try await exchange(.post, Endpoint.signIn.path(), body: person.json.bytes, proof: [:])
        let session = try read(signedIn, mayChange: true, Endpoint.signIn.description, false, as: SessionBody.self)
        // The cookie's first part is name and secret; the rest tells browsers how to keep it.
        guard let cookie = signedIn.header("set-cookie")?.split(separator: ";").first.map(String.init) else {
            throw AdminClientError(.badAnswer, Endpoint.signIn.description, "the answer sets no session cookie", status: signedIn.status)
        }
        let proof = ["Cookie": cookie, "X-Gatehouse-CSRF": session.csrf]
        let (made, mayHaveArrived) = try await exchange(
            .post,
            Endpoint.createToken.path(),
            body: TokenRequest(name: name).json.bytes,
            proof: proof,
            keepsKey: Endpoint.createToken.keepsKeys
        )
        let answer = try read(made, mayChange: true, Endpoint.createToken.description, mayHaveArrived, as: NewToken.self)
        // The token is made; a session that could not be ended runs out by itself.
        _ = try? await exchange(.delete, Endpoint.signOut.path(), body: nil, proof: proof)
        guard let token = BearerToken(answer.text) else {
            throw AdminClientError(.badAnswer, Endpoint.createToken.description, "the answer holds no token", status: made.status)
        }
        return (token, answer.listed.expiresAt)
    }
}
