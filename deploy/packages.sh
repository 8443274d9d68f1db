# Sourced by the scripts here and by the tests' run scripts: installs the Debian packages that are missing, and says which.

# Ends the script when Swift 6.3 is not there: a toolchain is the user's choice, not something to install unasked.
require_swift() {
    if ! command -v swift >/dev/null 2>&1; then
        echo "Gatehouse is built with Swift 6.3, and there is no swift on the PATH." >&2
        echo "Get it from https://www.swift.org/install/linux/ and run this again." >&2
        exit 1
    fi
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
    # Functions that C calls are declared with @c (SE-0495), which older ones do not know.
    if [ "$(printf '6.3\n%s\n' "${version:-0}" | sort -V | head -n 1)" != 6.3 ]; then
        echo "Gatehouse is built with Swift 6.3; this one is older. Get a newer one from https://www.swift.org/install/linux/." >&2
        exit 1
    fi
}

# as_root WORDS...
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

# missing_packages NAME...: those that are not installed.
missing_packages() {
    local name
    for name in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$name" 2>/dev/null)" = "ii " ] || echo "$name"
    done
}

# install_packages NAME...
install_packages() {
    local missing
    if ! command -v dpkg-query >/dev/null 2>&1; then
        echo "This is not Debian; install these yourself if they are missing: $*" >&2
        return
    fi
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "Installing Debian packages: ${missing[*]}" >&2
    as_root apt-get update -qq >&2
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# install_programs NAME...: packages that bring services, for tests that start the programs themselves. Nothing of them is started now
# (policy-rc.d, in invoke-rc.d(8)) or with the machine; what was installed before stays as it is.
install_programs() (
    policy=/usr/sbin/policy-rc.d wanted=/etc/systemd/system/multi-user.target.wants
    if ! command -v dpkg-query >/dev/null 2>&1; then install_packages "$@"; return; fi
    mapfile -t new < <(missing_packages "$@")
    [ ${#new[@]} -gt 0 ] || return 0
    if [ ! -e "$policy" ]; then
        trap 'as_root rm -f "$policy"' EXIT
        printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
        as_root chmod 0755 "$policy"
    fi
    export LC_ALL=C
    before=$(ls "$wanted" 2>/dev/null)
    install_packages "${new[@]}" || return
    for unit in $(comm -13 <(echo "$before") <(ls "$wanted" 2>/dev/null)); do as_root rm -f "$wanted/$unit"; done
)

# What is needed to build and to run.
build_packages=(libmicrohttpd-dev libsqlite3-dev libsodium-dev libcurl4-openssl-dev libpq-dev pkg-config)

# build_shipped PRODUCT...: builds the programs as they are shipped, with the libraries of Swift and C++ linked in, so that they run where neither
# is installed; a short run of gatectl would spend a tenth of its time loading the latter. Sets `shipped` to the folder that they are in.
build_shipped() {
    # A build folder of its own: with different linking, this and other builds would throw each other's work away.
    local scratch=.build/static product
    local flags=(-c release --static-swift-stdlib --scratch-path "$scratch" -Xswiftc "-L$PWD/$scratch/c++")
    # Types are referred to by address, not looked up by name at run time, which took 4.5 of 37 million instructions of a short run
    # of gatectl. (-disable-concrete-type-metadata-mangled-name-accessors in the compiler's FrontendOptions.td.)
    flags+=(-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors)
    # Nothing loads these programs as a library; the loader would search their exports for every symbol of libcurl's thirty libraries.
    flags+=(-Xlinker --no-export-dynamic)
    # A linker prefers the shared library when both are in one folder, so the static one is put where it looks first.
    mkdir -p "$scratch/c++"
    ln -sf "$(ls /usr/lib/gcc/*/*/libstdc++.a | sort -V | tail -n 1)" "$scratch/c++/libstdc++.a"
    for product in "$@"; do swift build "${flags[@]}" --product "$product" >&2; done
    shipped=$(swift build "${flags[@]}" --show-bin-path)
}

# install_program FILE PLACE: puts a program where it will run from, without what only a debugger reads.
install_program() {
    install -m 0755 "$1" "$2"
    strip --strip-unneeded --remove-section=.comment --remove-section=.note "$2"
}

# PostgreSQL and its programs for the tests, which start servers of their own. By default Debian's package would make a cluster and start it
# with the machine. (create_main_cluster in createcluster.conf(5) is read when a version of the server is installed, not afterwards.)
install_postgresql() {
    if compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then return; fi
    if ! command -v dpkg-query >/dev/null 2>&1; then install_packages postgresql; return; fi
    local keep=/etc/postgresql-common/createcluster.d/gatehouse.conf status=0
    as_root mkdir -p "${keep%/*}"
    echo "create_main_cluster = false" | as_root tee "$keep" >/dev/null
    install_packages postgresql || status=1
    as_root rm -f "$keep"
    return $status
}
