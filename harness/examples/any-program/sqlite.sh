#!/bin/sh
# Puts a hundred rows into an SQLite database, and says each when it is committed.
#
#   sqlite.sh FOLDER SYNCHRONOUS
#
# SYNCHRONOUS is OFF or FULL.
set -eu
# Each line is to be seen at once, and not when the shell of SQLite has filled its buffer.
{
    echo "PRAGMA synchronous=$2; CREATE TABLE IF NOT EXISTS done(n INTEGER PRIMARY KEY);"
    seq 1 100 | sed 's/.*/INSERT OR IGNORE INTO done VALUES(&); SELECT &;/'
} | stdbuf -oL sqlite3 -batch "$1/data.db"
