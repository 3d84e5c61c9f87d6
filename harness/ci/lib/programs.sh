# Sourced by the scripts in harness/ci that build and run the rig in a job. $root, the repository's
# folder, must be set.
# shellcheck shell=bash

# Where a job keeps the programs.
# shellcheck disable=SC2034 # used where this is sourced
kept=${root:?}/.build/kept

# Prints the programs' folder.
programs_folder() { printf '%s\n' "${RIG_BINARIES:-$kept}"; }

# Prints a digest of what the programs depend on: the sources' content, the compiler, the system.
build_key() {
    local swift digest
    swift=$(command -v swift) || {
        echo "no Swift toolchain found; run harness/setup, which says what to install" >&2
        exit 69
    }
    digest=$(
        cd "$root" || exit
        {
            "$swift" --version 2>/dev/null
            cat /etc/os-release 2>/dev/null || uname -srm
            find -L Package.swift harness/lib/build.sh Sources -type f -print0 \
                2>/dev/null | LC_ALL=C sort -z | xargs -0 sha256sum
        } | sha256sum
    )
    printf '%s\n' "${digest:0:32}"
}
