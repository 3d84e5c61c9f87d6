#!/bin/bash
# Fetches two parts, and joins them beside the output, which gets its name when it is whole.
url=$1 output=$2 folder=$3
exec 9>"$folder/lock" && flock 9 || exit 1
head=$(curl -q -sS -f -I "$url" | tr -d '\r') || exit 1
length=$(sed -n 's/^[Cc]ontent-[Ll]ength: //p' <<<"$head")
etag=$(sed -n 's/^[Ee][Tt]ag: //p' <<<"$head")
# The names of the parts have the address and the version.
name=$folder/$(printf '%s %s' "$url" "$etag" | cksum | tr ' ' -)
size() { stat -c %s "$1" 2>/dev/null || echo 0; }
part() { # number, first, last
    [ "$(size "$name-$1")" -eq $(($3 - $2 + 1)) ] && return
    status=$(curl -q -sS -f -r "$2-$3" -H "If-Range: $etag" -o "$name-$1.new" -D "$name.head" \
        -w '%{http_code}' "$url") || return 1
    [ "$status" = 206 ] && [ "$(size "$name-$1.new")" -eq $(($3 - $2 + 1)) ] &&
        grep -qi "^content-range: bytes $2-$3/" "$name.head" || return 2
    sync "$name-$1.new" && mv "$name-$1.new" "$name-$1"
}
half=$((length / 2))
if part 1 0 $((half - 1)) && part 2 $half $((length - 1)); then
    cat "$name-1" "$name-2" >"$name.whole" || exit 1
else # Perhaps there are no ranges here.
    curl -q -sS -f -o "$name.whole" "$url" || exit 1
fi
sync "$name.whole" && mv "$name.whole" "$output" && rm -f "$name"*
