#!/usr/bin/env python3
"""Updates of the date model in PyTorch beside ours: same weights, same 160 lines, same threads; losses are compared
first.

    examples/train-dates.sh DATA 1 400
    tests/bench/peers/training.py DATA BUILD [THREADS]

Needs torch and safetensors. DATA has start/ and train.tsv, BUILD bin/transformer-train.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile
import time

import torch
from safetensors.torch import load_file

from timing import table_of_turns

data, build = sys.argv[1:3]
threads = int(sys.argv[3]) if len(sys.argv) > 3 else len(os.sched_getaffinity(0))
updates, rate, width = 10, 1e-3, 128
torch.set_num_threads(threads)
work = tempfile.mkdtemp()
lines = [line.rstrip("\n") for line in open(f"{data}/train.tsv", encoding="utf-8")][:160]
with open(f"{work}/lines.tsv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")


def train(start, count, learning_rate, *options):
    """Our losses, and the seconds of the run."""
    out = tempfile.mkdtemp(dir=work) + "/model"
    begin = time.perf_counter()
    subprocess.run([f"{build}/bin/transformer-train", "-m", start, "--data", f"{work}/lines.tsv", "--batch", "160",
                    "--after", f"{count}u", "--lr", str(learning_rate), "-o", out, "-t", str(threads), "--quiet",
                    *options], check=True)
    seconds = time.perf_counter() - begin
    return out, [float(row["loss"]) for row in csv.DictReader(open(f"{out}/log.csv"))], seconds


start, _, _ = train(f"{data}/start", 1, 0, "--init")
weights = load_file(f"{start}/model.safetensors")
characters = {c: i for i, c in enumerate("\0\1\2\3 ,-./0123456789abcdefghijklmnopqrstuvwxyzáäçéìû")}
pairs = [[[characters[c] for c in text.lower()] + [2] for text in line.split("\t")] for line in lines]


def padded(rows, value):
    longest = max(map(len, rows))
    return torch.tensor([row + [value] * (longest - len(row)) for row in rows])


def positions(count):
    angles = torch.arange(count)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], -1).reshape(count, width)


source = padded([text for text, _ in pairs], 0)
labels = padded([answer for _, answer in pairs], -100)
read = padded([[1] + answer[:-1] for _, answer in pairs], 0)


def torch_losses(count=updates):
    model = torch.nn.Transformer(width, 4, 2, 2, 256, 0.0, "relu", batch_first=True)
    model.load_state_dict({name[len("transformer."):]: w for name, w in weights.items() if name != "embedding.weight"})
    table = torch.nn.Parameter(weights["embedding.weight"].clone())
    optimizer = torch.optim.AdamW([*model.parameters(), table], lr=rate, weight_decay=0)
    causal = torch.nn.Transformer.generate_square_subsequent_mask(read.shape[1])
    padding, losses = source == 0, []
    for _ in range(count):
        embed = lambda ids: torch.nn.functional.embedding(ids, table) * math.sqrt(width) + positions(ids.shape[1])
        states = model(embed(source), embed(read), tgt_mask=causal, src_key_padding_mask=padding,
                       memory_key_padding_mask=padding, tgt_is_causal=True)
        loss = torch.nn.functional.cross_entropy((states @ table.T).flatten(0, 1), labels.flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*model.parameters(), table], 1e9)  # ours computes the norm, too
        optimizer.step()
        losses.append(loss.item())
    return losses


ours, theirs = train(start, updates, rate)[1], torch_losses()
assert max(abs(a - b) / b for a, b in zip(ours, theirs)) < 1e-4, (ours, theirs)
table_of_turns(f"{updates} updates of the date model, 160 lines, {threads} threads",
               lambda: train(start, updates, rate)[2], {"PyTorch": torch_losses})
