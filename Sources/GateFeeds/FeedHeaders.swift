/// What every feed is served with, by whichever server: ours, another that serves a rendered folder, an object store.
package enum FeedHeaders {
    package static let contentType = "application/json; charset=utf-8"
    /// Phones revalidate every time; shared caches hold a feed for two seconds and outlive the origin by a day (measured: nginx and
    /// Varnish store nothing under `no-cache`, and then fail with the origin).
    package static let cacheControl = "public, max-age=0, s-maxage=2, stale-if-error=86400"
}
