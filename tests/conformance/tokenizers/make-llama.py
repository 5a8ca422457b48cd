#!/usr/bin/env python3
"""Writes llama/: the sentencepiece model, trained on this project's LICENSE, and what transformers makes of the
texts of t5/cases.jsonl and some more.

Made with sentencepiece 0.2.3 and transformers 5.24: byte-pair encoding that falls back to bytes and leaves texts as they
are, as the tokenizer.model of Llama 2. 320 pieces, as many as ../models/llama has rows."""
import json
import os
import pathlib

import sentencepiece
from transformers import AutoTokenizer

os.chdir(pathlib.Path(__file__).parent)  # the model names the files of its training
folder = pathlib.Path("llama")
folder.mkdir(exist_ok=True)
texts = [json.loads(line)["text"] for line in pathlib.Path("t5/cases.jsonl").read_text(encoding="utf-8").splitlines()]
sentencepiece.SentencePieceTrainer.train(
    input="../../../LICENSE", model_prefix="llama/tokenizer", model_type="bpe",
    vocab_size=320, byte_fallback=True, character_coverage=0.98,
    normalization_rule_name="identity", remove_extra_whitespaces=False, allow_whitespace_only_pieces=True,
    split_digits=True, num_threads=1, minloglevel=2)
(folder / "tokenizer.vocab").unlink()
settings = {"tokenizer_class": "LlamaTokenizer", "legacy": False, "add_bos_token": True, "add_eos_token": False}
(folder / "tokenizer_config.json").write_text(json.dumps(settings) + "\n")
tokenizer = AutoTokenizer.from_pretrained("llama")
texts += [" a space in front", "<s>here</s> there</s>where <unk>", "<0x41>", "\u2581x"]
with open(folder / "cases.jsonl", "w", encoding="utf-8") as cases:
    for text, pair in [(text, None) for text in texts] + [("one", "two words"), (" ", "a")]:
        ids = tokenizer(text, pair)["input_ids"]
        case = {"text": text} | ({"pair": pair} if pair else {})
        case |= {"ids": ids, "tokens": tokenizer.convert_ids_to_tokens(ids),
                 "decoded": tokenizer.decode(ids, skip_special_tokens=True)}
        cases.write(json.dumps(case) + "\n")
