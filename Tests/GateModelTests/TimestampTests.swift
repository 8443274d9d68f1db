import GateModel
import Testing

struct TimestampTests {
    @Test func everyMillisecondIsWrittenAndReadBackAsItself() {
        for start in [0, 1_775_120_534_000, -2_000] as [Int64] {
            for milliseconds in start..<start + 1_000 {
                let time = Timestamp(milliseconds: milliseconds)
                #expect(Timestamp(time.description) == time)
            }
        }
    }

    @Test(arguments: [
        (1_775_120_534_123, "2026-04-02T09:02:14.123Z"), (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
    func aMomentIsWrittenInUTCWithThreeDecimals(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
    }
}
