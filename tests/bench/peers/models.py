#!/usr/bin/env python3
"""BERT-base, ViT-base and GPT-2 in PyTorch and ONNX Runtime beside ours: the same random weights of true sizes, the same
inputs, the same threads; results are compared first, and ours is timed in turns with theirs.

    for m in bert-base vit-base gpt2; do random-model tests/bench/configs/$m.json MODELS/$m; done
    tests/bench/peers/models.py MODELS BUILD [THREADS [NAME ...]]

Needs torch, transformers, h5py and safetensors; with onnx and onnxruntime, encoders in ONNX Runtime too. BUILD is the
folder with bin/transformer-run and bin/bench-transformer.
"""
import io
import os
import subprocess
import sys
import tempfile

import h5py
import numpy
import torch
import transformers

from timing import OnRequest, table_of_turns

models, build = sys.argv[1:3]
threads = int(sys.argv[3]) if len(sys.argv) > 3 else len(os.sched_getaffinity(0))
known = ["bert-base", "vit-base", "gpt2"]
chosen = sys.argv[4:] or known
if unknown := [name for name in chosen if name not in known]:
    sys.exit(f"models.py: '{unknown[0]}' is not one of {', '.join(known)}")
torch.set_num_threads(threads)
configs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "configs")


def load(name, cls, **options):
    config = transformers.AutoConfig.from_pretrained(f"{models}/{name}")
    return cls.from_pretrained(f"{models}/{name}", config=config, **options).eval()


def take_turns(name, work, peers):
    own = OnRequest([f"{build}/bin/bench-transformer", "--threads", str(threads), "--by-line", f"{configs}/{name}.json",
                     work])
    table_of_turns(f"{name}: {work}", own.run, peers)
    own.close()


def result(name, option, tensor, *more):
    with tempfile.TemporaryDirectory() as place:
        with h5py.File(f"{place}/x.h5", "w") as file:
            file["x"] = tensor
        subprocess.run([f"{build}/bin/transformer-run", "-m", f"{models}/{name}", option, f"{place}/x.h5:/x", *more,
                        "-o", f"{place}/y.h5"], check=True)
        return h5py.File(f"{place}/y.h5")["y"][:]


def compare(what, mine, theirs):
    worst, scale = numpy.abs(mine - theirs).max(), numpy.abs(theirs).max()
    print(f"{what}: largest difference {worst:.1e} at a scale of {scale:.2f}", file=sys.stderr)
    assert worst < 1e-4 * scale, "results differ: times mean nothing"


def onnx_session(module, x):
    try:
        import onnx  # noqa: F401, which the exporter needs
        import onnxruntime
    except ImportError:
        return None
    exported = io.BytesIO()
    torch.onnx.export(module, (x,), exported, input_names=["x"], opset_version=17, dynamo=False)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(exported.getvalue(), options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, {"x": x.numpy()})[0]


class States(torch.nn.Module):
    """A model as the function from its input to its last hidden states."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        return self.model(x).last_hidden_state


def encoder(name, cls, option, x, work):
    states = States(load(name, cls, attn_implementation="sdpa"))
    theirs = states(x).numpy()
    compare(name, result(name, option, x.numpy(), "--to", "encoder/norm"), theirs)
    peers = {"PyTorch": lambda: states(x)}
    session = onnx_session(States(load(name, cls, attn_implementation="eager")), x)
    if session:
        compare(name + ", ONNX Runtime", session(), theirs)
        peers["ONNX Runtime"] = session
    take_turns(name, work, peers)


def decode(model, steps=64):
    past = None
    for step in range(steps):
        out = model(torch.tensor([[3 + step]]), past_key_values=past, use_cache=True)
        past = out.past_key_values
    return out.logits


def gpt2():
    model = load("gpt2", transformers.GPT2LMHeadModel, attn_implementation="sdpa")
    ids = torch.arange(3, 19)[None]
    compare("gpt2", result("gpt2", "--decoder-ids", ids.numpy()), model(ids).logits.numpy())
    take_turns("gpt2", "decode 64 tokens of 1 sequence", {"PyTorch": lambda: decode(model)})


print(f"torch {torch.__version__}, transformers {transformers.__version__}, {threads} threads\n\n| work | attnutils | peer | ms | ratio |\n"
      "|---|---|---|---|---|")
with torch.inference_mode():
    if "bert-base" in chosen:
        ids = torch.tensor([[3 + (b * 131 + i * 17) % 30000 for i in range(128)] for b in range(16)])
        encoder("bert-base", transformers.BertModel, "--ids", ids, "encode 16 x 128")
    if "vit-base" in chosen:
        pixels = (torch.arange(8 * 3 * 224 * 224) * 7919 % 1024).reshape(8, 3, 224, 224) / 512 - 1
        encoder("vit-base", transformers.ViTModel, "--pixels", pixels, "encode 8 x 197")
    if "gpt2" in chosen:
        gpt2()
