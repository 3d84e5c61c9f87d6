# Sourced by harness/reference: makes a row of programs.csv from a program's two run folders, and
# the table from the rows. Works with the bash 3.2 of macOS.
# shellcheck shell=bash

reference_header=program,version,kills,inconclusive,loss_percent,lost_max_bytes,refetched_bytes
reference_header+=,corrupt_bytes,stitched,bound,keeps_promise

# Prints a field of the only row of a run's summary: run folder, column. Its fields have no commas.
summary_field() {
    awk -F, -v name="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
        NR == 2 { print $column }
    ' "$1/summary.csv"
}

# Prints whether no kill lost more than the bound: run folder. "yes" only if every conclusive kill
# was judged; inconclusive kills do not count. Only the column `reason` may contain commas, so
# columns after it are counted from the end.
kept_bound() {
    awk -F, '
        NR == 1 {
            for (i = 1; i <= NF; i++) column[$i] = i
            behind = NF - column["not_judged"]
            next
        }
        $column["bound_bytes"] != "" { stated = 1 }
        "|" $(NF - behind) "|" ~ /[|]bound[|]/ { stated = 1 }
        $column["verdict"] == "inconclusive" { next }
        { conclusive++ }
        $column["bound_ok"] == "true" { kept++ }
        $column["bound_ok"] == "false" { broken++ }
        END {
            if (broken) print "no"
            else if (!stated) print "none stated"
            else print kept && kept == conclusive ? "yes" : "not judged"
        }
    ' "$1/iterations.csv"
}

# Prints whether a completed file had bytes of both versions: folder of the changed run.
stitched_in() {
    if awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "checkers") behind = NF - i; next }
        "|" $(NF - behind) "|" ~ /[|]stitched[|]/ { found = 1 }
        END { exit !found }
    ' "$1/iterations.csv"; then
        echo yes
    elif (($(summary_field "$1" kills) > $(summary_field "$1" inconclusive))); then
        echo no
    else
        echo "not known"
    fi
}

# Prints a program's row: profile, version, run folder, folder of the changed run.
row_of() {
    local field
    printf '%s,%s' "$1" "$2"
    for field in kills inconclusive loss_percent lost_bytes_max refetched_bytes corrupt_bytes; do
        printf ',%s' "$(summary_field "$3" "$field")"
    done
    printf ',%s,%s,%s\n' "$(stitched_in "$4")" "$(summary_field "$3" bound_bytes)" \
        "$(kept_bound "$3")"
}

# Prints the row of a program that is not installed: profile.
absent_row() { echo "$1,not installed,0,0,,,,,not known,,not judged"; }

# Prints all rows in the order of the profiles: those just measured, and the others from the file.
collect_rows() { # file with the rows of earlier runs, may be missing
    local name
    echo "$reference_header"
    for name in "${profiles[@]:?}"; do
        if [[ -r ${work:?}/rows/$name ]]; then
            cat "$work/rows/$name"
        elif [[ -n $1 && -r $1 ]]; then
            grep "^$name," "$1" || true
        fi
    done
}

# Prints rows as a Markdown table.
table_of() {
    awk -F, '
        function bytes(n) {
            if (n == "") return "not known"
            if (n < 10000) return n " B"
            if (n < 1048576) return sprintf("%.1f KB", n / 1024)
            return sprintf("%.1f MB", n / 1048576)
        }
        NR == 1 {
            print "| profile | version | kills | loss % | most lost | bound | refetched |" \
                " wrong bytes | stitches | keeps its bound |"
            print "|---|---|--:|--:|--:|--:|--:|--:|---|---|"
            next
        }
        $2 == "not installed" {
            printf "| `%s` | not installed | | | | | | | | |\n", $1
            next
        }
        {
            printf "| `%s` | %s | %d | %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3 - $4,
                $5 == "" ? "not known" : $5, bytes($6), $10 == "" ? "none" : bytes($10), bytes($7),
                bytes($8), $9, $11
        }
    ' "$1"
}
