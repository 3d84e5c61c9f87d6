#!/bin/sh
# Joins its parts straight into the output, and takes any output for its finished work.
# shown by: calls end
url=$1 output=$2 folder=$3
[ -e "$output" ] && exit 0
length=$(curl -q -sS -I "$url" | tr -d '\r' | sed -n 's/^[Cc]ontent-[Ll]ength: //p')
half=$((length / 2))
curl -q -sS -f -r 0-$((half - 1)) -o "$folder/1" "$url" || exit 1
curl -q -sS -f -r $half- -o "$folder/2" "$url" || exit 1
cat "$folder/1" > "$output"
cat "$folder/2" >> "$output"
