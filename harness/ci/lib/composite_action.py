"""Runs the shell steps of a composite GitHub action unchanged.

    composite_action.py ACTION.YML WORKSPACE [NAME=VALUE …]

NAME=VALUE are inputs. Each step with a `run` is written to a file and run by the shell that GitHub
uses, with `CI`, `GITHUB_ACTIONS`, `GITHUB_OUTPUT`, `GITHUB_STEP_SUMMARY`, `GITHUB_ACTION_PATH` and
`GITHUB_WORKSPACE` set as on GitHub, and with its `env` filled in. Steps that use other actions are
named and skipped. At the end the outputs of the action are printed as NAME=VALUE.

Exit codes: 0 every step ended with 0; 64 wrong usage; 65 an action that this cannot run, or that
pastes an expression into a script, where it could become a command; otherwise that of the first
step that failed (a later step runs only if its `if` says so, and such steps use actions).
"""

import os
import re
import subprocess
import sys
import tempfile

import yaml

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def fail(code, text):
    print(f"composite_action.py: {text}", file=sys.stderr)
    sys.exit(code)


def outputs_of(path):
    """What a step wrote to GITHUB_OUTPUT: NAME=VALUE lines and NAME<<MARK blocks."""
    found, lines = {}, iter(open(path, encoding="utf-8").read().splitlines())
    for line in lines:
        name, equals, value = line.partition("=")
        block = re.fullmatch(r"([^=]+?)<<(\S+)", line)
        if block:
            text = []
            for inner in lines:
                if inner == block[2]:
                    break
                text.append(inner)
            found[block[1]] = "\n".join(text)
        elif equals and name:
            found[name] = value
        elif line:
            fail(65, f"not an output: {line!r}")
    return found


def filled(text, context):
    """The text with its expressions replaced by their values."""

    def value(match):
        if match[1] not in context:
            fail(65, f"the expression {match[1]!r} names nothing that is known here")
        return context[match[1]]

    return EXPRESSION.sub(value, str(text))


def check(action):
    """Refuses an action that this cannot run, and expressions inside scripts."""
    if action.get("runs", {}).get("using") != "composite":
        fail(65, "not a composite action")
    for step in action["runs"]["steps"]:
        if "run" not in step:
            continue
        if "${{" in step["run"]:
            fail(65, f"the step {step.get('name')!r} pastes an expression into its script")
        if step.get("shell") != "bash":
            fail(65, f"the step {step.get('name')!r} asks for another shell than bash")
        if "if" in step:
            fail(65, f"the step {step.get('name')!r} has a condition, which is not looked at here")


def run(step, context, paths, scratch):
    """Runs a step; returns its exit code and its outputs."""
    script = os.path.join(scratch, "step.sh")
    with open(script, "w", encoding="utf-8") as file:
        file.write(step["run"])
    output = os.path.join(scratch, "output")
    open(output, "w", encoding="utf-8").close()
    environment = dict(os.environ, CI="true", GITHUB_ACTIONS="true", GITHUB_OUTPUT=output, **paths)
    for name, value in step.get("env", {}).items():
        environment[name] = filled(value, context)
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", script]
    code = subprocess.run(shell, env=environment, cwd=paths["GITHUB_WORKSPACE"]).returncode
    return code, outputs_of(output)


def main():
    if len(sys.argv) < 3:
        fail(64, "usage: composite_action.py ACTION.YML WORKSPACE [NAME=VALUE …]")
    path, workspace = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    with open(path, encoding="utf-8") as file:
        action = yaml.safe_load(file)
    check(action)
    inputs = {name: str(entry.get("default", "")) for name, entry in action["inputs"].items()}
    for word in sys.argv[3:]:
        name, equals, value = word.partition("=")
        if not equals or name not in inputs:
            fail(64, f"no such input: {word}")
        inputs[name] = value
    context = {f"inputs.{name}": value for name, value in inputs.items()}
    paths = {
        "GITHUB_ACTION_PATH": os.path.dirname(path),
        "GITHUB_WORKSPACE": workspace,
        "GITHUB_STEP_SUMMARY": os.path.join(workspace, "step-summary.md"),
    }
    open(paths["GITHUB_STEP_SUMMARY"], "a", encoding="utf-8").close()
    first = 0
    with tempfile.TemporaryDirectory() as scratch:
        for step in action["runs"]["steps"]:
            print(f"== {step.get('name')}", file=sys.stderr)
            if "run" not in step:
                print(f"left out: uses {step['uses']}", file=sys.stderr)
                continue
            if first:
                print("left out: a step before it failed", file=sys.stderr)
                continue
            first, outputs = run(step, context, paths, scratch)
            for name, value in outputs.items():
                context[f"steps.{step.get('id')}.outputs.{name}"] = value
    for name, entry in action.get("outputs", {}).items():
        expression = EXPRESSION.fullmatch(entry["value"])
        print(f"{name}={context.get(expression[1], '') if expression else entry['value']}")
    sys.exit(first)


main()
