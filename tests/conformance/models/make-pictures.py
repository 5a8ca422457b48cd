#!/usr/bin/env python3
"""Writes pictures.h5: what transformers 5.23 (the vectors of CLIP: 5.24) makes of the pictures of ../image. Needs torch,
transformers, pillow, h5py.

The processors are those that the preprocessor_config.json of ViT and TimeSformer, written by hand, and the files that
pictures.sh writes for CLIP mean; the video is three pictures and one again.
"""
import pathlib

import h5py
import torch
from PIL import Image
from transformers import CLIPModel, TimesformerForVideoClassification, ViTForImageClassification
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.models.videomae.image_processing_pil_videomae import VideoMAEImageProcessorPil
from transformers.models.vit.image_processing_pil_vit import ViTImageProcessorPil

here = pathlib.Path(__file__).parent
names = ["colour.jpg", "grey.png", "palette.png", "rgb.png"]
pictures = [Image.open(here.parent / "image" / name).convert("RGB") for name in names]
with h5py.File(here / "pictures.h5", "w") as out, torch.no_grad():
    processor = ViTImageProcessorPil(size={"height": 24, "width": 24}, resample=3, image_mean=[0.4, 0.5, 0.6])
    model = ViTForImageClassification.from_pretrained(here / "vit-classify", attn_implementation="sdpa").double()
    out["pictures"] = model(processor(pictures, return_tensors="pt").pixel_values.double()).logits
    processor = VideoMAEImageProcessorPil(size={"shortest_edge": 18}, crop_size={"height": 16, "width": 16})
    model = TimesformerForVideoClassification.from_pretrained(here / "timesformer-divided-space-time").double()
    out["video"] = model(processor([pictures], return_tensors="pt").pixel_values.double()).logits
    processor = CLIPImageProcessorPil(size={"shortest_edge": 14}, crop_size={"height": 12, "width": 12})
    model = CLIPModel.from_pretrained(here / "clip", attn_implementation="eager").double()
    vectors = model.get_image_features(processor(pictures, return_tensors="pt").pixel_values.double()).pooler_output
    out["clip"] = torch.nn.functional.normalize(vectors, dim=-1)
