#!/usr/bin/env python3
"""Writes NAME-ids.stdout and NAME-decoded.stdout from NAME/cases.jsonl, which other implementations have made."""
import json
import pathlib

here = pathlib.Path(__file__).parent
for cases in sorted(here.glob("*/cases.jsonl")):
    name = cases.parent.name
    rows = [json.loads(line) for line in cases.read_text(encoding="utf-8").split("\n") if line]
    ids = "".join(" ".join(map(str, row["ids"])) + "\n" for row in rows)
    decoded = "".join(json.dumps({"text": row["decoded"]}, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    (here / f"{name}-ids.stdout").write_text(ids, encoding="utf-8")
    (here / f"{name}-decoded.stdout").write_text(decoded, encoding="utf-8")
