/// Help about what belongs to no single command.
struct HelpTopic {
    let name: String
    let text: String

    static let all = [breakGlass, exitCodes, environment, times]

    private static let breakGlass = HelpTopic(
        name: "break-glass",
        text: """
            THE SERVER IS DOWN, OR CANNOT BE WRITTEN TO

            Phones go on with the last feed they got, and caches in front of the server answer from theirs for a day or more. Feeds come
            from the server's memory, so they go on while its database is full or broken: see first what is really down.

              gatectl doctor                                one line per check
              gatectl feed shop ios -i                      do phones still get a feed?

            On the server's machine: start it again, which takes a second (systemctl restart gatehouse, or deploy/run). With a database
            that cannot be read it still serves what it published last. gatehouse verify --data DIR, with the server stopped, names the
            damage; gatehouse restore --data DIR --from FILE puts a backup in its place and keeps what was there. A copy of DIR on another
            machine is a whole server: with the server stopped, cp -a DIR; beside a running one gatehouse backup --data DIR --out FILE,
            for files that are copied while they are written do not fit together, and need not look damaged.

            IT STAYS DOWN AND PHONES MUST BE TOLD SOMETHING ELSE

            You need an export made before (best every night) and kept elsewhere (gatectl export --with-revisions -o gates.json).
            No server is asked:

              1. edit gates.json: "gate" of apps, platforms. A block for everybody is
                 "gate": {"killSwitch": {"message": "Back at 09:30.", "retryInterval": 30}}
              2. gatectl validate -f gates.json             is it what the server would take?
              3. gatectl render -f gates.json --out site    every feed and alias, byte for byte as the server serves them
              4. let any web server serve the folder site at the address that phones poll, as application/json

            These feeds are not signed: apps with GateKit and a key refuse them. For those, start any gatehouse with a copy of keys/ in
            its data folder, gatectl apply the file there, and let it serve the feeds.

            WHEN IT IS BACK

              gatectl diff -f gates.json                    what differs between the file and the server
              gatectl apply -f gates.json --dry-run         what would be changed; then without --dry-run
            """
    )

    private static let exitCodes = HelpTopic(
        name: "exit-codes",
        text: """
            EXIT CODES. Scripts may rely on them; none changes its meaning.

            \(Exit.lines.joined(separator: "\n"))
            """
    )

    private static let environment = HelpTopic(
        name: "environment",
        text: """
            SETTINGS. An option beats the environment, which beats the project's .gatectl.json, which beats the file of contexts.
            .gatectl.json names a "context" of yours, and an "app" that status, history and watch show where none is typed.

              GATECTL_SERVER, GATECTL_TOKEN      a server and its token, without any file; for scripts
              GATECTL_TOKEN_FILE                 a file that holds the token
              GATECTL_CONTEXT                    the context to use (gatectl context list)
              GATECTL_CONFIG                     the folder of contexts; default $XDG_CONFIG_HOME/gatectl, else ~/.config/gatectl
              GATECTL_NO_INPUT=1                 never ask; exit 3 instead
              GATECTL_CA_FILE                    a file with the authorities whose certificates are trusted, in place of the system's;
                                                 else the context's (gatectl context add --ca), else SSL_CERT_FILE
              https_proxy, all_proxy, no_proxy   as curl reads them; requests to this machine use no proxy
              GATECTL_TIMEOUT                    how long to wait for the server, such as 10s
              NO_COLOR, FORCE_COLOR, TERM=dumb   colour
              PAGER                              shows history that is longer than the terminal
              TZ                                 the zone of times that name none
            """
    )

    private static let times = HelpTopic(
        name: "times",
        text: """
            TIMES AND SPANS

              90s  30m  2h  1d                   spans: --for, --since, --retry, --timeout
              09:00                              the next 09:00, in your zone or that of --tz (schedule edit: in the window's)
              "tomorrow 09:00"
              "yesterday 14:03", "last tuesday 14:03"   for questions about the past: simulate --at
              "2026-03-30 09:00"
              2026-03-30T09:00:00+02:00          exact (RFC 3339)

            A time that clocks skip or show twice is refused, with what could be meant. Times are shown in UTC and, where that
            differs, in your zone; --utc shows only UTC.
            """
    )
}
