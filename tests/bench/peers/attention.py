#!/usr/bin/env python3
"""Attention beside PyTorch and ONNX Runtime: same data, same threads, same dtype; results are compared first.

    tests/bench/peers/attention.py [--build BUILD] [--threads N] [--isa NAME] [FILTER]

Needs numpy, torch and (for its rows) onnxruntime and onnx from PyPI, and BUILD/bin/bench-attention-peer, which is built
with -DATTN_BENCHMARKS=ON. Prints a table in Markdown; times are medians of interleaved rounds, so that what else
the machine does falls on all alike.
"""
import argparse
import os
import statistics
import tempfile

import numpy

from timing import OnRequest, rested, seconds, spread_of

CASES = [
    # name, dtype, B, H, L, S, d, causal
    ("L = S = 4096, d = 64", "f32", 1, 8, 4096, 4096, 64, False),
    ("L = S = 4096, d = 128", "f32", 1, 8, 4096, 4096, 128, False),
    ("L = S = 4096, d = 64, causal", "f32", 1, 8, 4096, 4096, 64, True),
    ("B = 32, H = 12, L = S = 128, d = 64", "f32", 32, 12, 128, 128, 64, False),
    ("L = 1, S = 65536, d = 64", "f32", 1, 8, 1, 65536, 64, False),
    ("L = S = 4096, d = 64", "f64", 1, 4, 4096, 4096, 64, False),
    ("L = S = 4096, d = 64", "bf16", 1, 8, 4096, 4096, 64, False),
]


class Own(OnRequest):
    """The library, in a process of its own, which reads raw tensors."""

    name = "attnutils"

    def __init__(self, args, case, tensors, folder):
        _, dtype, B, H, L, S, d, causal = case
        self.shape = (B, H, L, d)
        self.result = os.path.join(folder, "y.raw")
        for name, x in zip("qkv", tensors):
            x.tofile(os.path.join(folder, name + ".raw"))
        command = [os.path.join(args.build, "bin", "bench-attention-peer"), folder, dtype]
        command += [str(n) for n in (B, H, L, S, d, int(causal), args.threads)] + ([args.isa] if args.isa else [])
        super().__init__(command)

    def output(self):
        return numpy.fromfile(self.result, dtype=numpy.float32 if self.f32 else numpy.float64).reshape(self.shape)


class Torch:
    name = "PyTorch"

    def __init__(self, args, case, tensors):
        import torch

        torch.set_num_threads(args.threads)
        dtype, causal = case[1], case[7]
        types = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16}
        q, k, v = (torch.from_numpy(x).to(types[dtype]) for x in tensors)
        self.attend = lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        self.guard = torch.no_grad

    def run(self):
        with self.guard():
            return seconds(self.attend)

    def output(self):
        with self.guard():
            return self.attend().double().numpy()


class OnnxRuntime:
    """softmax(Q K^T / sqrt d) V as three operators; Attention itself is not in every release's CPU provider."""

    name = "ONNX Runtime"

    def __init__(self, args, case, tensors):
        import onnx
        import onnxruntime
        from onnx import TensorProto, helper

        _, dtype, B, H, L, S, d, causal = case
        if dtype == "bf16" or causal:
            raise ImportError("not in this form")
        kind = TensorProto.FLOAT if dtype == "f32" else TensorProto.DOUBLE
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            [
                helper.make_node("Transpose", ["k"], ["kt"], perm=[0, 1, 3, 2]),
                helper.make_node("MatMul", ["q", "kt"], ["s"]),
                helper.make_node("Mul", ["s", "scale"], ["t"]),
                helper.make_node("Softmax", ["t"], ["w"], axis=-1),
                helper.make_node("MatMul", ["w", "v"], ["y"]),
            ],
            "attention",
            [value("q", kind, [B, H, L, d]), value("k", kind, [B, H, S, d]), value("v", kind, [B, H, S, d])],
            [value("y", kind, [B, H, L, d])],
            [helper.make_tensor("scale", kind, [], [d**-0.5])],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = args.threads
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        self.feed = dict(zip("qkv", tensors))

    def run(self):
        return seconds(lambda: self.session.run(None, self.feed))

    def output(self):
        return self.session.run(None, self.feed)[0]


def tensors_of(case):
    _, dtype, B, H, L, S, d, _ = case
    random = numpy.random.default_rng(1)
    kind = numpy.float64 if dtype == "f64" else numpy.float32
    tensors = [random.standard_normal((B, H, n, d)).astype(kind) for n in (L, S, S)]
    if dtype == "bf16":  # values that bfloat16 holds exactly
        tensors = [(x.view(numpy.uint32) & 0xFFFF0000).view(numpy.float32) for x in tensors]
    return tensors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--isa", default="")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("filter", nargs="?", default="")
    args = parser.parse_args()

    names = {f"{case[1]} {case[0]}": case for case in CASES}
    chosen = [case for name, case in names.items() if args.filter in name]
    if not chosen:
        raise SystemExit(f"attention.py: '{args.filter}' is no part of: {'; '.join(names)}")
    print(f"{args.threads} threads\n")
    print("| case | dtype | attnutils | peer | ms | ratio |")
    print("|---|---|---|---|---|---|")
    for case in chosen:
        tensors = tensors_of(case)
        with tempfile.TemporaryDirectory() as folder:
            own = Own(args, case, tensors, folder)
            own.f32 = case[1] != "f64"
            own.run()
            for Peer in (Torch, OnnxRuntime):
                try:
                    peer = Peer(args, case, tensors)
                except ImportError:
                    continue
                # An element is a mean of values of size 1; each side rounds it, its weights and its scores.
                bound = {"f32": 64 * 2.0**-23, "f64": 64 * 2.0**-52, "bf16": 4 * 2.0**-8}[case[1]]
                far = numpy.abs(own.output() - peer.output()).max()
                if far > bound:
                    raise SystemExit(f"{Peer.name} differs by {far} where {bound} is allowed: {case}")
                times = [(rested(own.run), rested(peer.run)) for _ in range(args.rounds + 1)][1:]
                ours, theirs = (statistics.median(t) * 1e3 for t in zip(*times))
                ratios = sorted(b / a for a, b in times)
                print(f"| {case[0]} | {case[1]} | {ours:.2f} ms | {Peer.name} | {theirs:.2f} ms | "
                      f"{statistics.median(ratios):.2f} +- {spread_of(ratios):.2f} |", flush=True)
            own.close()


if __name__ == "__main__":
    main()
