import ArgumentParser
import Foundation

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the dashboard, the admin API and the feeds.",
        discussion: """
            Every option has an environment variable (--data is GATEHOUSE_DATA) and a key of the same name in the JSON file of --config; \
            the option beats the variable, the variable beats the file.

            Example: gatehouse serve --data ./data --listen 127.0.0.1:8080 --feeds 0.0.0.0:8081 --environment production --protected
            """
    )

    @Option(help: ArgumentHelp("Folder for the database, the last feeds and keys; made if it is not there.", valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "Keep the database in PostgreSQL and not in that folder, such as postgresql://gatehouse@db.example/gatehouse?sslmode=verify-full; give a password with PGPASSFILE or PGPASSWORD.",
            valueName: "postgresql://..."
        )
    )
    var database: String?

    @Option(
        help: ArgumentHelp(
            "Share the keys of that folder with the other servers of the database, sealed with the secret in this file, which gatehouse keys secret makes; the secret itself may be given as GATEHOUSE_KEYS_SECRET (default: each folder has its own keys).",
            valueName: "file"
        )
    )
    var keysSecretFile: String?

    @Option(
        help: ArgumentHelp(
            "What this server is called among those that share its database (default: the machine's name).",
            valueName: "name"
        )
    )
    var serverName: String?

    @Option(
        help: ArgumentHelp(
            "Address of the dashboard and the admin API (default: 127.0.0.1:8080; port 0 picks a free one).",
            valueName: "address:port"
        )
    )
    var listen: String?

    @Option(help: ArgumentHelp("Address of the feeds (default: 0.0.0.0:8081).", valueName: "address:port"))
    var feeds: String?

    @Option(help: ArgumentHelp("Folder of the dashboard's files.", valueName: "dir"))
    var `public`: String?

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    @Option(help: ArgumentHelp("JSON file with any of these options.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("What this environment is called, shown everywhere (default: development).", valueName: "name"))
    var environment: String?

    @Option(help: ArgumentHelp("Colour of its bar: production, staging or development (default: by its name).", valueName: "name"))
    var environmentColour: String?

    @Flag(help: "Ask for a reason and a typed confirmation before anybody is locked out.")
    var protected = false

    @Option(
        help: ArgumentHelp(
            "A minimum version, and other rules about versions, are a step more dangerous where they newly shut out more than this part of the last hour's polls (default: 25%; never at 100%).",
            valueName: "percent"
        )
    )
    var blastRadius: String?

    @Option(help: ArgumentHelp("PEM file with the certificate chain, for TLS on both listeners; read again at SIGHUP.", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("PEM file with the certificate's key.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "Addresses of a proxy whose X-Forwarded-For and X-Forwarded-Proto are believed, such as 10.0.0.0/8; may be given again (default: none).",
            valueName: "cidr"
        )
    )
    var trustedProxy: [String] = []

    @Option(
        help: ArgumentHelp(
            "Header field in which a trusted proxy names who is signed in, such as X-Remote-User; ignored from anybody else (default: none).",
            valueName: "name"
        )
    )
    var signInHeader: String?

    @Option(help: ArgumentHelp("Header field with that person's groups, separated by commas, such as X-Remote-Groups.", valueName: "name"))
    var signInGroupsHeader: String?

    @Option(
        help: ArgumentHelp(
            "Header field with the time at which they proved who they are, in seconds since 1970, such as X-Remote-Time (default: when their session here began).",
            valueName: "name"
        )
    )
    var signInTimeHeader: String?

    @Option(
        help: ArgumentHelp(
            "File that says what groups may do, one line each: GROUP ROLE [APPS], with apps separated by commas or * for all; the group * is everybody (default: everybody whom the proxy names may look).",
            valueName: "file"
        )
    )
    var signInGroups: String?

    @Option(
        help: ArgumentHelp("Where the browser goes after signing out: what ends the proxy's own session.", valueName: "url")
    )
    var signOutUrl: String?

    @Option(
        help: ArgumentHelp(
            "The dashboard's address as browsers see it, such as https://gate.example.com. Requests for any name other than this one, localhost and the address of --listen are turned away (421). Give the option again for each further name of the server.",
            valueName: "url"
        )
    )
    var origin: [String] = []

    @Option(
        help: ArgumentHelp(
            "Also keep the heads of the history in this file, best on another machine's disk: a start then notices if an older data folder was put back.",
            valueName: "file"
        )
    )
    var anchorCopy: String?

    @Flag(help: "Bring an older database to this version's schema before serving, after copying it; for packages that update themselves.")
    var migrate = false

    @Option(
        help: ArgumentHelp(
            "Keep backups in this folder, best on another disk; made if it is not there, and only its owner can open it.",
            valueName: "dir"
        )
    )
    var backupDir: String?

    @Option(help: ArgumentHelp("How often a backup is made, such as 30m, 1h or 1d (default: 1h).", valueName: "span"))
    var backupEvery: String?

    @Option(
        help: ArgumentHelp(
            "How many of the newest backups are kept; of older ones, one a day for 30 days (default: 48).",
            valueName: "number"
        )
    )
    var backupKeep: String?

    // Of 64 keys one begins with a hyphen, and would be taken for an option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Encrypt backups to this public key of gatehouse backup-key; the private half stays with whoever restores.",
            valueName: "key"
        )
    )
    var backupEncryptTo: String?

    @Option(
        help: ArgumentHelp(
            "Also publish every feed into this bucket of an S3-compatible store, such as s3://feeds/production, for a CDN to serve; credentials as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in AWS_SHARED_CREDENTIALS_FILE.",
            valueName: "s3://bucket/prefix"
        )
    )
    var publish: String?

    @Option(help: ArgumentHelp("The object store's address (default: Amazon's in AWS_REGION).", valueName: "url"))
    var publishEndpoint: String?

    func run() throws {
        // Before anything else reads the environment.
        let secret = KeysSecret.taken()
        var given: [String: String] = [:]
        given["data"] = data
        given["database"] = database
        given["keys-secret-file"] = keysSecretFile
        given["server-name"] = serverName
        given["listen"] = listen
        given["feeds"] = feeds
        given["public"] = `public`
        given["migrations"] = migrations
        given["environment"] = environment
        given["environment-colour"] = environmentColour
        given["protected"] = protected ? "true" : nil
        given["blast-radius"] = blastRadius
        given["tls-certificate"] = tlsCertificate
        given["tls-key"] = tlsKey
        given["trusted-proxy"] = trustedProxy.isEmpty ? nil : trustedProxy.joined(separator: ",")
        given["sign-in-header"] = signInHeader
        given["sign-in-groups-header"] = signInGroupsHeader
        given["sign-in-time-header"] = signInTimeHeader
        given["sign-in-groups"] = signInGroups
        given["sign-out-url"] = signOutUrl
        given["origin"] = origin.isEmpty ? nil : origin.joined(separator: ",")
        given["anchor-copy"] = anchorCopy
        given["migrate"] = migrate ? "true" : nil
        given["backup-dir"] = backupDir
        given["backup-every"] = backupEvery
        given["backup-keep"] = backupKeep
        given["backup-encrypt-to"] = backupEncryptTo
        given["publish"] = publish
        given["publish-endpoint"] = publishEndpoint
        let sources = try OptionSources(given: given, variables: ProcessInfo.processInfo.environment, file: config)
        let settings = try ServeSettings(sources, secret: secret)
        try ServerProcess(settings).run()
    }
}
