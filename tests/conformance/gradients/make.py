"""Cuts NAME.h5 out of a larger collection of gradients: make.py COLLECTION.h5 NAME.cases NAME.h5.

The collection was computed for this project by PyTorch 2.9.1 in f64 from random inputs that are exact in f32. A case
becomes the group CASE with the inputs, `weights`, `dy` (the gradients of the loss by the results), and `grad`, which is
what --vjp writes: dx, dresidual ..., d/CASE/weights/NAME. Losses have `y` and the gradient of themselves instead.
"""
import sys

import h5py

collection, cases, output = sys.argv[1:]
operands = {"attn_mask": "mask", "key": "k", "value": "v"}  # what mha calls the tensors of PyTorch
with h5py.File(collection, "r") as source, h5py.File(output, "w", libver=("v108", "v110")) as target:
    for line in open(cases):
        if not line.strip() or line.startswith("#"):
            continue
        name = line.split()[0]
        case, group = source[name], target.create_group(name)
        for key, value in case["in"].items():
            group[key] = value[()]
        for key in case.get("weights", []):
            group["weights/" + key] = case["weights/" + key][()]
        if line.split()[1] == "loss":
            group["y"] = case["out/y"][()]
            gradient = case["grad/" + ("logits" if "logits" in case["in"] else "x")][()]
            cotangent = case["dy/y"][()]
            group["dy"] = gradient / cotangent.reshape(cotangent.shape + (1,) * (gradient.ndim - cotangent.ndim))
            continue
        for key in case["dy"]:
            group["dy/" + key] = case["dy/" + key][()]
        for key in case["grad"]:
            is_parameter = "weights/" + key in case and f"@weights/{key}" not in line.split()[3:]
            group["grad/" + (f"d/{name}/weights/{key}" if is_parameter else "d" + operands.get(key, key))] = case["grad/" + key][()]
