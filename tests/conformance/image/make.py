#!/usr/bin/env python3
"""Writes the pictures and expected.h5: what Pillow makes of them. Needs pillow, numpy and h5py; made with Pillow 13.0."""
import pathlib

import h5py
import numpy as np
from PIL import Image

here = pathlib.Path(__file__).parent
noise = np.random.default_rng(1).integers(0, 256, (6, 8, 3), np.uint8)
picture = Image.fromarray(noise).resize((31, 23), Image.BICUBIC)
picture.save(here / "rgb.png")
picture.convert("L").save(here / "grey.png")
picture.convert("P", palette=Image.ADAPTIVE, colors=16).save(here / "palette.png")
clear = picture.copy()
clear.putalpha(picture.convert("L"))
clear.save(here / "clear.png")
picture.save(here / "colour.jpg", quality=80)
picture.convert("L").save(here / "grey.jpg", quality=60)
Image.fromarray(noise[:, :, 0].astype(np.uint16) * 3).save(here / "wide" / "grey.png")
with h5py.File(here / "expected.h5", "w") as out:
    for path in sorted([*here.rglob("*.png"), *here.glob("*.jpg")]):
        out[f"pixels/{path.relative_to(here)}"] = np.asarray(Image.open(path).convert("RGB"))
