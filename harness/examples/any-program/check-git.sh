#!/bin/sh
# Checks the repository of git.sh: nothing in it is damaged, and every commit that was said is there.
#
#   check-git.sh FOLDER SAID
#
# Exit codes: 0 all is there; 1 something is not, and the last line says what.
set -u
said=$(realpath "$2") && cd "$1" || exit 2
# Not a repository of a folder above, where this one is damaged.
export GIT_DIR=.git
if ! [ -s "$said" ] && ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then exit 0; fi
if ! report=$(git fsck --full --no-dangling 2>&1); then
    echo "git fsck: $(echo "$report" | grep -v '^notice' | tail -n 1)"
    exit 1
fi
git rev-list HEAD 2>/dev/null | awk -v said="$said" '
    { there[$1] = 1 }
    END {
        while ((getline commit < said) > 0) if (!(commit in there)) lost++
        if (lost) print lost " commits are gone that were made"
        exit lost > 0
    }'
