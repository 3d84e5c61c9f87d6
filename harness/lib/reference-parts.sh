# Sourced by harness/reference-runs: makes one part, from its command to its files. Uses its
# variables and functions: parts, reference, work, root, commit, worst, fail.
# shellcheck shell=bash disable=SC2154

parts_header=part,commit,exit,seconds,date

# The files that are kept of a run folder. The rest (evidence, page, JUnit) follows from them or is
# for one machine.
kept_files=(
    iterations.csv summary.csv summary.json summary.md manifest.json timings.csv output.txt
    self-check.json self-check.md documented.json documented.md documented.csv
)

is_part() { # name
    local entry
    for entry in "${parts[@]}"; do
        if [[ ${entry%%|*} == "$1" ]]; then return; fi
    done
    return 1
}

# True if the part was made from this commit.
is_done() { # part
    [[ -r $reference/parts.csv ]] && grep -q "^$1,$commit," "$reference/parts.csv"
}

# Makes a part, prints how long it took, and remembers the worst exit code.
make_part() { # part, command
    local began=$SECONDS status=0 words
    if [[ $2 == "rig "* ]]; then
        run_rig "$1" "$2" || status=$?
    else
        read -r -a words <<<"$2"
        "$root/${words[0]}" "${words[@]:1}" </dev/null >"$work/output" 2>"$work/messages" || status=$?
    fi
    case $status in
    0 | 98 | 99) note_part "$1" "$status" $((SECONDS - began)) ;;
    130) exit 130 ;;
    *)
        sed "s|^|$1: |" "$work/messages" >&2
        [[ $status == 77 ]] || status=69
        ;;
    esac
    echo "$1: exit $status, $((SECONDS - began)) s" >&2
    # The worst one counts: 77 and 69, with which nothing was made, before 99 and 98.
    if ((status == 69 || status == 77)); then
        worst=$status
    elif ((worst != 69 && worst != 77 && status > worst)); then
        worst=$status
    fi
}

# Runs the rig, and replaces the part's folder by the files to keep.
run_rig() { # part, command
    local part=$1 words status=0 folder=$work/run makes_folder=true
    read -r -a words <<<"$2"
    # An earlier part may have run as root and written there.
    as_root rm -rf "$folder"
    mkdir -p "$folder/${part%/*}"
    case ${words[1]} in
    kill-test) words=(rig kill-test --quiet --no-config --out "run/$part" "${words[@]:2}") ;;
    self-check | verify-claims)
        words=(rig "${words[1]}" --quiet --out "run/$part" "${words[@]:2}")
        ;;
    *) makes_folder=false ;;
    esac
    if needs_root "$2"; then
        can_be_root || {
            echo "a power cut needs root; run it as root" >"$work/messages"
            return 77
        }
        as_root env "PATH=$work/bin:$PATH" "${words[@]}" </dev/null >"$work/output" \
            2>"$work/messages" || status=$?
    else
        PATH=$work/bin:$PATH "${words[@]}" </dev/null >"$work/output" 2>"$work/messages" ||
            status=$?
    fi
    case $status in 0 | 98 | 99) ;; *) return "$status" ;; esac
    mkdir -p "$folder/$part"
    if [[ $makes_folder == true ]]; then check_commit "$folder/$part"; fi
    keep_files "$folder/$part" "$reference/$part"
    cp "$work/output" "$reference/$part/output.txt"
    return "$status"
}

# Exits with 70 if a run is not of the commit: its figures would come from another one.
check_commit() { # run folder
    local manifest found=false
    while IFS= read -r manifest; do
        found=true
        if ! grep -q "\"commit\" : \"$commit\"" "$manifest" ||
            ! grep -q '"tree" : "clean"' "$manifest"; then
            grep -A 12 '"provenance"' "$manifest" >&2 || true
            fail 70 "$manifest does not say commit $commit and a clean tree; build anew"
        fi
    done < <(find "$1" -name manifest.json)
    [[ $found == true ]] || fail 70 "$1 has no manifest"
}

# Copies the files to keep of a run and of the runs inside it. Of a self-check, only runs without a
# planted bug are kept, because the others fail on purpose.
keep_files() { # from, to
    local names=() name file
    for name in "${kept_files[@]}"; do names+=(-o -name "$name"); done
    rm -rf "${2:?}"
    while IFS= read -r file; do
        if [[ -e $1/self-check.json ]]; then
            case $file in
            ./*/*) [[ $file =~ ^\./(clean-[0-9]+|no-kill|null-control)/ ]] || continue ;;
            esac
        fi
        mkdir -p "$2/${file%/*}"
        cp "$1/$file" "$2/$file"
    done < <(cd "$1" && find . -name evidence -prune -o -type f \( "${names[@]:1}" \) -print)
    mkdir -p "$2"
}

# Records a part in parts.csv.
note_part() { # part, exit code, seconds
    local rows=$reference/parts.csv
    {
        echo "$parts_header"
        if [[ -r $rows ]]; then tail -n +2 "$rows" | grep -v "^$1," || true; fi
        echo "$1,$commit,$2,$3,$(date -u +%Y-%m-%d)"
    } >"$work/parts.csv"
    mv "$work/parts.csv" "$rows"
}

needs_root() { # command
    [[ $1 == *"--fault power-cut "* || $1 == *" self-check "* ]]
}

can_be_root() { ((EUID == 0)) || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }; }

as_root() {
    if ((EUID == 0)) || ! can_be_root; then "$@"; else sudo "$@"; fi
}
