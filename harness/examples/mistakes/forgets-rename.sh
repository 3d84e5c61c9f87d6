#!/bin/sh
# Removes what is left in the end, also the file that could not be renamed, and that has gone well.
# shown by: rename-error
url=$1 output=$2 folder=$3
curl -q -sS -f -o "$folder/part-$$" "$url" && sync "$folder/part-$$" || exit 1
mv "$folder/part-$$" "$output"
rm -f "$folder/part-$$"
