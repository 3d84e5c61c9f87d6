#!/bin/sh
# Makes twelve commits in a Mercurial repository, and says each when it is made.
#
#   hg.sh run FOLDER
#   hg.sh check FOLDER SAID    0 if hg verify finds nothing wrong and all that was said is there; else 1,
#                              and the last line says why
set -eu
export HGRCPATH=/dev/null HGUSER=rig
what=$1
[ $# -lt 3 ] || said=$(realpath "$3")
cd "$2"
case $what in
run)
    [ -d .hg/store ] || hg init
    # What Mercurial asks for after an interruption.
    [ ! -e .hg/store/journal ] || hg recover -q || true
    n=$(hg log -q -r tip -T '{rev}')
    while [ "$n" -lt 11 ]; do
        n=$((n + 1))
        echo "line $n" >>text
        hg commit -q -A -m "commit $n"
        hg log -r tip -T '{node}\n'
    done
    ;;
check)
    if ! [ -d .hg ]; then
        [ ! -s "$said" ] || { echo "there is no repository" && exit 1; }
        exit 0
    fi
    # The last transaction may have been interrupted.
    [ ! -e .hg/store/journal ] || hg recover -q >/dev/null 2>&1 || true
    report=$(hg verify -q 2>&1) || { echo "hg verify: $(echo "$report" | tail -n 1)" && exit 1; }
    while read -r node; do
        hg log -q -r "$node" >/dev/null 2>&1 || { echo "commit $node is gone" && exit 1; }
    done <"$said"
    hg status -q >/dev/null 2>&1 || { echo "hg status: $(hg status 2>&1 | tail -n 1)" && exit 1; }
    ;;
*) exit 64 ;;
esac
