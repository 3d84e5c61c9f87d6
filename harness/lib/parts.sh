# Sourced by the scripts that carry out a run in parts: their checks before they begin. RIG, the rig
# to run, and `fail CODE MESSAGE` must be defined.
# shellcheck shell=bash

# Refuses options of kill-test that the script itself sets. What follows -- belongs to the worker.
check_options() { # options of kill-test
    local word
    for word in "$@"; do
        case $word in
        --) return ;;
        --out | --out=* | --partition | --partition=*)
            fail 64 "${word%%=*} is not for behind --: give --out DIR and --parts N in front of it"
            ;;
        esac
    done
}

# Exits with the rig's code if the options are wrong. Otherwise one mistake would become N failed
# parts.
check_plan() { # number of parts, options of kill-test
    local count=$1
    shift
    # A video that has to be fetched first has no plan yet.
    case " $* " in
    *" --video http"* | *" --video=http"*) return ;;
    esac
    "$RIG" plan --partition "slice:1/$count" "$@" >/dev/null
}

# Exits with 65 if a folder has parts of another run, whose verdict would be taken for that of this
# one. A part of this run may be there, and is not run again.
check_folder() { # folder of all parts, number of parts, options of kill-test
    local folder=$1 count=$2 part name
    shift 2
    for part in "$folder"/part-*-of-*; do
        name=${part##*/}
        [[ -e $part && $name =~ ^part-([0-9]+)-of-([0-9]+)$ ]] || continue
        [[ ${BASH_REMATCH[2]} == "$count" ]] ||
            fail 65 "$part is one of ${BASH_REMATCH[2]} parts, not of $count; name another folder with --out"
        "$RIG" kill-test --partition "slice:${BASH_REMATCH[1]}/$count" --out "$folder" "$@" \
            </dev/null >/dev/null
    done
}
