#!/bin/sh
# Saves a file by a common tool. Is there always the old file or the new one?
#
#   save.sh new TOOL FOLDER         makes the file, and what is to become of it
#   save.sh run TOOL FOLDER         saves it, and says so
#   save.sh check TOOL FOLDER SAID
#
# TOOL is vim, sed, perl, sort, cp, rsync, mv, tar, zip or gzip. Exit codes of check: 0 the old or the
# new file is there; 1 it is not, and the last line says what is.
set -eu
what=$1 tool=$2
cd "$3"

# same FILE OTHER: they hold the same bytes; false where one is missing.
same() { cmp -s "$1" "$2"; }

case $what in
new)
    seq 1 20000 | sed 's/.*/old line & of a file/' >old
    cp old data
    case $tool in
    sort) sort -r old >new ;;
    *) sed s/old/new/ old >new ;;
    esac
    case $tool in
    tar | zip)
        mkdir files
        split -l 500 new files/part
        [ "$tool" = tar ] || (cd files && zip -qr ../data.zip .)
        [ "$tool" = zip ] || tar -cf data.tar files
        ;;
    mv)
        # To mv, each folder is on a file system of its own.
        printf '%s\n' '#include <errno.h>' 'int renameat(void) { errno = EXDEV; return -1; }' \
            'int renameat2(void) { errno = EXDEV; return -1; }' >other.c
        cc -shared -fPIC -o other.so other.c
        cp new moved
        ;;
    esac
    ;;
run)
    case $tool in
    vim) vim -es -u NONE -c '%s/^old/new/' -c wq data ;;
    sed) sed -i 's/^old/new/' data ;;
    perl) perl -pi -e 's/^old/new/' data ;;
    sort) sort -r -o data data ;;
    cp) cp --reflink=never new data ;;
    rsync) rsync -I new data ;;
    mv) LD_PRELOAD=./other.so mv moved data ;;
    tar) tar -cf data.tar files ;;
    zip) (cd files && zip -qr ../data.zip .) ;;
    gzip) gzip -n data ;;
    esac
    echo saved
    # A power cut can also come a moment later.
    sleep 0.2
    ;;
check)
    case $tool in
    # Of what is in a file tar keeps no checksum, so that is compared.
    tar) tar -xOf data.tar 2>&1 | sort >list && sort new | cmp -s - list && exit 0 ;;
    # It names a damaged file, and ends with 0 all the same.
    zip) python3 -m zipfile -t data.zip >list 2>&1 && ! grep -q corrupted list && exit 0 ;;
    # Until the new file is there, the old one has to be.
    gzip) same data old || { gzip -dc data.gz 2>&1 | cmp -s - old; } && exit 0 ;;
    mv)
        if same data new || { same data old && same moved new; }; then exit 0; fi
        ! same moved new || echo "moved is still there"
        ;;
    *) if same data new || { ! [ -s "$4" ] && same data old; }; then exit 0; fi ;;
    esac
    # The last line is the reason.
    case $tool in
    tar | zip) name=data.$tool ;;
    *) name=data ;;
    esac
    [ -e "$name" ] || [ -e "$name.gz" ] || echo "there is no file $name"
    for file in "$name"*; do
        [ -e "$file" ] || continue
        same "$file" old || same "$file" new ||
            echo "$file has $(wc -c <"$file") bytes, and is neither the old file nor the new one"
    done
    ! same "$name" old || echo "$name is still the old file"
    exit 1
    ;;
esac
