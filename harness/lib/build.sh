# Sourced by harness/rig, harness/test and others, and by harness/lib/house/rig.py: the release build,
# only when needed.
# Expects $root, the repository's folder, to be set. Works with the bash 3.2 of macOS.
# shellcheck shell=bash

# Where the release products are.
release_folder=${root:?}/.build/release

# The programs of the rig. The last one is for tests of the rig, and is not installed.
release_programs=(rig rig-confine downloader downloader-with-bugs)

# Line numbers are enough for the trace of a crash; full debug information takes a tenth of the
# build. Optimizing for size saves a seventh of the build, and a hundred kills take as long: 11.2 s,
# and 7.3 s with two jobs, in four runs of both builds in turn. The hot code is in C and in the
# kernel.
release_flags=(-c release -Xswiftc -gline-tables-only -Xswiftc -Osize)
# Without the shared runtime a process starts in 2 ms instead of 7, and every kill needs a launch.
# macOS has the runtime in the system, and no static one.
if [[ $OSTYPE == linux* ]]; then
    release_flags+=(--static-swift-stdlib)
    # For packages: no folder of this machine stands in a program, and none is searched for libraries.
    release_flags+=(--disable-local-rpath -Xcc "-ffile-prefix-map=$root=.")
    release_flags+=(-Xswiftc -file-prefix-map -Xswiftc "$root=.")
    # Else the names of compiled modules stand in debug symbols, which have a digest of the folder.
    release_flags+=(-Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs)
fi

# Prints a digest of what a build depends on: names, sizes and times of the sources, the compiler's
# file, and the settings.
release_fingerprint() {
    local inputs=("$root/Package.swift" "$root/Sources") compiler
    if compiler=$(command -v swift); then inputs+=("$compiler"); fi
    {
        echo "${release_flags[*]} ${RIG_WARNINGS_AS_ERRORS-}"
        if [[ $OSTYPE == darwin* ]]; then
            find -L "${inputs[@]}" -type f -exec stat -f '%N %z %Fm' {} +
        else
            find -L "${inputs[@]}" -type f -printf '%p %s %T@\n'
        fi
    } | cksum
}

# Prints a digest of the dependencies' versions. Separate from the rest, because the first build
# writes them.
versions_fingerprint() {
    if [[ -r $root/Package.resolved ]]; then cksum <"$root/Package.resolved"; fi
}

# True if every program is there.
are_built() {
    local name
    for name in "${release_programs[@]}"; do
        [[ -x $release_folder/$name ]] || return 1
    done
}

# Builds the release products, unless they are of the present sources. Prints one line to standard
# error; if the build fails, prints the compiler's output and exits with 70.
build_release() {
    local kept=$root/.build/harness fingerprint verb="building"
    local stamp=$kept/release-built log=$kept/release-build.log
    # Taken before the build: a source that is saved during the build must be built next time.
    fingerprint=$(release_fingerprint)
    if are_built && [[ -r $stamp ]] &&
        [[ $(<"$stamp") == "$fingerprint / $(versions_fingerprint)" ]]; then
        return
    fi
    "$root/harness/setup"
    mkdir -p "$kept"
    [[ -x $release_folder/rig ]] || verb="building (first time 2 to 5 minutes)"
    echo "$verb …" >&2
    # From the same folder and in the same order: where the compiler is called stands in debug symbols,
    # and sets of Swift have another order in each process.
    if ! (cd "$root" && SWIFT_DETERMINISTIC_HASHING=1 swift build "${release_flags[@]}" \
        --package-path "$root") </dev/null >"$log" 2>&1; then
        cat "$log" >&2
        echo "the build failed: see the compiler's messages above, also kept in $log" >&2
        exit 70
    fi
    # A program that did not change was not linked again. Without a new time it would be older than
    # a source, and the rig would call its commit unknown.
    touch "${release_programs[@]/#/$release_folder/}"
    printf '%s\n' "$fingerprint / $(versions_fingerprint)" >"$stamp"
}
