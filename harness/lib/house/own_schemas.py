"""The rig's own JSON Schemas, and whether they are of what the rig reads and writes."""
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from house import rig
from house.script import ROOT

FOLDER = ROOT / "docs/schemas"
# Draft 7: the newest that the editors' YAML server knows.
DRAFT = "http://json-schema.org/draft-07/schema#"
# Options that select settings or print a text; OptionFact.notSettings has the same.
NOT_SETTINGS = {"config", "profile", "no-config", "help", "version"}
SCALAR = ["string", "number", "boolean"]
PROFILES = ["Sources/Rig/RigProfiles/profiles/*.yml", "harness/stores/profiles/*.yml", "harness/downloaders/*.yml",
            "harness/witness/*.yml", "harness/examples/downloader.yml"]
SETTINGS = ["harness/examples/rig.yml"]
# A wrong field, which each schema has to refuse in something that it accepts.
WRONG = {"rig": ("iterations", "iteration"), "worker": ("command", "comand"),
         "summary": ("exit_code", "exit_kode"), "events": ("iteration", "iteratoin")}


def name_of(option):
    """The long name of an option, as OptionFact has it."""
    return next((n["name"] for n in option.get("names", []) if n["kind"] == "long"), option["kind"])


def rig_yml(description):
    """The schema of rig.yml, from the list of options of which RigSettings makes its keys."""
    keys = {"command": {"description": "The program to kill, with its arguments; there is no shell.",
                        "type": "array", "items": {"type": SCALAR}, "minItems": 1}}
    for option in description["command"]["arguments"]:
        name = name_of(option)
        if option["kind"] == "positional" or name in NOT_SETTINGS:
            continue
        keys[name] = {"description": option.get("abstract", ""), **value_of(option)}
        if "defaultValue" in option and option["kind"] != "flag":
            keys[name]["description"] += f" Default: {option['defaultValue']}."
    return {"$schema": DRAFT, "title": "rig.yml", "description": "Settings of rig kill-test and rig plan.",
            "type": "object", "additionalProperties": False, "required": ["profiles"],
            "properties": {"profiles": {
                "description": "Settings by name; 'default' applies without --profile and fills in the others.",
                "type": "object", "additionalProperties": {"$ref": "#/definitions/profile"}}},
            "definitions": {"profile": {"type": "object", "additionalProperties": False,
                                        "properties": dict(sorted(keys.items()))}}}


def value_of(option):
    if option["kind"] == "flag":
        return {"enum": [True, False, "true", "false"]}
    scalar = {"enum": option["allValues"]} if option.get("allValues") else {"type": SCALAR}
    if name_of(option) == "fault":
        # It may have a grace, as term:10s has.
        scalar = {"anyOf": [scalar, {"type": "string", "pattern": "^term:"}]}
    forms = [scalar]
    if option.get("isRepeating") or option.get("valueName") == "list":
        forms.append({"type": "array", "items": scalar})
    if option.get("isRepeating"):
        forms.append({"type": "object", "additionalProperties": {"type": SCALAR}})
    return forms[0] if len(forms) == 1 else {"anyOf": forms}


def strict(schema):
    """The schema without room for members that it does not name: a new one has to be added to it."""
    schema = copy.deepcopy(schema)

    def close(part):
        if isinstance(part, dict):
            if "properties" in part:
                part.setdefault("additionalProperties", False)
            for inner in part.values():
                close(inner)
        elif isinstance(part, list):
            for inner in part:
                close(inner)
    close(schema)
    return schema


class Check:
    """What is accepted and refused, told as it is found."""

    def __init__(self):
        import jsonschema
        self.validator = jsonschema.Draft7Validator
        self.rights = []
        self.schemas = {name: json.loads((FOLDER / f"{name}.schema.json").read_text()) for name in WRONG}
        for schema in self.schemas.values():
            self.validator.check_schema(schema)

    def say(self, is_right, text):
        self.rights.append(is_right)
        print(text, file=sys.stderr)

    def complaint(self, name, value, is_strict=False):
        """Why a schema refuses a value; nothing if it accepts it."""
        schema = strict(self.schemas[name]) if is_strict else self.schemas[name]
        error = next(iter(self.validator(schema).iter_errors(value)), None)
        return f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}" if error else ""

    def take(self, name, value, title, is_strict=False):
        complaint = self.complaint(name, value, is_strict)
        self.say(not complaint, f"REFUSED: {title}: {complaint}" if complaint else f"taken: {title}")

    def refuse(self, name, value, title):
        """A wrong name of a field, in a value that is accepted otherwise."""
        right, wrong = WRONG[name]
        text = json.dumps(value).replace(f'"{right}":', f'"{wrong}":', 1)
        broken = json.loads(text)
        is_blind = broken == value or not self.complaint(name, broken)
        self.say(not is_blind, f"the schema of {title} takes '{wrong}'" if is_blind else f"refused: {title} with '{wrong}'")

    def options(self, write):
        """The schema of rig.yml is the one of the present options."""
        asked = subprocess.run([rig.programs() / "rig", "kill-test", "--experimental-dump-help"], text=True,
                               stdout=subprocess.PIPE, check=True)
        text = json.dumps(rig_yml(json.loads(asked.stdout)), indent=2, ensure_ascii=False) + "\n"
        file = FOLDER / "rig.schema.json"
        if write:
            file.write_text(text)
            self.schemas["rig"] = json.loads(text)
        is_same = file.read_text() == text
        self.say(is_same, f"{file.relative_to(ROOT)} has the present options" if is_same else
                 f"{file.relative_to(ROOT)} has not the present options; write it with harness/ci/schemas --write")

    def inputs(self):
        import yaml
        for name, patterns in (("worker", PROFILES), ("rig", SETTINGS)):
            last = None
            for file in sorted(file for pattern in patterns for file in ROOT.glob(pattern)):
                last = yaml.safe_load(file.read_text())
                self.take(name, last, file.relative_to(ROOT))
            self.refuse(name, last, name)

    def starters(self):
        """What rig init writes, with the line by which editors find the schema."""
        import yaml
        with tempfile.TemporaryDirectory() as folder:
            words = [rig.programs() / "rig", "init", "--check", "test -d {dir}", "--", "sleep", "{dir}"]
            done = subprocess.run(words, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            file = pathlib.Path(folder, "rig.yml")
            if done.returncode:
                return self.say(False, f"rig init: {done.stdout}")
            text = file.read_text()
            self.take("rig", yaml.safe_load(text), "rig.yml of rig init")
            named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
            is_there = bool(named) and pathlib.Path(named[1]).samefile(FOLDER / "rig.schema.json")
            self.say(is_there, "rig.yml of rig init names its schema" if is_there else
                     f"rig.yml of rig init names no schema that is there: {text[:200]}")

    def outputs(self):
        """What a run writes: of each kind of run that has members of its own."""
        kinds = {"plain": ["--thresholds", "512KB,disabled", "--gate", "loss_percent <= 90"],
                 "part": ["--partition", "slice:1/2"], "timings": ["--timings"],
                 "black box": ["--", "python3", ROOT / "harness/examples/downloader.py", "{url}", "{dir}", "{output}"]}
        for title, words in kinds.items():
            with tempfile.TemporaryDirectory() as folder:
                command = [rig.programs() / "rig", "kill-test", "--no-config", "--iterations", "2", "--video-size", "2MB",
                           "--bandwidth", "20MB/s", "--seed", "1", "--json", "--quiet", "--out", "run", *words]
                done = subprocess.run(list(map(str, command)), cwd=folder, text=True, stdout=subprocess.PIPE)
                if done.returncode not in rig.JUDGED:
                    self.say(False, f"a run ({title}) ended with {done.returncode}")
                    continue
                events = [json.loads(line) for line in done.stdout.splitlines()]
                for event in {event["event"]: event for event in events}.values():
                    self.take("events", event, f"event {event['event']} ({title})", True)
                for row in [event for event in events if event["event"] == "row"][:1]:
                    self.refuse("events", row, f"event row ({title})")
                for file in pathlib.Path(folder).glob("run/summary.json"):
                    summary = json.loads(file.read_text())
                    self.take("summary", summary, f"summary.json ({title})", True)
                    self.refuse("summary", summary, f"summary.json ({title})")


def check(write):
    """Checks all; whether everything was as it should be."""
    found = Check()
    found.options(write)
    found.inputs()
    found.starters()
    found.outputs()
    return all(found.rights)
