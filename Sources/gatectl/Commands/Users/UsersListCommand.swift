import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct UsersListCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "list",
        abstract: "The people who may sign in, what they may do, whether they have a second factor, and who was invited.",
        discussion: """
            EXAMPLES
              gatectl users list
              gatectl users list -o plain
            """
    )

    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let users = try await session.client.users()
        switch console.format {
        case .json: console.json(Document.list(users.map(\.json)))
        case .plain:
            for user in users {
                let state = user.isDisabled ? "disabled" : user.origin == .proxy ? "proxy" : user.hasPassword ? "active" : "invited"
                console.data(
                    [Style.safe(user.name), user.role.rawValue, Words.apps(user.scope), state, user.hasTOTP ? "totp" : ""].joined(
                        separator: "\t"
                    )
                )
            }
        case .table, .wide:
            var table = Table(["NAME", "ROLE", "APPS", "SECOND FACTOR", "STATE"], flexible: [2])
            table.rows = users.map { user in
                [
                    .init(Style.safe(user.name)), .init(user.role.rawValue), .init(Words.apps(user.scope)),
                    .init(user.hasTOTP ? "yes" : "no"),
                    .init(UsersCommand.state(user, inUTC: console.inUTC)),
                ]
            }
            console.table(table)
        }
    }
}
