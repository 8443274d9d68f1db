import Testing

@testable import GateStore

/// Statements as they are written here, in PostgreSQL's form.
@Suite struct SQLTranslationTests {
    @Test(
        arguments: [
            ("", "", .places(0)), ("SELECT 1", "SELECT 1", .places(0)), ("SELECT ?", "SELECT $1", .places(1)),
            ("INSERT INTO t VALUES (?, ?,?)", "INSERT INTO t VALUES ($1, $2,$3)", .places(3)),
            ("a = ? AND b = ?", "a = $1 AND b = $2", .places(2)), ("?", "$1", .places(1)), ("??", "$1$2", .places(2)),
            (String(repeating: "?,", count: 12), (1...12).map { "$\($0)," }.joined(), .places(12)),
            // By names: each once, in the order of their first place.
            ("SELECT :a, :b, :a", "SELECT $1, $2, $1", .names(["a", "b"])),
            ("x=:a_1+:B", "x=$1+$2", .names(["a_1", "B"])), (":é", "$1", .names(["é"])), (":a:b", "$1$2", .names(["a", "b"])),
            ("SELECT :a1", "SELECT $1", .names(["a1"])),
            // What colons are else.
            ("SELECT ?::bigint, '1'::text", "SELECT $1::bigint, '1'::text", .places(1)),
            ("SELECT :a::bigint", "SELECT $1::bigint", .names(["a"])), ("SELECT a :: text", "SELECT a :: text", .places(0)),
            ("f(a := 1)", "f(a := 1)", .places(0)), ("a[1:2]", "a[1:2]", .places(0)), (":", ":", .places(0)), ("::", "::", .places(0)),
            // Texts and names.
            ("SELECT '?', ':a', ?", "SELECT '?', ':a', $1", .places(1)), ("'it''s ?' ?", "'it''s ?' $1", .places(1)),
            (#"'\' ?"#, #"'\' $1"#, .places(1)), (#"E'\' ?' ?"#, #"E'\' ?' $1"#, .places(1)), (#"e'\\' ?"#, #"e'\\' $1"#, .places(1)),
            (#"E'a''\' ?' ?"#, #"E'a''\' ?' $1"#, .places(1)), (#"me'\' ?"#, #"me'\' $1"#, .places(1)),
            (#""a?":b ":c" """"#, #""a?"$1 ":c" """"#, .names(["b"])), ("'open ?", "'open ?", .places(0)),
            (#"E'open \"#, #"E'open \"#, .places(0)), ("\"open ?", "\"open ?", .places(0)),
            // Dollars.
            ("$$ ? :a $$ ?", "$$ ? :a $$ $1", .places(1)), ("$f$ ? $$ ? $g$ $f$ ?", "$f$ ? $$ ? $g$ $f$ $1", .places(1)),
            ("a$b$ ? $b$", "a$b$ $1 $b$", .places(1)), ("$$ open ?", "$$ open ?", .places(0)), ("5$ ?", "5$ $1", .places(1)),
            ("$_é1$ ? $_é1$ ?", "$_é1$ ? $_é1$ $1", .places(1)), ("$", "$", .places(0)),
            // Comments.
            ("-- ? :a\n?", "-- ? :a\n$1", .places(1)), ("? -- ?", "$1 -- ?", .places(1)), ("a - - ?", "a - - $1", .places(1)),
            ("/* ? */ ?", "/* ? */ $1", .places(1)), ("/* /* ? */ ? */ ?", "/* /* ? */ ? */ $1", .places(1)),
            ("/* open ?", "/* open ?", .places(0)), ("/*/ ? */ ?", "/*/ ? */ $1", .places(1)), ("a / ?", "a / $1", .places(1)),
            ("'--' ?", "'--' $1", .places(1)), ("-- '\n?", "-- '\n$1", .places(1)), ("'Zoë 🚦?' ?", "'Zoë 🚦?' $1", .places(1)),
        ] as [(String, String, SQLTranslation.Parameters)]
    )
    func parametersGetNumbers(statement: String, text: String, parameters: SQLTranslation.Parameters) throws {
        let translation = try SQLTranslation(statement)
        #expect(translation.text == text)
        #expect(translation.parameters == parameters)
    }

    @Test(arguments: ["SELECT ?, :a", "SELECT :a, ?", "SELECT ?1", "?2"])
    func whatIsNotWritten(statement: String) {
        #expect(throws: SQLError.self) { try SQLTranslation(statement) }
    }

    @Test(arguments: [
        ("SELECT 1", false), ("SELECT 1;", false), ("SELECT 1; -- done\n /* ; */ ;", false), ("SELECT 1; SELECT 2", true), ("a;'b'", true),
        ("SELECT ';'; ", false), ("CREATE FUNCTION f() AS $$ a; b; $$", false), ("; SELECT 1", true), ("", false), ("a;?", true),
    ])
    func aTextOfSeveral(statement: String, isScript: Bool) throws { #expect(try SQLTranslation(statement).isScript == isScript) }

    @Test(arguments: [
        ("INSERT INTO t VALUES (1)", true), ("  update t SET a = 1", true), ("/* SELECT */ DELETE FROM t", true), ("SELECT 1", false),
        ("WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a", true), ("WITH a AS (DELETE FROM t RETURNING n) SELECT * FROM a", false),
        ("WITH RECURSIVE a AS (VALUES (1)) UPDATE t SET a = 1", true), ("CREATE TRIGGER t BEFORE DELETE ON t", false), ("", false),
        ("INSERT INTO t SELECT 1", true), ("SELECT * FROM t FOR UPDATE", false),
    ])
    func whatCountsRows(statement: String, isCounting: Bool) throws { #expect(try SQLTranslation(statement).isCounting == isCounting) }
}
