import GateAPI
import GateAdminClient
import GateJSON
import GateModel

/// An invitation as the person who made it passes it on: a link to the dashboard, shown once.
struct InvitationView {
    private let person: Person
    private let invitation: Invitation
    private let server: ServerAddress

    init(_ person: Person, _ invitation: Invitation, at server: ServerAddress) {
        self.person = person
        self.invitation = invitation
        self.server = server
    }

    private var link: String { server.text + invitation.path }

    /// Prints only the link on standard output, so it can be piped to whatever sends it.
    /// - Parameter deed: what was done, as the start of a sentence about the person.
    /// - Throws: when it could not be printed.
    func show(_ console: Console, after deed: String) throws(Failure) {
        if console.isJSON {
            console.json(
                Document.of([
                    "changed": .bool(true), "user": person.json,
                    "invitation": ["link": .string(link), "expiresAt": .string(invitation.expiresAt.description)],
                ])
            )
        } else {
            console.data(link)
        }
        if let fault = Console.lost {
            let next = Invocation.sameServer("users invite \(Style.safe(person.name))") + " makes another"
            throw .lost("the invitation of \(UsersCommand.words(person))", fault, next: [("next", next)])
        }
        if console.isJSON { return }
        let end = Words.time(invitation.expiresAt, inUTC: console.inUTC)
        console.note("\(deed) \(UsersCommand.words(person)). The link works once, until \(end); it is shown only now.")
        let invite = Invocation.sameServer("users invite \(Style.safe(person.name))")
        console.note("  next: send it to them alone; with it they set their password. If it gets lost: \(invite)")
        guard server.isLoopback else { return }
        console.note("  It says \(server), which opens on this machine only: replace that with the address by which they reach the server.")
    }
}
