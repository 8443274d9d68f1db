/// The known name nearest to a mistyped one.
package enum NearestName {
    /// - Returns: nil when none is near enough to be meant: more than a third of the letters differ.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let lowered = word.lowercased()
        let limit = max(1, lowered.count / 3)
        return
            names
            .map { (name: $0, distance: distance(lowered, $0.lowercased())) }
            .filter { $0.distance <= limit }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?
            .name
    }

    /// Letters inserted, left out, changed, or swapped with their neighbour (optimal string alignment).
    package static func distance(_ one: String, _ other: String) -> Int {
        let a = Array(one)
        let b = Array(other)
        var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count { rows[i][0] = i }
        for j in 0...b.count { rows[0][j] = j }
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        for i in 1...a.count {
            for j in 1...b.count {
                let change = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, change)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1) }
            }
        }
        return rows[a.count][b.count]
    }
}
