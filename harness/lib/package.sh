# Sourced by harness/package: the parts of a package. $root, $version, $architecture, $quick and
# SOURCE_DATE_EPOCH must be set, and install.sh must be sourced, which has $installed_programs.
# shellcheck shell=bash

fail() { # exit code, lines …
    local code=$1
    shift
    printf 'harness/package: %s\n' "$@" >&2
    exit "$code"
}

# Prints the version of the packages: that of the sources, and what tells this commit from it unless
# it has the version's tag. The sign ~ makes it an older one, so that the release replaces it.
version_of() { # commit, empty for a changed tree; whether this is the release
    local released tag
    released=$(sed -n 's/^#define RIG_VERSION "\([0-9.]*\)"$/\1/p' \
        "${root:?}/Sources/System/CVersion/include/CVersion.h")
    [[ -n $released ]] || fail 70 "Sources/System/CVersion has no RIG_VERSION"
    tag=$(git -C "$root" tag --points-at HEAD --list "v$released")
    if [[ -n $1 && -n $tag || $2 == true ]]; then
        printf '%s\n' "$released"
    else
        tag=${1:0:8}
        printf '%s~%s.%s\n' "$released" "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S)" \
            "${tag:-changed}"
    fi
}

# Copies the programs without their symbols, and the symbols to where debuggers look for them, by the
# number of the build. Writes the commit into each program (Sources/System/CVersion).
split_symbols() { # folder of the programs, for the programs, for the symbols, commit
    local name number place stamp=$2/stamp
    mkdir -p "$2" "$3"
    printf '%s' "$4" >"$stamp"
    truncate -s 48 "$stamp"
    for name in "${installed_programs[@]:?}"; do
        number=$(readelf -n "$1/$name" | sed -n 's/^ *Build ID: //p')
        [[ $number =~ ^[0-9a-f]{8,}$ ]] || fail 70 "$1/$name has no build id"
        place=$3/usr/lib/debug/.build-id/${number:0:2}
        mkdir -p "$place"
        objcopy --only-keep-debug --compress-debug-sections "$1/$name" "$place/${number:2}.debug" 2>/dev/null ||
            fail 70 "objcopy could not take the symbols out of $1/$name"
        chmod 644 "$place/${number:2}.debug"
        bare -o "$2/$name" "$1/$name" || fail 70 "strip failed on $1/$name"
        if [[ -n $4 ]]; then
            objcopy --update-section rig_commit="$stamp" "$2/$name" ||
                fail 70 "$1/$name is of an older build: it has no place for the commit"
        fi
    done
    rm "$stamp"
}

# Prints the packages that the programs need, in the words of Debian's control files. dpkg-shlibdeps
# finds those of the linked libraries, with the versions that the used symbols came in; libcurl is
# loaded when it is used, so its name is in the program. The packages whose name has changed with the
# width of times (t64) are named both ways.
needed_packages() { # folder of the programs, folder for work
    local needed package name
    mkdir -p "$2/debian"
    printf 'Source: rig\n\nPackage: rig\nArchitecture: any\n' >"$2/debian/control"
    needed=$(cd "$2" && dpkg-shlibdeps -O "${installed_programs[@]/#/-e$1/}" "-e$1/rig-confine" 2>"$2/said") ||
        {
            cat "$2/said" >&2
            fail 69 "a library of the programs is of no package"
        }
    needed=${needed#shlibs:Depends=}
    for name in "${installed_programs[@]:?}"; do
        grep -q 'libcurl\.so\.4' "$1/$name" || continue
        package=$(dpkg-query -S '*/libcurl.so.4' | sed -n '1s/:.*//p')
        [[ -n $package ]] || fail 69 "libcurl.so.4 is of no package here; run harness/setup"
        case ", $needed" in *", $package"*) ;; *) needed+=", $package" ;; esac
    done
    # Debian 12 has libssl3 and libcurl4, Debian 13 libssl3t64 and libcurl4t64.
    printf '%s\n' "${needed//, /$'\n'}" | sed -E 's/^(libssl3|libcurl4)(t64)?( .*)?$/\1\3 | \1t64\3/' | sort |
        paste -sd, | sed 's/,/, /g'
}

# Writes the licences of everything that the programs have inside.
licences() { # file
    local folder file
    {
        echo "rig is licensed under Apache-2.0; see LICENSE. Its programs contain the following."
        for folder in "${root:?}"/.build/checkouts/*/; do
            for file in "$folder"LICENSE*; do
                [[ -e $file ]] || continue
                printf '\n---- %s\n\n' "$(basename "$folder")"
                cat "$file"
            done
        done
        file=$(dirname "$(readlink -f "$(type -P swift || echo /)")")/../share/swift/LICENSE.txt
        if [[ -e $file ]]; then
            printf '\n---- Swift\n\n'
            cat "$file"
        fi
    } >"$1"
}

# Removes the packages of other commits. A pattern such as rig_*.deb would name several.
keep_only() { # folder, names …
    local file
    for file in "$1"/rig[-_]*; do
        case " ${*:2} " in *" ${file##*/} "*) ;; *) rm -f -- "$file" ;; esac
    done
}

# Removes what differs from build to build: times, and rights other than 755 and 644.
settle() { # tree
    find "$1" -type d -exec chmod 755 {} +
    find "$1" -type f -perm /111 -exec chmod 755 {} +
    find "$1" -type f ! -perm /111 -exec chmod 644 {} +
    find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
}

# Prints what a tree takes, as dpkg-gencontrol counts it: what a file system says of a folder differs from
# one to the next.
kilobytes() { # tree
    find "$1" -printf '%y %s\n' | awk '{ sum += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print sum + 0 }'
}

# Makes a package of a tree: the fields of its control file are read from standard input.
pack() { # tree, file
    local compression=(-Znone)
    if [[ ${quick:?} == true ]]; then compression=(-Zgzip -z1); fi
    mkdir -p "$1/DEBIAN"
    {
        cat
        echo "Installed-Size: $(kilobytes "$1/usr")"
    } >"$1/DEBIAN/control"
    (cd "$1" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$1/DEBIAN/md5sums"
    settle "$1"
    dpkg-deb --root-owner-group "${compression[@]}" --build "$1" "$2" >/dev/null ||
        fail 70 "dpkg-deb failed: see above"
    if [[ $quick == false ]]; then compress "$2" "$1.parts"; fi
}

# Compresses a package. Both programs have the same table of 34 MB: a dictionary that is longer than a
# program finds it again, and dpkg-deb cannot be told of one. With more threads than one, blocks would
# be cut otherwise.
compress() { # package, folder for work
    mkdir "$2"
    (cd "$2" && ar x "$1" && xz --threads=1 control.tar && xz --lzma2=preset=6,dict=96MiB --threads=1 data.tar &&
        ar rcD packed debian-binary control.tar.xz data.tar.xz) || fail 70 "$1 could not be compressed"
    mv "$2/packed" "$1"
}

# Debian has another program of that name, of version 1.11, which would be the newer one without an epoch.
epoch=1

control() { # package, section, priority
    printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nSection: %s\nPriority: %s\n' \
        "$1" "$epoch:${version:?}" "${architecture:?}" "$maintainer" "$2" "$3"
}

# The project has no address of its own yet.
maintainer="The rig authors <rig@rig.invalid>"

# Makes the package. Debian wants its pages and the change log compressed, completions of zsh in a
# folder of its own, and the licences in one file.
make_deb() { # work, file
    local tree=$1/deb usr=$1/deb/usr doc=$1/deb/usr/share/doc/rig depends
    mkdir -p "$usr" "$doc"
    cp -a "$1/staged/." "$usr/"
    mv "$usr/share/zsh/site-functions" "$usr/share/zsh/vendor-completions"
    gzip -9n "$usr"/share/man/man1/*.1
    ln -s ../../rig/README.md ../../rig/docs "$doc/"
    {
        cat <<'END'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: rig

Files: *
Copyright: 2026 the rig authors
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.
Comment:
 The licences of what the programs contain are in /usr/share/rig/LICENCES.
END
    } >"$doc/copyright"
    {
        printf 'rig (%s) unstable; urgency=medium\n\n  * See /usr/share/rig/CHANGELOG.md.\n\n' "$epoch:$version"
        printf ' -- %s  %s\n' "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")"
    } | gzip -9n >"$doc/changelog.gz"
    mkdir -p "$usr/share/lintian/overrides"
    cp "${root:?}/harness/lib/package.lintian" "$usr/share/lintian/overrides/rig"
    depends=$(needed_packages "$usr/bin" "$1/needed")
    {
        control rig devel optional
        echo "Depends: $depends"
        echo "Recommends: ca-certificates"
        echo "Suggests: man-db, python3"
        cat <<'END'
Description: crash tests for programs that download files
 rig starts a downloader against a real HTTP server, kills it at planned
 moments, reads what is left on disk, starts it again, and compares every
 byte. It says how many bytes a kill costs, and what is wrong afterwards.
 .
 The package has a downloader with a cache as an example, profiles of popular
 programs and stores, and the documents.
END
    } | pack "$tree" "$2"
}

make_symbols_deb() { # work, file
    local tree=$1/symbols
    mkdir -p "$tree/usr/share/doc"
    ln -s rig "$tree/usr/share/doc/rig-dbgsym"
    {
        control rig-dbgsym debug optional
        echo "Depends: rig (= $epoch:$version)"
        echo "Description: debug symbols of rig"
        echo " They give the traces of a crash of rig or downloader their names and lines."
    } | pack "$tree" "$2"
}

# Makes the tarball, of the same files.
make_tarball() { # work, file
    local tree=$1/tar/rig level=-6
    if [[ ${quick:?} == true ]]; then level=-1; fi
    mkdir -p "$tree"
    cp -a "$1/staged/." "$tree/"
    # The profiles name the folder that they are in.
    rm -rf "$tree/share/rig"
    listed /usr/local "$tree"
    cp "$1/staged/share/rig/LICENCES" "$tree/share/rig/"
    settle "$tree"
    tar -C "$1/tar" --sort=name --format=ustar --owner=0 --group=0 --numeric-owner -cf - rig |
        gzip "$level" -n >"$2"
}

# Makes an image of a minimal Debian with the package, as a layout for podman, skopeo and umoci.
make_image() { # work, the package, file
    local layer=$1/layer.tar needed
    # Without versions, and without the names of Debian 13.
    needed=$(dpkg-deb -f "$2" Depends | sed 's/ *([^)]*)//g; s/ *|[^,]*//g; s/, */,/g')
    cp "$2" "$1/rig.deb"
    # shellcheck disable=SC2016 # mmdebstrap's shell expands it
    mmdebstrap --quiet --variant=essential --include="ca-certificates,$needed" \
        --dpkgopt='path-exclude=/usr/share/locale/*' --customize-hook="copy-in '$1/rig.deb' /tmp" \
        --customize-hook='chroot "$1" dpkg -i /tmp/rig.deb' --customize-hook='rm "$1/tmp/rig.deb"' \
        --customize-hook='mkdir -m 1777 "$1/runs"' bookworm "$layer" >"$1/image.log" 2>&1 || {
        tail -n 20 "$1/image.log" >&2
        fail 70 "mmdebstrap failed: see above"
    }
    python3 "${root:?}/harness/lib/oci.py" "$layer" "$1/oci" --architecture "$architecture" \
        --version "$version" --time "$SOURCE_DATE_EPOCH" || fail 70 "the image could not be written"
    settle "$1/oci"
    tar -C "$1/oci" --sort=name --format=ustar --owner=0 --group=0 --numeric-owner -cf "$3" .
}
