# Sourced by the scripts that users call: with --help as its first word, a script prints the comment
# at its top, and ends. $script must be set.
# shellcheck shell=bash
if [[ ${1-} == --help || ${1-} == -h ]]; then
    awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "${script:?}"
    exit
fi
