#!/bin/sh
# Works fifty jobs off a queue, each of which is a file, and says each that is done.
# Its mistake: a job leaves the queue before its result is there.
#
#   queue.sh new FOLDER           puts the jobs there
#   queue.sh run FOLDER
#   queue.sh check FOLDER SAID    0 if every job is still there or has a result, and 1 if not
set -eu
cd "$2"
case $1 in
new)
    mkdir jobs results
    for n in $(seq 1 50); do echo "job $n" >"jobs/$n"; done
    ;;
run)
    for n in $(seq 1 50); do
        [ -e "jobs/$n" ] || continue
        read -r job <"jobs/$n"
        rm "jobs/$n"
        sleep 0.005
        echo "$job is done" >results/new
        mv results/new "results/$n"
        echo "$n"
    done
    ;;
check)
    for n in $(seq 1 50); do
        if ! [ -e "jobs/$n" ] && ! [ -s "results/$n" ]; then
            echo "job $n has left the queue, and has no result"
            exit 1
        fi
    done
    ;;
esac
