import Foundation
import GateTesting
import ObjectStore
import Testing

@Suite struct ObjectStoreCredentialsTests {
    private static let file = """
        # of the other tools
        [default]
        aws_access_key_id = AKIADEFAULT
        aws_secret_access_key=a/secret+with=signs
        [ other ]
        aws_access_key_id=AKIAOTHER
        [half]
        aws_access_key_id=AKIAHALF
        """

    private func found(_ environment: [String: String]) throws -> ObjectStoreCredentials {
        try ObjectStoreCredentials(environment: environment)
    }

    @Test func theyAreFoundWhereOtherToolsFindThem() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/credentials"
        try Self.file.write(toFile: path, atomically: true, encoding: .utf8)
        _ = try found(["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"])
        _ = try found(["AWS_SHARED_CREDENTIALS_FILE": path])
        try FileManager.default.createDirectory(atPath: folder.path + "/.aws", withIntermediateDirectories: false)
        try Self.file.write(toFile: folder.path + "/.aws/credentials", atomically: true, encoding: .utf8)
        _ = try found(["HOME": folder.path, "AWS_ACCESS_KEY_ID": "without a secret"])
        for profile in ["other", "half", "none"] {
            #expect(throws: ObjectStoreError.self) { try found(["AWS_SHARED_CREDENTIALS_FILE": path, "AWS_PROFILE": profile]) }
        }
        #expect(throws: ObjectStoreError.self) { try found(["AWS_SHARED_CREDENTIALS_FILE": folder.path + "/missing"]) }
        #expect(throws: ObjectStoreError.self) { try found([:]) }
    }

    @Test func noTextHoldsTheSecret() throws {
        let credentials = try found(["AWS_ACCESS_KEY_ID": "AKIATEST", "AWS_SECRET_ACCESS_KEY": "hush", "AWS_SESSION_TOKEN": "hush"])
        var dumped = ""
        dump(credentials, to: &dumped)
        #expect(!"\(credentials) \(String(reflecting: credentials)) \(dumped)".contains("hush"))
    }

    @Test(arguments: [
        ([:], "us-east-1"), (["AWS_DEFAULT_REGION": "eu-west-1"], "eu-west-1"),
        (["AWS_REGION": "", "AWS_DEFAULT_REGION": "eu-west-1"], "eu-west-1"),
        (["AWS_REGION": "eu-central-1", "AWS_DEFAULT_REGION": "eu-west-1"], "eu-central-1"),
    ])
    func theRegionIsTheEnvironments(environment: [String: String], region: String) {
        #expect(ObjectStoreCredentials.region(environment: environment) == region)
    }
}
