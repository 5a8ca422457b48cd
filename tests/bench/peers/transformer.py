#!/usr/bin/env python3
"""The base transformer in PyTorch beside ours: same weights, same ids, same threads; results are compared first.

    random-model tests/bench/configs/base.json MODEL
    tests/bench/peers/transformer.py MODEL BUILD [THREADS]

Needs torch, h5py and safetensors; with onnx and onnxruntime, the encoder in ONNX Runtime too. BUILD is the folder with
bin/transformer-run and bin/bench-transformer.
"""
import io
import json
import math
import os
import subprocess
import sys
import tempfile

import h5py
import torch
from safetensors.torch import load_file

from timing import OnRequest, table_of_turns

folder, build = sys.argv[1:3]
threads = int(sys.argv[3]) if len(sys.argv) > 3 else len(os.sched_getaffinity(0))
torch.set_num_threads(threads)
config = json.load(open(f"{folder}/config.json"))
weights = load_file(f"{folder}/model.safetensors")
width = config["d_model"]
model = torch.nn.Transformer(
    width, config["nhead"], config["num_encoder_layers"], config["num_decoder_layers"], config["dim_feedforward"],
    0.0, config["activation"], batch_first=True, norm_first=config["norm_first"]).eval()
model.load_state_dict({name[len("transformer."):]: w for name, w in weights.items() if name.startswith("transformer.")})
table = weights["embedding.weight"]


def positions(first, count):
    angles = torch.arange(first, first + count, dtype=torch.float64)[:, None] / 10000 ** (
        torch.arange(0, width, 2, dtype=torch.float64) / width)
    return torch.stack([angles.sin(), angles.cos()], -1).reshape(count, width).float()


def embed(ids, first=0):
    return table[ids] * math.sqrt(width) + positions(first, ids.shape[1])


def encode(ids):
    return model.encoder(embed(ids))


class Decoder:
    """One token at a time with a key-value cache, as eager PyTorch code does it."""

    def __init__(self, memory, rows):
        self.past = []
        for layer in model.decoder.layers:
            k, v = self.project(layer.multihead_attn, memory.expand(rows, -1, -1), slice(width, 3 * width)).chunk(2, -1)
            self.past.append([None, None, self.heads(k), self.heads(v)])
        self.length = 0

    @staticmethod
    def project(attention, x, part):
        return torch.nn.functional.linear(x, attention.in_proj_weight[part], attention.in_proj_bias[part])

    @staticmethod
    def heads(x):
        return x.unflatten(-1, (config["nhead"], -1)).transpose(1, 2)

    def attend(self, attention, q, k, v):
        y = torch.nn.functional.scaled_dot_product_attention(self.heads(q), k, v)
        return attention.out_proj(y.transpose(1, 2).flatten(2))

    def step(self, ids):
        x = embed(ids, self.length)
        for layer, past in zip(model.decoder.layers, self.past):
            q, k, v = self.project(layer.self_attn, x, slice(0, 3 * width)).chunk(3, -1)
            k, v = self.heads(k), self.heads(v)
            past[0] = k if past[0] is None else torch.cat([past[0], k], 2)
            past[1] = v if past[1] is None else torch.cat([past[1], v], 2)
            x = layer.norm1(x + self.attend(layer.self_attn, q, past[0], past[1]))
            q = self.project(layer.multihead_attn, x, slice(0, width))
            x = layer.norm2(x + self.attend(layer.multihead_attn, q, past[2], past[3]))
            x = layer.norm3(x + layer.linear2(torch.relu(layer.linear1(x))))
        self.length += 1
        return torch.nn.functional.linear(model.decoder.norm(x[:, -1]), table)


def decode(memory, rows, steps=64):
    decoder = Decoder(memory, rows)
    for step in range(steps):
        logits = decoder.step(torch.full((rows, 1), 3 + step))
    return logits


def onnx_encoder(x):
    """The encoder in ONNX Runtime, or None where that is not installed."""
    try:
        import onnx  # noqa: F401, which the exporter needs
        import onnxruntime
    except ImportError:
        return None
    exported = io.BytesIO()
    torch.backends.mha.set_fastpath_enabled(False)  # it is one operation that ONNX does not know
    torch.onnx.export(model.encoder, (x,), exported, input_names=["x"], opset_version=17, dynamo=False)
    torch.backends.mha.set_fastpath_enabled(True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(exported.getvalue(), options, providers=["CPUExecutionProvider"])
    return lambda x: session.run(None, {"x": x.numpy()})[0]


runtime = onnx_encoder(embed(torch.zeros(16, 128, dtype=torch.int64)))
with torch.inference_mode():
    ids = torch.tensor([[3 + (b * 131 + i * 17) % 36000 for i in range(128)] for b in range(16)])
    with tempfile.TemporaryDirectory() as place:
        with h5py.File(f"{place}/ids.h5", "w") as file:
            file["ids"] = ids.numpy()
        subprocess.run([f"{build}/bin/transformer-run", "-m", folder, "--ids", f"{place}/ids.h5", "--to", "encoder/norm",
                        "-o", f"{place}/ours.h5"], check=True)
        ours = torch.from_numpy(h5py.File(f"{place}/ours.h5")["y"][:])
    theirs = encode(ids)
    worst = (ours - theirs).abs().max().item()
    print(f"encoder: largest difference {worst:.2e} at a scale of {theirs.abs().max().item():.2f}")
    assert worst < 1e-4 * theirs.abs().max().item(), "results differ: times mean nothing"
    print(f"torch {torch.__version__}, {threads} threads\n\n| work | attnutils | peer | ms | ratio |\n|---|---|---|---|---|")
    peers = {"PyTorch": lambda: encode(ids)}
    if runtime:
        theirs_too = torch.from_numpy(runtime(embed(ids)))
        assert (theirs_too - theirs).abs().max().item() < 1e-4 * theirs.abs().max().item()
        peers["ONNX Runtime"] = lambda: runtime(embed(ids))
    memory = encode(ids[:1])
    for name, rivals in (("encode 16 x 128", peers),
                         ("decode 64 tokens of 1 sequence", {"PyTorch": lambda: decode(memory, 1)}),
                         ("decode 64 tokens of 16 beams", {"PyTorch": lambda: decode(memory, 16)})):
        own = OnRequest([f"{build}/bin/bench-transformer", "--threads", str(threads), "--by-line", name])
        table_of_turns(name, own.run, rivals)
        own.close()
