#!/usr/bin/env python3
"""Prints class-settings.stdout: what transformers 5.24 makes of TEXTS with tokenizers of this folder whose
tokenizer_config.json has other settings, and the pair of the first two. Arguments: class-settings.sh."""
import json
import os
import shutil
import sys
import tempfile

from transformers import AutoTokenizer

here = os.path.dirname(os.path.abspath(__file__))
texts, cases = [], []
for line in open(sys.argv[1], encoding="utf-8").read().split("<<'END'\n")[1].split("\nEND")[0].split("\n"):
    texts.append(json.loads(line))
for line in open(sys.argv[1], encoding="utf-8").read().split("<<'END'\n")[2].split("\nEND")[0].split("\n"):
    cases.append(line.split(" ", 1))
for folder, fields in cases:
    with tempfile.TemporaryDirectory() as model:
        shutil.copytree(os.path.join(here, folder), model, dirs_exist_ok=True)
        with open(os.path.join(model, "tokenizer_config.json"), "w", encoding="utf-8") as file:
            file.write(fields)
        tokenizer = AutoTokenizer.from_pretrained(model)
    print(folder, fields)
    for text in texts:
        print(*(tokenizer(text) if isinstance(text, str) else tokenizer(*text))["input_ids"])
