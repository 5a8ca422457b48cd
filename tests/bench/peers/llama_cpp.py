#!/usr/bin/env python3
"""GPT-2 decoding one sequence in llama.cpp beside ours: the same random weights in f32 and in f16, the same threads;
tokens are compared first, and the two are timed in turns.

    random-model tests/bench/configs/gpt2.json MODELS/gpt2
    tests/bench/peers/llama_cpp.py MODELS BUILD [THREADS]

Needs gguf, xllamacpp (a wheel of llama.cpp), h5py, numpy and safetensors. Folders MODELS/gpt2-f16 and files
MODELS/gpt2-*.gguf are made where they are missing.
"""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import gguf
import h5py
import numpy
import xllamacpp
from safetensors.numpy import load_file, save_file

from timing import seconds

models, build = sys.argv[1:3]
threads = int(sys.argv[3]) if len(sys.argv) > 3 else len(os.sched_getaffinity(0))
prompt, steps = [3, 4, 5, 6], 128
names = {"ln_1": "attn_norm", "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output", "ln_2": "ffn_norm",
         "mlp.c_fc": "ffn_up", "mlp.c_proj": "ffn_down"}


def folder_of(kind):
    """The model with weights of that type, as a folder."""
    if kind == "f32":
        return f"{models}/gpt2"
    folder = f"{models}/gpt2-{kind}"
    if not os.path.exists(folder):
        os.makedirs(folder)
        shutil.copy(f"{models}/gpt2/config.json", folder)
        weights = load_file(f"{models}/gpt2/model.safetensors")
        save_file({name: x.astype(numpy.float16) if x.ndim == 2 else x for name, x in weights.items()},
                  f"{folder}/model.safetensors")
    return folder


def gguf_of(kind):
    """The same as a file of llama.cpp, with a vocabulary of made-up words."""
    path = f"{models}/gpt2-{kind}.gguf"
    if os.path.exists(path):
        return path
    config = json.load(open(f"{models}/gpt2/config.json"))
    writer = gguf.GGUFWriter(path, "gpt2")
    writer.add_context_length(config["n_positions"])
    writer.add_embedding_length(config["n_embd"])
    writer.add_block_count(config["n_layer"])
    writer.add_feed_forward_length(4 * config["n_embd"])
    writer.add_head_count(config["n_head"])
    writer.add_layer_norm_eps(config["layer_norm_epsilon"])
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([f"w{i}" for i in range(config["vocab_size"])])
    writer.add_token_merges(["w 0"])
    writer.add_bos_token_id(config["vocab_size"] - 1)
    writer.add_eos_token_id(config["vocab_size"] - 1)
    for name, x in load_file(f"{folder_of(kind)}/model.safetensors").items():
        name = name.removeprefix("transformer.")
        part = name.rsplit(".", 1)[-1]
        if name.startswith("h."):
            _, layer, rest = name.split(".", 2)
            base = rest.rsplit(".", 1)[0]
            if base not in names:
                continue
            if x.ndim == 2:
                x = numpy.ascontiguousarray(x.T)
            target = f"blk.{layer}.{names[base]}.{part}"
        else:
            target = {"wte.weight": "token_embd.weight", "wpe.weight": "position_embd.weight",
                      "ln_f.weight": "output_norm.weight", "ln_f.bias": "output_norm.bias"}.get(name)
        if target == "position_embd.weight":
            x = x.astype(numpy.float32)
        if target:
            writer.add_tensor(target, x)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def server_of(kind):
    params = xllamacpp.CommonParams()
    params.model.path = gguf_of(kind)
    params.n_ctx = 256
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    params.verbosity = -1
    return xllamacpp.Server(params)


def theirs(server):
    """(tokens, milliseconds of one): greedy."""
    asked = {"prompt": prompt, "n_predict": steps, "temperature": 0, "top_k": 1, "ignore_eos": True,
             "cache_prompt": False}
    answer = server.handle_completions(asked)
    tokens = [int(number) for number in re.findall(r"w(\d+)", answer["choices"][0]["text"])]
    return tokens, answer["timings"]["predicted_per_token_ms"]


def ours(kind, count):
    """(tokens, seconds of the whole command)."""
    with tempfile.TemporaryDirectory() as place:
        ids = f"1x{len(prompt)}xi64=" + ",".join(map(str, prompt))
        command = [f"{build}/bin/transformer-run", "-m", folder_of(kind), "--ids", ids, "--ignore-end",
                   "--max-new-tokens", str(count), "--threads", str(threads), "-o", f"{place}/y.h5"]
        taken = seconds(lambda: subprocess.run(command, check=True))
        return h5py.File(f"{place}/y.h5")["y"][0, len(prompt):].tolist(), taken


def our_token(kind):
    """Milliseconds of one token: what `steps` more of them take the command, start and copies of the weights apart."""
    return min(ours(kind, 16 + steps)[1] for _ in range(3)) * 1e3 / steps - \
        min(ours(kind, 16)[1] for _ in range(3)) * 1e3 / steps


for kind in ("f32", "f16"):
    server = server_of(kind)
    mine, other = ours(kind, steps)[0], theirs(server)[0]
    same = sum(1 for a, b in zip(mine, other) if a == b)
    print(f"{kind}: {same} of {steps} greedy tokens are the same")
    ratios = []
    for _ in range(5):
        other, mine = theirs(server)[1], our_token(kind)
        ratios.append(other / mine)
        print(f"{kind}: ours {mine:.2f} ms a token, llama.cpp {other:.2f} ms, ratio {other / mine:.2f}", flush=True)
    print(f"{kind}: median ratio {statistics.median(ratios):.2f}")
