/// What a password must be. The other rules, and the list of passwords that everybody tries first, are in the service.
public enum Password {
    /// Unicode scalars (ASVS 5.0 section 6.2).
    public static let lengths = 12...128
}
