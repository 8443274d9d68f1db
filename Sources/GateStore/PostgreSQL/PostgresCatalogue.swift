/// The tables, indexes, triggers and functions in a session's schema (`current_schema`), from PostgreSQL's catalogue.
///
/// Objects of extensions that somebody installed there are not gatehouse's and are ignored.
enum PostgresCatalogue {
    static func isEmpty(_ db: SQLConnection) throws -> Bool {
        try db.value(
            Int.self,
            sql: "SELECT count(*) FROM pg_class r WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND \(isOwn("pg_class", "r"))"
        ) == 0
    }

    /// Each object by name, as the server describes it: two schemas with the same objects give the same result. Includes what is disabled
    /// or not valid, rules and policies.
    static func objects(_ db: SQLConnection) throws -> [String: String] {
        let rows = try db.rows(sql: everything)
        return Dictionary(try rows.map { (try $0.stored("name") as String, try $0.stored("made") as String) }) { $0 + "\n" + $1 }
    }

    /// A hash over everything that runs when a row is written: triggers, functions, rules, policies, inheriting tables.
    static func cookie(_ db: SQLConnection) throws -> Int {
        try db.cachedStatement(
            sql: """
                SELECT hashtextextended(coalesce(string_agg(part, ' ' ORDER BY part), ''), 0) FROM (
                    SELECT 't' || t.oid || ':' || t.xmin::text || t.tgenabled::text AS part
                    FROM pg_trigger t JOIN pg_class r ON r.oid = tgrelid WHERE NOT tgisinternal AND \(isHere("r.relnamespace"))
                    UNION ALL SELECT 'f' || p.oid || ':' || p.xmin::text FROM pg_proc p WHERE \(isHere("pronamespace"))
                    UNION ALL SELECT 'r' || w.oid || ':' || w.xmin::text FROM pg_rewrite w JOIN pg_class r ON r.oid = ev_class WHERE \(isHere("relnamespace"))
                    UNION ALL SELECT 'p' || p.oid || ':' || p.xmin::text FROM pg_policy p JOIN pg_class r ON r.oid = polrelid WHERE \(isHere("relnamespace"))
                    UNION ALL SELECT 'i' || inhrelid || ':' || inhparent FROM pg_inherits JOIN pg_class r ON r.oid = inhparent WHERE \(isHere("relnamespace"))
                ) parts
                """
        ).value(Int.self) ?? 0
    }

    /// As a subquery it is evaluated once, not for each of the 3,000 functions that every database has: each write asks for the cookie.
    private static func isHere(_ namespace: String) -> String { "\(namespace) = (SELECT current_schema()::text::regnamespace)" }

    private static func isOwn(_ catalogue: String, _ alias: String) -> String {
        """
        \(isHere("\(alias).\(catalogue == "pg_class" ? "relnamespace" : "pronamespace")")) AND NOT EXISTS (SELECT 1 FROM pg_depend
        WHERE classid = '\(catalogue)'::regclass AND objid = \(alias).oid AND deptype = 'e')
        """
    }

    private static let everything = """
        SELECT CASE relkind WHEN 'S' THEN 'sequence ' ELSE 'table ' END || relname AS name,
            relkind::text || relrowsecurity::text || coalesce(string_agg(
                attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
                || coalesce(' COLLATE ' || collname, '') || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')
                || attidentity::text || attgenerated::text, ', ' ORDER BY attnum), '') AS made
        FROM pg_class r
            LEFT JOIN pg_attribute a ON attrelid = r.oid AND attnum > 0 AND NOT attisdropped
            LEFT JOIN pg_attrdef ON adrelid = r.oid AND adnum = attnum
            LEFT JOIN pg_collation c ON c.oid = attcollation
        WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND \(isOwn("pg_class", "r"))
        GROUP BY r.oid, relname, relkind, relrowsecurity
        UNION ALL SELECT 'constraint ' || conname || ' on ' || relname, pg_get_constraintdef(n.oid, true)
        FROM pg_constraint n JOIN pg_class r ON r.oid = conrelid WHERE \(isOwn("pg_class", "r"))
        UNION ALL SELECT 'index ' || i.relname, pg_get_indexdef(indexrelid, 0, true) || indisvalid::text
        FROM pg_index JOIN pg_class i ON i.oid = indexrelid JOIN pg_class r ON r.oid = indrelid WHERE \(isOwn("pg_class", "r"))
        UNION ALL SELECT 'trigger ' || tgname, pg_get_triggerdef(t.oid, true) || tgenabled::text
        FROM pg_trigger t JOIN pg_class r ON r.oid = tgrelid WHERE NOT tgisinternal AND \(isOwn("pg_class", "r"))
        UNION ALL SELECT 'function ' || proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
            concat_ws(' ', pg_get_function_result(p.oid), lanname, provolatile, prosecdef, proconfig, prosrc)
        FROM pg_proc p JOIN pg_language l ON l.oid = prolang WHERE \(isOwn("pg_proc", "p"))
        UNION ALL SELECT 'rule ' || rulename || ' on ' || relname, pg_get_ruledef(w.oid, true) || ev_enabled::text
        FROM pg_rewrite w JOIN pg_class r ON r.oid = ev_class WHERE \(isOwn("pg_class", "r"))
        UNION ALL SELECT 'policy ' || polname || ' on ' || relname, ''
        FROM pg_policy p JOIN pg_class r ON r.oid = polrelid WHERE \(isOwn("pg_class", "r"))
        UNION ALL SELECT 'inheritance ' || inhrelid::regclass || ' of ' || relname, ''
        FROM pg_inherits JOIN pg_class r ON r.oid = inhparent WHERE relkind IN ('r', 'p') AND \(isOwn("pg_class", "r"))
        ORDER BY 1, 2
        """
}
