#!/usr/bin/env python3
"""Cuts the first layer out of small models of eight families: make-model-layers.py FOLDER, where FOLDER holds bert,
gpt2, t5, t5-gated, bart, xlnet, llama and vit-classify, each with model.safetensors (f32, random) and cases.h5 (computed
in f64 with Hugging Face transformers 5.23). Writes model-layers.h5: FAMILY/weights/..., FAMILY/x (what the layer was
given), FAMILY/y (what it gave), and where there are any FAMILY/attention_mask and FAMILY/token_type_ids."""
import sys

import h5py
from safetensors.numpy import load_file

layers = {
    "bert": ("encoder.layer.0.", "hidden_states"),
    "gpt2": ("transformer.h.0.", "hidden_states"),
    "t5": ("encoder.block.0.layer.", "encoder_hidden_states"),
    "t5-gated": ("encoder.block.0.layer.", "encoder_hidden_states"),
    "bart": ("model.encoder.layers.0.", "encoder_hidden_states"),
    "xlnet": ("transformer.layer.0.", "hidden_states"),
    "llama": ("model.layers.0.", "hidden_states"),
    "vit-classify": ("vit.encoder.layer.0.", "hidden_states"),
}
with h5py.File("model-layers.h5", "w", libver=("earliest", "v108")) as out:
    put = lambda name, data: out.create_dataset(name, data=data, track_times=False)
    for family, (prefix, states) in layers.items():
        for name, tensor in load_file(f"{sys.argv[1]}/{family}/model.safetensors").items():
            if name.startswith(prefix):
                put(f"{family}/weights/{name[len(prefix):]}", tensor)
        with h5py.File(f"{sys.argv[1]}/{family}/cases.h5") as cases:
            case = cases["batch"]
            put(f"{family}/x", case[f"out/{states}/0"][()])
            put(f"{family}/y", case[f"out/{states}/1"][()])
            for name in ("attention_mask", "token_type_ids"):
                if name in case["in"]:
                    put(f"{family}/{name}", case[f"in/{name}"][()].astype("u1"))
