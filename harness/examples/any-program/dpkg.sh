#!/bin/sh
# Upgrades three small packages by dpkg, in a root of its own below FOLDER.
#
#   dpkg.sh new FOLDER      makes the root with version 1 of them, and version 2 to upgrade to
#   dpkg.sh run FOLDER [DPKG-OPTION]...
#                           upgrades them one by one, and says each that is installed
#   dpkg.sh check FOLDER SAID
#
# Exit codes of check: 0 all is well; 1 something is not, and the last line says what.
set -eu
folder=$(realpath "$2")
root=$folder/root

# Images for containers have force-unsafe-io in /etc/dpkg/dpkg.cfg.d: dpkg then renames files that it
# has not synced.
in_root() {
    dpkg --root="$root" --log=/dev/null --force-not-root --force-bad-path --no-force-unsafe-io "$@"
}

# build NAME VERSION: a package of thirty files.
build() {
    place=$folder/$1-$2
    mkdir -p "$place/DEBIAN" "$place/usr/share/$1"
    printf 'Package: %s\nVersion: %s\nArchitecture: all\nMaintainer: rig <rig@localhost>\n' \
        "$1" "$2" >"$place/DEBIAN/control"
    echo "Description: an example" >>"$place/DEBIAN/control"
    for n in $(seq 1 30); do
        yes "$1 $2" | head -n 500 >"$place/usr/share/$1/file$n"
    done
    dpkg-deb --root-owner-group -Znone -b "$place" "$folder/$1-$2.deb" >/dev/null
    rm -r "$place"
}

case $1 in
new)
    mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
    : >"$root/var/lib/dpkg/status"
    for name in one two three; do
        build "$name" 1
        build "$name" 2
        in_root -i "$folder/$name-1.deb" >/dev/null
    done
    ;;
run)
    shift 2
    # What dpkg asks for after an interruption. It refuses a package that was cut short in the middle,
    # and asks to install that one again.
    in_root --configure -a >/dev/null || :
    for name in one two three; do
        in_root "$@" -i "$folder/$name-2.deb" >/dev/null
        echo "$name"
    done
    ;;
check)
    said=$3
    for name in one two three; do
        state=$(dpkg-query --admindir="$root/var/lib/dpkg" -W \
            -f '${db:Status-Status} ${Version}' "$name" 2>&1) ||
            { echo "dpkg-query $name: $state" && exit 1; }
        case $state in
        "installed 2") ;;
        "installed 1") ! grep -qx "$name" "$said" ||
            { echo "$name 2 was installed, and is not" && exit 1; } ;;
        # A package that dpkg knows to be half installed is no violation, unless it was said to be done.
        *) ! grep -qx "$name" "$said" || { echo "$name was installed, and is $state" && exit 1; }
            audit=$(in_root --audit 2>&1) || true
            echo "$audit" | grep -q " $name\b" || { echo "dpkg --audit knows nothing of $name" && exit 1; }
            continue ;;
        esac
        # Every file is of the version that is installed.
        wrong=$(grep -Lxs "$name ${state#* }" "$root/usr/share/$name"/* | wc -l)
        there=$(find "$root/usr/share/$name" -name 'file*' ! -name '*.dpkg-*' -size +0 | wc -l)
        if [ "$wrong" -ne 0 ] || [ "$there" -ne 30 ]; then
            echo "$name is $state, and $wrong of its $there files are not of it"
            exit 1
        fi
    done
    ;;
esac
