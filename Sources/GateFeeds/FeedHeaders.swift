/// The headers of every feed, whoever serves it: Gatehouse, another server with a folder of rendered feeds, or an object store.
package enum FeedHeaders {
    package static let contentType = "application/json; charset=utf-8"
    /// Phones revalidate every time; shared caches keep a feed for two seconds, and for a day if the origin is down (measured: with
    /// `no-cache`, nginx and Varnish store nothing and then fail together with the origin).
    package static let cacheControl = "public, max-age=0, s-maxage=2, stale-if-error=86400"
}
