#!/usr/bin/env python3
"""Writes `texts` of the folders that are named: what transformers 5.24 with Jinja 3.1.6 makes of their chats.jsonl."""
import json
import os
import shutil
import sys
import tempfile

from jinja2.exceptions import TemplateError
from transformers import AutoTokenizer

here = os.path.dirname(os.path.abspath(__file__))
for name in sys.argv[1:]:
    with tempfile.TemporaryDirectory() as model:
        shutil.copytree(os.path.join(here, name), model, dirs_exist_ok=True)
        shutil.copy(os.path.join(here, "../../fixtures/words/tokenizer.json"), model)
        tokenizer = AutoTokenizer.from_pretrained(model)
    with open(os.path.join(here, name, "chats.jsonl"), encoding="utf-8") as chats, \
            open(os.path.join(here, name, "texts"), "w", encoding="utf-8") as texts:
        for line in chats:
            chat = json.loads(line)
            chat = chat if isinstance(chat, dict) else {"messages": chat}
            chat.setdefault("add_generation_prompt", not chat.get("continue_final_message"))
            try:
                text = tokenizer.apply_chat_template(chat.pop("messages"), tokenize=False, **chat)
                print(json.dumps(text, ensure_ascii=False), file=texts)
            except TemplateError as error:
                print(f"error: {error}", file=texts)
