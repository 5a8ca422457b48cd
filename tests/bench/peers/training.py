#!/usr/bin/env python3
"""Updates of models in PyTorch beside ours: same weights, same lines, same threads. Losses are compared first; then all
take turns, and the least processor time of an update counts, as other programs run too. About five minutes.

    examples/train-dates.sh DATA 1 20000
    tests/bench/peers/training.py DATA BUILD [THREADS [ROUNDS]]

Needs torch, transformers and safetensors. DATA has start/ and train.tsv, BUILD bin/transformer-train. Cases: the date
model in batches of 160 lines of like length, and of any length, which PyTorch pads, while transformer-train makes its
batches of lines of like length in any case; BERT-base with 16 lines of 128 tokens and random weights, whose memory is
compared, too. Of ours, an update is what an epoch of twice as many takes more, without the files that are written
before and after it. Of PyTorch, it is the mean of those after the first.
"""
import csv
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time

import torch
import transformers
from safetensors.torch import load_file

data, build = sys.argv[1:3]
threads = int(sys.argv[3]) if len(sys.argv) > 3 else 1
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
torch.set_num_threads(threads)
directory = tempfile.TemporaryDirectory()
work = directory.name
width = 128


def processor_seconds(process="self"):
    """Of user and system, by proc(5)."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def train(start, lines, count, rate, batch, *options):
    """Our model's folder, its losses, the processor time of the updates of an epoch and the peak memory of the run."""
    out = tempfile.mkdtemp(dir=work) + "/model"
    with open(f"{work}/lines.tsv", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    command = [f"{build}/bin/transformer-train", "-m", start, "--data", f"{work}/lines.tsv", "--batch", str(batch),
               "--after", f"{count}u", "--lr", str(rate), "-o", out, "-t", str(threads), *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not os.path.exists(f"{out}/training.h5"):  # the files of the beginning are written
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.001)
    begin = processor_seconds(process.pid)
    for line in process.stderr:
        if "loss" in line:  # the files of the end are not
            end = processor_seconds(process.pid)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    losses = [float(row["loss"]) for row in csv.DictReader(open(f"{out}/log.csv"))]
    return out, losses, end - begin, usage.ru_maxrss


def torch_updates(parameters, loss_of, count):
    optimizer = torch.optim.AdamW(parameters, lr=1e-5, weight_decay=0)
    losses = []
    for i in range(1 + count):
        if i == 1:
            begin = processor_seconds()
        loss = loss_of()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1e9)  # ours computes the norm, too
        optimizer.step()
        losses.append(loss.item())
    return losses, (processor_seconds() - begin) / count


def compare(name, start, lines, theirs, count, turns):
    """theirs(count): losses, and processor seconds of an update. The peak memory of ours."""
    batch = len(lines)
    _, losses, _, memory = train(start, lines, 2, 1e-5, batch)
    first = theirs(count)
    assert max(abs(a - b) / b for a, b in zip(losses, first[0])) < 1e-3, (losses, first)

    def ours():
        short, long = (train(start, n * lines, n, 1e-5, batch)[2] for n in (count, 2 * count))
        return (long - short) / count

    times = [(ours(), (theirs(count) if turn else first)[1]) for turn in range(turns)]
    mine, other = (min(column) for column in zip(*times))
    print(f"| {name}, {threads} thread(s) | {mine * 1e3:.0f} ms | {other * 1e3:.0f} ms | {other / mine:.2f} |", flush=True)
    return memory


print("| one update | attnutils | PyTorch | times attnutils |\n|---|---|---|---|")

# ---- BERT-base ----

vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"w{i}" for i in range(5, 30522))]
folder = f"{work}/bert"
transformers.BertConfig(architectures=["BertForSequenceClassification"], num_labels=2).save_pretrained(folder)
with open(f"{folder}/vocab.txt", "w") as file:
    file.write("\n".join(vocabulary) + "\n")
with open(f"{folder}/tokenizer_config.json", "w") as file:
    json.dump({"tokenizer_class": "BertTokenizer", "do_lower_case": False}, file)
generator = torch.Generator().manual_seed(1)
ids = torch.randint(5, 30522, (16, 128), generator=generator)
ids[:, 0], ids[:, -1] = 2, 3
texts = [" ".join(vocabulary[i] for i in row[1:-1]) + f"\t{n % 2}" for n, row in enumerate(ids.tolist())]
start = train(folder, texts, 1, 0, 16, "--init")[0]
labels = torch.arange(16) % 2


def bert_updates(count):
    model = transformers.BertForSequenceClassification.from_pretrained(start, hidden_dropout_prob=0.0,
                                                                       attention_probs_dropout_prob=0.0)
    model.train()
    return torch_updates(list(model.parameters()), lambda: model(input_ids=ids, labels=labels).loss, count)


def peak_of_torch():
    """How far a process grows beyond what it takes with PyTorch alone, in KiB."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        bert_updates(1)
        os.write(writing, str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before).encode())
        os._exit(0)
    os.wait()
    return int(os.read(reading, 100))


theirs = peak_of_torch()  # which has run no update in this process yet
mine = compare("BERT-base, 16 x 128 tokens", start, texts, bert_updates, 2, 1)
print(f"| BERT-base, 16 x 128 tokens: memory | {mine >> 10} MiB | {theirs >> 10} MiB | {theirs / mine:.2f} |", flush=True)


# ---- the date model ----

characters = {c: i for i, c in enumerate("\0\1\2\3 ,-./0123456789abcdefghijklmnopqrstuvwxyzáäçéìû")}


def padded(rows, value):
    longest = max(map(len, rows))
    return torch.tensor([row + [value] * (longest - len(row)) for row in rows])


def positions(count):
    angles = torch.arange(count)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], -1).reshape(count, width)


def date_updates(weights, lines, count):
    pairs = [[[characters[c] for c in text.lower()] + [2] for text in line.split("\t")] for line in lines]
    source = padded([text for text, _ in pairs], 0)
    labels = padded([answer for _, answer in pairs], -100)
    read = padded([[1] + answer[:-1] for _, answer in pairs], 0)
    model = torch.nn.Transformer(width, 4, 2, 2, 256, 0.0, "relu", batch_first=True)
    model.load_state_dict({name[len("transformer."):]: w for name, w in weights.items() if name != "embedding.weight"})
    table = torch.nn.Parameter(weights["embedding.weight"].clone())
    causal = torch.nn.Transformer.generate_square_subsequent_mask(read.shape[1])
    padding = source == 0

    def embed(ids):
        return torch.nn.functional.embedding(ids, table) * math.sqrt(width) + positions(ids.shape[1])

    def loss():
        states = model(embed(source), embed(read), tgt_mask=causal, src_key_padding_mask=padding,
                       memory_key_padding_mask=padding, tgt_is_causal=True)
        return torch.nn.functional.cross_entropy((states @ table.T).flatten(0, 1), labels.flatten())

    return torch_updates([*model.parameters(), table], loss, count)


lines = [line.rstrip("\n") for line in open(f"{data}/train.tsv", encoding="utf-8")][:16000]
middle = len(lines) // 2
alike = sorted(lines, key=lambda line: len(line.split("\t")[0]))[middle:middle + 160]
start = train(f"{data}/start", lines[:160], 1, 0, 160, "--init")[0]
weights = load_file(f"{start}/model.safetensors")
for kind, some in ("like", alike), ("any", lines[:160]):
    compare(f"date model, 160 lines of {kind} length", start, some, lambda n: date_updates(weights, some, n), 10, rounds)
