#!/bin/sh
# Starts over each time, and renames what is whole.
url=$1 output=$2 folder=$3
curl -q -sS -f -o "$folder/part-$$" "$url" && sync "$folder/part-$$" && mv "$folder/part-$$" "$output"
