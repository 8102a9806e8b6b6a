#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""schemas.py OUTPUTS DIRECTORY: what rxectl prints with -j is as the schemas in DIRECTORY say.

OUTPUTS has a line for each command line that the tests have run: a JSON object of its arguments,
standard output and standard error. Commands that only do something print nothing and have no schema.
"""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    sys.exit("the schemas are checked with jsonschema: install python3-jsonschema (Debian, Fedora)")

SILENT = set()


def documents(text):
    """The JSON documents in a text, one after the other."""
    decoder = json.JSONDecoder()
    text = text.strip()
    while text:
        document, end = decoder.raw_decode(text)
        yield document
        text = text[end:].lstrip()


def object_of(args, names):
    """The object that a command line is about; None where it names none."""
    words = [word for word in args.split() if not word.startswith("-")]
    found = [name for name in names if words and name.startswith(words[0])]
    return words[0] if words and words[0] in names else found[0] if len(found) == 1 else None


def inlined(node, schemas):
    """A schema with the files that it refers to in their places."""
    if isinstance(node, dict):
        if "$ref" in node:
            return inlined(schemas[node["$ref"].removesuffix(".json")], schemas)
        return {key: inlined(value, schemas) for key, value in node.items()}
    return [inlined(value, schemas) for value in node] if isinstance(node, list) else node


def main():
    directory = pathlib.Path(sys.argv[2]).resolve()
    schemas = {path.stem: json.loads(path.read_text(encoding="utf-8"))
               for path in sorted(directory.glob("*.json"))}
    validators = {}
    for name, schema in schemas.items():
        schema = inlined(schema, schemas)
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[name] = jsonschema.Draft202012Validator(schema)
    checked = dict.fromkeys(validators, 0)

    def check(name, args, text):
        for document in documents(text):
            try:
                validators[name].validate(document)
            except jsonschema.ValidationError as error:
                sys.exit(f"rxectl {args}: not as {name}.json says: {error}")
            # An empty list says nothing of its schema.
            checked[name] += bool(document)

    for line in open(sys.argv[1], encoding="utf-8"):
        run = json.loads(line)
        name = object_of(run["args"], set(validators) | SILENT)
        if run["out"].strip():
            if name not in validators:
                sys.exit(f"rxectl {run['args']}: prints JSON, but there is no schema of it")
            check(name, run["args"], run["out"])
        check("error", run["args"], run["err"])
    unused = [name for name, count in checked.items() if not count]
    if unused:
        sys.exit(f"no output was checked against the schemas of {', '.join(unused)}")
    print(f"  ok rxectl/schemas: {sum(checked.values())} outputs")


main()
