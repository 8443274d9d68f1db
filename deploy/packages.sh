# Sourced by the two commands: installs the Debian packages that are missing, and says which.

# Ends the script when Swift 6 is not there: a toolchain is a choice of its user, not something to install unasked.
require_swift() {
    if ! command -v swift >/dev/null 2>&1; then
        echo "Gatehouse is built with Swift 6, and there is no swift on the PATH." >&2
        echo "Get it from https://www.swift.org/install/linux/ and run this again." >&2
        exit 1
    fi
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\).*/\1/p' | head -n 1)
    if [ "${version:-0}" -lt 6 ]; then
        echo "Gatehouse is built with Swift 6; this one is older. Get a newer one from https://www.swift.org/install/linux/." >&2
        exit 1
    fi
}

# install_packages NAME...
install_packages() {
    local missing=() name
    if ! command -v dpkg-query >/dev/null 2>&1; then
        echo "This is no Debian; install these yourself if they are missing: $*" >&2
        return
    fi
    for name in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$name" 2>/dev/null)" = "ii " ] || missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
    echo "Installing Debian packages: ${missing[*]}" >&2
    "${as_root[@]}" apt-get update -qq >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# What it takes to build and to run.
build_packages=(libmicrohttpd-dev libsqlite3-dev libsodium-dev libcurl4-openssl-dev libpq-dev pkg-config)

# build_shipped PRODUCT...: builds the programs as they are shipped, with the libraries of Swift and C++ linked in, so that they run where neither
# is; a short run of gatectl would spend a tenth of its time on loading the latter. Leaves in `shipped` the folder in which they are.
build_shipped() {
    # Beside the folder of other builds: linked differently, they would throw each other's work away.
    local scratch=.build/static product
    local flags=(-c release --static-swift-stdlib --scratch-path "$scratch" -Xswiftc "-L$PWD/$scratch/c++")
    # Types are named by their addresses, not looked up by their names when the program runs: 4.5 of 37 million instructions of a short run
    # of gatectl. (-disable-concrete-type-metadata-mangled-name-accessors in the compiler's FrontendOptions.td.)
    flags+=(-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors)
    # Nothing loads these programs as a library; what they export would be looked through for every symbol of libcurl's thirty libraries.
    flags+=(-Xlinker --no-export-dynamic)
    # A linker takes the shared library where both are in one folder, so the other one is put where it looks first.
    mkdir -p "$scratch/c++"
    ln -sf "$(ls /usr/lib/gcc/*/*/libstdc++.a | sort -V | tail -n 1)" "$scratch/c++/libstdc++.a"
    for product in "$@"; do swift build "${flags[@]}" --product "$product" >&2; done
    shipped=$(swift build "${flags[@]}" --show-bin-path)
}

# The server and its programs for the tests, which start servers of their own: Debian's package would make a cluster and start it with the
# machine. (create_main_cluster in createcluster.conf(5) is read when a version of the server is installed, and not afterwards.)
install_postgresql() {
    if compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then return; fi
    if ! command -v dpkg-query >/dev/null 2>&1; then install_packages postgresql; return; fi
    local as_root=() keep=/etc/postgresql-common/createcluster.d/gatehouse.conf status=0
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
    "${as_root[@]}" mkdir -p "${keep%/*}"
    echo "create_main_cluster = false" | "${as_root[@]}" tee "$keep" >/dev/null
    install_packages postgresql || status=1
    "${as_root[@]}" rm -f "$keep"
    return $status
}
