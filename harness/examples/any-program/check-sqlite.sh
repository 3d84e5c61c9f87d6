#!/bin/sh
# Checks the database of sqlite.sh: it is intact, and every row that was said is there.
#
#   check-sqlite.sh FOLDER SAID
#
# Exit codes: 0 all is there; 1 something is not, and the last line says what.
set -u
if ! [ -e "$1/data.db" ]; then
    [ ! -s "$2" ] && exit 0
    echo "there is no database, and $(wc -l <"$2") rows were committed"
    exit 1
fi
answer=$(sqlite3 "$1/data.db" 'PRAGMA integrity_check' 2>&1 | tail -n 1)
if [ "$answer" != ok ]; then
    echo "the database says: $answer"
    exit 1
fi
# Without a table there are no rows.
sqlite3 "$1/data.db" 'SELECT n FROM done' 2>/dev/null | awk -v said="$2" '
    { there[$1] = 1 }
    END {
        while ((getline n < said) > 0) if (!(n in there)) { lost++; first = first ? first : n }
        if (lost) print lost " committed rows are gone, the first is " first
        exit lost > 0
    }'
