#!/bin/sh
# Makes forty commits in a git repository, and says each when it is made.
#
#   git.sh FOLDER [GIT-OPTION]...
#
# Git syncs few of its files by itself; -c core.fsync=all has it sync more.
set -eu
cd "$1"
shift
# Not a repository of a folder above, where this one is damaged.
export GIT_DIR=.git
# A killed git leaves its locks, which it asks its user to remove; nothing else is at work here.
[ ! -d .git ] || find .git -name '*.lock' -delete
# A killed init is made good by another one.
git rev-parse --git-dir >/dev/null 2>&1 || git "$@" init -q
n=$(git rev-list --count HEAD 2>/dev/null || echo 0)
while [ "$n" -lt 40 ]; do
    n=$((n + 1))
    echo "line $n" >>text
    git "$@" add text
    git -c user.name=rig -c user.email=rig@localhost -c gc.auto=0 "$@" commit -q -m "commit $n"
    git rev-parse HEAD
done
