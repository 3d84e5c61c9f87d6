#!/bin/sh
# Puts a hundred rows into an SQLite database in WAL mode, and says each when it is committed.
#
#   sqlite.sh FOLDER SYNCHRONOUS
#
# SYNCHRONOUS is OFF or FULL. In the other modes of the journal no less than EXTRA keeps each commit.
set -eu
# Each line is to be seen at once, and not when the shell of SQLite has filled its buffer. What it says
# of the journal is no row.
{
    printf '%s\n' '.output /dev/null' 'PRAGMA journal_mode=WAL;' .output
    echo "PRAGMA synchronous=$2; CREATE TABLE IF NOT EXISTS done(n INTEGER PRIMARY KEY);"
    seq 1 100 | sed 's/.*/INSERT OR IGNORE INTO done VALUES(&); SELECT &;/'
} | stdbuf -oL sqlite3 -batch "$1/data.db"
