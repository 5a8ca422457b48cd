#!/usr/bin/env python3
"""Writes llama/ and llama-without-space/: sentencepiece models, trained on this project's LICENSE, and what sentencepiece
makes of the texts of t5/cases.jsonl and some more. Special tokens are cut out of a text, and only its first part gets a
space, as "legacy": false says.

Made with sentencepiece 0.2.3: byte-pair encoding that falls back to bytes and leaves texts as they are, as the
tokenizer.model of Llama 2; the second has add_dummy_prefix false. 320 pieces, as many as ../models/llama has rows."""
import json
import os
import pathlib
import re

import sentencepiece

os.chdir(pathlib.Path(__file__).parent)  # the model names the files of its training
texts = [json.loads(line)["text"] for line in pathlib.Path("t5/cases.jsonl").read_text(encoding="utf-8").splitlines()]
texts += [" a space in front", "<s>here</s> there</s>where <unk>", "<0x41>", "\u2581x"]
special = {"<unk>": 0, "<s>": 1, "</s>": 2}
settings = {"tokenizer_class": "LlamaTokenizer", "legacy": False, "add_bos_token": True, "add_eos_token": False}
for folder, has_space in (pathlib.Path("llama"), True), (pathlib.Path("llama-without-space"), False):
    folder.mkdir(exist_ok=True)
    sentencepiece.SentencePieceTrainer.train(
        input="../../../LICENSE", model_prefix=str(folder / "tokenizer"), model_type="bpe",
        vocab_size=320, byte_fallback=True, character_coverage=0.98, **({} if has_space else {"add_dummy_prefix": False}),
        normalization_rule_name="identity", remove_extra_whitespaces=False, allow_whitespace_only_pieces=True,
        split_digits=True, num_threads=1, minloglevel=2)
    (folder / "tokenizer.vocab").unlink()
    (folder / "tokenizer_config.json").write_text(json.dumps(settings) + "\n")
    model = (folder / "tokenizer.model").read_bytes()
    pieces = sentencepiece.SentencePieceProcessor(model_proto=model)
    # normalizer_spec { add_dummy_prefix: false }, which is merged with that of the model
    inner = sentencepiece.SentencePieceProcessor(model_proto=model + b"\x1a\x02\x18\x00")

    def encode(text):
        ids = [1]
        for i, part in enumerate(re.split("(<unk>|<s>|</s>)", text)):
            start = i == 0 and part != ""
            ids += [special[part]] if part in special else (pieces if start else inner).encode(part)
        return ids

    with open(folder / "cases.jsonl", "w", encoding="utf-8") as cases:
        for text, pair in [(text, None) for text in texts] + [("one", "two words"), (" ", "a")]:
            ids = encode(text) + (encode(pair) if pair else [])
            decoded = pieces.decode([token for token in ids if token > 2])
            print(json.dumps({"text": text} | ({"pair": pair} if pair else {}) | {"ids": ids, "decoded": decoded}), file=cases)
