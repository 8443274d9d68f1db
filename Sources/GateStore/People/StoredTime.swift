/// What is believed of a time that was stored.
package enum StoredTime {
    /// Seconds by which a stored time may be ahead of this server's clock: servers of one database do not agree to the millisecond. What
    /// is further ahead was written while a clock was wrong, and must not be believed until the time has come.
    package static let lead: Int64 = 60
}
