import ArgumentParser

struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Changes for a span of time: make, list, show, move, end, cancel and run windows.",
        discussion: """
            The server carries windows out by itself. After it was down, openings still run, however late; a block that is more than ten \
            minutes late is missed and waits for gatectl schedule run or cancel.

            EXAMPLES
              gatectl schedule list
              gatectl schedule add shop ios --from 08:30 --until 09:00 -- kill -m Closed.
              gatectl schedule cancel 12
            """,
        subcommands: [
            ScheduleAddCommand.self, ScheduleListCommand.self, ScheduleShowCommand.self, ScheduleEditCommand.self, ScheduleEndCommand.self,
            ScheduleCancelCommand.self, ScheduleRunCommand.self,
        ],
        defaultSubcommand: ScheduleListCommand.self
    )
}
