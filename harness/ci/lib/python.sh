# Sourced by the scripts in harness/ci that use Python packages. $root, the repository's folder,
# must be set.
# shellcheck shell=bash

# Pinned versions, because a newer checker must not fail an old commit.
python_packages=(
    check-jsonschema==0.39.0 kubernetes-validate==1.37.0 PyYAML==6.0.3
)

# The folder of the packages, separate from the system's.
# shellcheck disable=SC2034 # used where this is sourced
venv=${root:?}/.build/harness/venv

# Installs the packages unless they are installed. Exits with 69 if that fails.
need_python_packages() {
    local stamp=$venv/packages log=$root/.build/harness/venv.log
    if [[ -r $stamp && $(<"$stamp") == "${python_packages[*]}" ]]; then return; fi
    "$root/harness/setup" --test-tools
    echo "installing ${python_packages[*]}" >&2
    rm -rf "$venv"
    mkdir -p "$root/.build/harness"
    if ! { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check \
        "${python_packages[@]}"; } >"$log" 2>&1; then
        cat "$log" >&2
        echo "the Python packages could not be installed: see above; is there a network?" >&2
        exit 69
    fi
    printf '%s' "${python_packages[*]}" >"$stamp"
}
