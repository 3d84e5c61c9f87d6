# Sourced by harness/setup and harness/package: the programs with completions, man pages, and what
# the list `installed` names. $root, the repository's folder, must be set, and build.sh must be
# sourced. Works with the bash 3.2 of macOS.
# shellcheck shell=bash

# The programs that users call.
installed_programs=(rig downloader)

# The folders below PREFIX that files are installed to.
installed_folders=(
    bin lib/rig share/bash-completion/completions share/zsh/site-functions
    share/fish/vendor_completions.d share/man/man1 share/rig
)

# Exits with 64 for a folder that cannot exist, and with 77 for one that is not writable, before
# anything is built.
check_prefix() { # PREFIX
    local place folder
    for folder in "${installed_folders[@]}"; do
        place=$1/$folder
        # Missing folders will be created in the nearest one that exists.
        while [[ ! -e $place ]]; do
            if [[ $place != */* ]]; then place=./$place; fi
            place=${place%/*}
            place=${place:-/}
        done
        if [[ ! -d $place ]]; then
            echo "$place is no folder; choose another PREFIX" >&2
            exit 64
        fi
        if [[ ! -w $place || ! -x $place ]]; then
            echo "$place cannot be written to; choose another PREFIX, or run it with the right to write there" >&2
            exit 77
        fi
    done
}

# Installs everything below a folder, such as /usr/local. Exits with 64 for one that cannot exist,
# 70 if something cannot be made, 77 if the folder is not writable. Runs in a subshell, so that its
# EXIT trap removes temporary files however it ends.
install_programs() ( # PREFIX
    to=$1 folder=${RIG_BINARIES:-${release_folder:?}}
    [[ $to == /* ]] || to=$PWD/$to
    check_prefix "$to"
    if [[ -z ${RIG_BINARIES-} ]]; then build_release; fi
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    link_programs "$folder" "$work/linked"
    stage "$work/linked" "$to" "$work/staged"
    put_in_place "$work/staged" "$to"
    echo "installed ${installed_programs[*]} below $to; add $to/bin to PATH if it is not there" >&2
)

# Makes the tree of all that is installed. Exits with 70 if something cannot be made.
stage() { # folder of the programs, PREFIX, tree
    local name
    mkdir -p "$3/bin"
    for name in "${installed_programs[@]}"; do
        completions "$1/$name" "$name" "$3"
        manual "$1/$name" "$name" "$3"
        cp "$1/$name" "$3/bin/" || exit 70
    done
    rm -rf "$3/pages"
    if [[ -e $1/$shared_library ]]; then
        mkdir -p "$3/lib/rig"
        cp "$1/$shared_library" "$3/lib/rig/" || exit 70
    fi
    helper "$3/bin/rig-confine" || exit 70
    listed "$2" "$3"
}

# ICU. Foundation brings it, and each program of the build has its own, of 39 MB.
shared_library=lib_FoundationICU.so

# In the place of a build id until the program is linked.
no_build=$(printf '%040d' 0)

# Copies the programs as they are to be installed. On Linux those of a build folder are linked again,
# with ICU in a library that all of them share, without the texts of other languages: in a checkout each
# is one file, which works wherever it is copied to. The library is next to the programs' folder, or in
# /usr/lib/rig where /proc is missing, without which a program does not know where it lies. Exits with
# 70 if they cannot be linked.
link_programs() { # folder of the programs, new folder
    local name swift archive library=$2/$shared_library words word
    mkdir -p "$2"
    swift=$(readlink -f -- "$(type -P swift || echo /none/bin/none)" || true)
    archive=${swift%/*/*}/lib/swift_static/linux/${shared_library%.so}.a
    for name in "${installed_programs[@]}"; do
        words=()
        if [[ -e $archive ]]; then
            while IFS= read -r word; do words+=("$word"); done < <(link_command "$1" "$name")
        fi
        if ((${#words[@]} == 0)); then
            cp "$1/$name" "$2/" || exit 70
            continue
        fi
        if [[ ! -e $library ]]; then
            PATH=${swift%/*}:$PATH python3 "${root:?}/harness/lib/icu.py" "$archive" "$library" &&
                bare "$library" && chmod 644 "$library" || exit 70
        fi
        if ! "${words[@]}" -o "$2/$name" "$library" -Xlinker -rpath -Xlinker \
            "\$ORIGIN/../lib/rig:/usr/lib/rig:\$ORIGIN" -use-ld=lld -Xlinker --no-export-dynamic \
            -Xlinker "--build-id=0x$no_build" >"$2/log" 2>&1 || ! set_build_id "$2/$name" >>"$2/log" 2>&1; then
            cat "$2/log" >&2
            echo "$name could not be linked with $library: see above" >&2
            exit 70
        fi
    done
    rm -f "$2/log"
}

# Gives a program the digest of itself as its build id. The linker's would also be one of what the compiler
# notes for its own next call (.swift_modhash), which no program needs, and which depends on the folder.
set_build_id() { # program
    local digest note=$1.note
    objcopy -R .swift_modhash "$1" && digest=$(sha1sum <"$1") || return
    # A note of 20 bytes of type 3 (NT_GNU_BUILD_ID), see elf(5).
    # shellcheck disable=SC2001,SC2059
    printf "\4\0\0\0\24\0\0\0\3\0\0\0GNU\0$(sed 's/../\\x&/g' <<<"${digest%% *}")" >"$note"
    objcopy --update-section .note.gnu.build-id="$note" "$1" && rm "$note"
}

# Removes what only debuggers read from a program or a library, in a copy with `-o`.
bare() { # [-o copy] file
    strip --strip-all -R .comment "$@"
}

# Prints the words of the command that linked a program of a build folder, without its `-o FILE`; none
# if the folder has only programs.
link_command() { # folder of the programs, program
    local list=$1/$2.product/Objects.LinkFileList plan
    plan=$(readlink -f -- "$1")
    plan=${plan%/*/*}/release.yaml
    [[ -e $list && -e $plan ]] || return 0
    sed -n "s|^ *args: \[\(\"[^\"]*swiftc\".*\"-emit-executable\".*/$2\.product/Objects\.LinkFileList\".*\)\]\$|\1|p" "$plan" |
        sed -n '1{s/^"//; s/"$//; s/","/\n/g; p}' |
        awk '$0 == "-o" { getline; next } { print }'
}

# Compiles the program that rig starts each worker through. It is in C alone: the build links it with
# all of Swift's runtime, 9 MB in the place of 15 KB.
helper() { # file
    local compiler
    compiler=$(command -v cc || command -v clang) || {
        echo "neither cc nor clang is here; Swift's toolchain has clang, add its folder to PATH" >&2
        return 70
    }
    "$compiler" -O2 -s -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -Wl,-z,relro,-z,now \
        "-ffile-prefix-map=${root:?}=." "$root/Sources/Rig/rig-confine/main.c" -o "$1"
}

# Copies what `installed` lists, as below PREFIX.
listed() { # PREFIX, tree
    local entry file target
    while IFS= read -r entry; do
        case $entry in "" | [#!]*) continue ;; esac
        # shellcheck disable=SC2086 # an entry may be a pattern
        while IFS= read -r file; do
            target=$2/share/rig/$file
            mkdir -p "${target%/*}"
            case $file in
            harness/stores/*postgres*) ;; # has to have a library of harness/stores/build
            harness/*.yml) profile "$1" "$root/$file" "$target" ;;
            *) cp "$root/$file" "$target" || exit 70 ;;
            esac
        done < <(cd "${root:?}" && find $entry -type f ! -name '*.pyc' || echo "$entry")
    done <"$root/harness/lib/installed"
    # gate.sh, and every line of the documents, call it so.
    ln -s ../../../bin/rig "$2/share/rig/harness/rig"
}

# Copies a profile so that it works from any folder: its paths begin with PREFIX. One of what is built
# in a checkout is left out.
profile() { # PREFIX, from, to
    local text
    text=$(<"$2")
    case $text in *.build/*) return ;; esac
    printf '%s\n' "${text//" harness/"/" $1/share/rig/harness/"}" >"$3"
}

# Writes the completions for the three shells to where each looks for them.
completions() { # program, name, folder
    local bash=$3/share/bash-completion/completions zsh=$3/share/zsh/site-functions
    local fish=$3/share/fish/vendor_completions.d
    mkdir -p "$bash" "$zsh" "$fish"
    "$1" --generate-completion-script bash >"$bash/$2"
    "$1" --generate-completion-script zsh >"$zsh/_$2"
    "$1" --generate-completion-script fish >"$fish/$2.fish"
}

# Writes a page for the program and for each of its commands that its help names.
manual() { # program, name, folder
    local pages=$3/share/man/man1 all shown codes page place command page_name tool
    tool=$(manual_tool) || exit
    # In the temporary folder, which is removed with everything in it.
    all=$3/pages/$2
    mkdir -p "$pages" "$all"
    "$tool" "$1" --multi-page --date "$(manual_date)" --output-directory "$all" ||
        {
            echo "the man pages of $2 could not be made: see the message above" >&2
            exit 70
        }
    shown=$("$1" --help | sed -n '/^SUBCOMMANDS:/,$s/^  \([a-z][a-z-]*\).*/\1/p')
    codes=$(exit_codes "$1")
    for page in "$all"/*.1; do
        # rig.workers.check.1 is about the command check of workers.
        place=${page##*/"$2"}
        place=${place%.1}
        place=${place#.}
        command=${place%%.*}
        # Commands that the help does not name are only for the program itself.
        if [[ -n $command ]] && ! grep -qx -- "$command" <<<"$shown"; then continue; fi
        page_name=$2${command:+-${place//./-}}
        tidied "$2" "$shown" "$codes" <"$page" >"$pages/$page_name.1"
    done
}

# Prints the exit codes that a program's help lists, as a list for a page.
exit_codes() { # program
    "$1" --help | awk '
        sub(/^Exit codes: /, "") { inside = 1 }
        inside && /^$/ { exit }
        inside { text = text $0 " " }
        END {
            sub(/[. ]+$/, "", text)
            count = split(text, codes, /; /)
            if (count > 0) print ".Bl -tag -width indent"
            for (i = 1; i <= count; i++) {
                match(codes[i], /^[0-9]+( and [0-9]+)*/)
                print ".It " substr(codes[i], 1, RLENGTH)
                print substr(codes[i], RLENGTH + 2)
            }
            if (count > 0) print ".El"
        }'
}

# Copies a page with the names that `man rig kill-test` looks for, and with the exit codes. Removes
# references to pages that do not exist, and what formatters warn about: blank lines, paragraphs
# before an item, a sentence that begins in the middle of a line.
tidied() { # name, the commands that are shown, the list of exit codes
    awk -v name="$1" -v shown="$2" -v codes="$3" '
        BEGIN { count = split(shown, list, "\n"); for (i = 1; i <= count; i++) known[list[i]] = 1 }
        function say(line) {
            if (held != "" && line !~ /^\.(It|El|Sh|Pp|Bl)/) print held
            held = ""
            if (line == ".Pp") held = line; else print line
        }
        $1 == ".Xr" && index($2, name ".") == 1 {
            split(substr($2, length(name) + 2), words, ".")
            if (!(words[1] in known)) next
        }
        $1 == ".Xr" || $1 == ".Dt" { gsub(/\./, "-", $2) }
        # lexgrog, which makes the index of apropos, reads neither a name with a blank nor quotes.
        $1 == ".Nd" { sub(/^\.Nd "/, ".Nd "); sub(/\.?"?$/, "") }
        $1 == ".Nm" && NF == 1 && called ~ / / { say(".Nm \"" called "\""); next }
        $1 == ".Nm" && /"$/ {
            called = $0
            sub(/^\.Nm "/, "", called)
            sub(/"$/, "", called)
            $0 = ".Nm " called
            gsub(/ /, "-")
            sub(/-/, " ")
        }
        $1 == ".Ex" && codes != "" { say(codes); next }
        /^$/ { say(".Pp"); next }
        /^\./ { say($0); next }
        {
            while (match($0, /[.?!] [A-Z]/)) {
                say(substr($0, 1, RSTART))
                $0 = substr($0, RSTART + 2)
            }
            say($0)
        }'
}

# Prints the path of the tool that makes man pages, and builds it the first time. It is part of the
# argument parser, whose sources the build has fetched.
manual_tool() {
    local kept=${root:?}/.build/harness/manual log=$root/.build/harness/manual.log
    local tool=$kept/release/generate-manual
    if [[ ! -x $tool ]]; then
        mkdir -p "$root/.build/harness"
        echo "building the tool for man pages (once, about a minute) …" >&2
        if ! swift build -c release --package-path "$root/.build/checkouts/swift-argument-parser" \
            --scratch-path "$kept" --product generate-manual </dev/null >"$log" 2>&1; then
            cat "$log" >&2
            echo "the tool for man pages could not be built: see above, also kept in $log" >&2
            exit 70
        fi
    fi
    printf '%s\n' "$tool"
}

# Prints the date of the sources, so that the same sources make the same pages.
manual_date() {
    git -C "$root" log -1 --format=%cd --date=format:%Y-%m-%d 2>/dev/null || date +%Y-%m-%d
}

# Copies a tree of files to their places. Each is written under another name and renamed, because a
# running program must not be overwritten.
put_in_place() { # from, to
    local file target mode
    while IFS= read -r file; do
        target=$2/$file
        mode=644
        if [[ $file == bin/* || -x $1/$file ]]; then mode=755; fi
        if [[ -L $1/$file ]]; then
            # It may be the first of its folder: the order is that of the file system.
            if mkdir -p "${target%/*}" && ln -sf "$(readlink "$1/$file")" "$target.new" &&
                mv -f "$target.new" "$target"; then
                continue
            fi
        elif mkdir -p "${target%/*}" && cp "$1/$file" "$target.new" &&
            chmod "$mode" "$target.new" && mv -f "$target.new" "$target"; then
            continue
        fi
        rm -f "$target.new"
        if [[ -d ${target%/*} && ! -w ${target%/*} ]]; then
            echo "$target cannot be written; choose another PREFIX, or run it with the right to write there" >&2
            exit 77
        fi
        echo "$target could not be written: see the message above; if the disk is full, free some space and run it again" >&2
        exit 70
    done < <(cd "$1" && find . ! -type d | sed 's|^\./||')
}
