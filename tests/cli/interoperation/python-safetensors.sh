# safetensors reads what we write, and we read what it writes.
python3 -c 'import numpy, safetensors' 2>/dev/null || { echo "python3 has no numpy and safetensors" >&2; exit 77; }
tconv 2x3xf32=1,2,3,4,5,6 -o ours.safetensors:/q
python3 - <<'PYTHON'
import numpy as np
from safetensors.numpy import load_file, save_file
x = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
ours = load_file("ours.safetensors")
assert list(ours) == ["q"] and (ours["q"] == x).all()
save_file({"q": x, "ids": np.array([1, 2], dtype=np.int64)}, "theirs.safetensors")
PYTHON
tdiff theirs.safetensors:/ids 2=1,2
