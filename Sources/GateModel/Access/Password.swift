/// What a password must be. Its other rules, and the passwords that everybody tries first, are the service's.
public enum Password {
    /// Unicode scalars (ASVS 5.0 section 6.2).
    public static let lengths = 12...128
}
