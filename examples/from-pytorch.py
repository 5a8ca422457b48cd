"""The PyTorch side of from-pytorch.sh: a layer, its input, and the tensor after each stage, in from-pytorch.h5."""
import h5py
import torch
from torch.nn.functional import linear

torch.manual_seed(1)
layer = torch.nn.TransformerEncoderLayer(d_model=16, nhead=4, dim_feedforward=32, dropout=0, batch_first=True)
x = torch.randn(2, 5, 16)  # batch, sequence, width
with torch.no_grad():
    for parameter in layer.parameters():  # norms and biases too: those of a new layer are 1 and 0
        parameter += 0.1 * torch.randn_like(parameter)
    attention = layer.self_attn
    projected = linear(x, attention.in_proj_weight, attention.in_proj_bias).chunk(3, dim=-1)
    q, k, v = (part.unflatten(-1, (4, 4)).transpose(1, 2) for part in projected)  # batch, heads, sequence, width
    attended, weights = attention(x, x, x, average_attn_weights=False)
    norm1 = layer.norm1(x + attended)
    fed = layer.linear2(torch.relu(layer.linear1(norm1)))
    y = layer.norm2(norm1 + fed)
    assert torch.allclose(y, layer(x), atol=1e-6)

with h5py.File("from-pytorch.h5", "w") as file:
    for name, tensor in layer.state_dict().items():
        file["layer/" + name] = tensor.numpy()
    stages = dict(x=x, q=q, k=k, v=v, weights=weights, attended=attended, norm1=norm1, fed=fed, y=y)
    for name, tensor in stages.items():
        file[name] = tensor.numpy()
