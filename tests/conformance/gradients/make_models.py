"""Gradients of small models in f64: make_models.py FOLDER writes FOLDER/qwen3, FOLDER/gemma3 and FOLDER/modernbert.

Random weights that are exact in f32, eager attention, and a batch of three lines, padded on the right so far that each
window still has a token.
"""
import sys

import h5py
import torch
import transformers

SIZES = dict(vocab_size=26, hidden_size=12, intermediate_size=20, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, head_dim=6, max_position_embeddings=32, pad_token_id=0, bos_token_id=1,
             eos_token_id=2, attn_implementation="eager")
MODELS = {
    "qwen3": (transformers.Qwen3ForCausalLM, transformers.Qwen3Config(**SIZES, tie_word_embeddings=False)),
    "gemma3": (transformers.Gemma3ForCausalLM,
               transformers.Gemma3TextConfig(**SIZES, sliding_window=4, query_pre_attn_scalar=9,
                                             layer_types=["sliding_attention", "full_attention"])),
    "modernbert": (transformers.ModernBertForSequenceClassification,
                   transformers.ModernBertConfig(
                       vocab_size=26, hidden_size=12, intermediate_size=20, num_hidden_layers=3, num_attention_heads=2,
                       max_position_embeddings=32, pad_token_id=0, bos_token_id=1, eos_token_id=2,
                       attn_implementation="eager",
                       cls_token_id=1, sep_token_id=2, local_attention=8, global_attn_every_n_layers=2, num_labels=3,
                       classifier_pooling="mean")),
}
for name, (kind, config) in MODELS.items():
    torch.manual_seed(7)
    model = kind(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.3 + (parameter.dim() == 1) * (name != "gemma3"))
    folder = f"{sys.argv[1]}/{name}"
    model.save_pretrained(folder)
    # The code of these models computes norms, angles and the softmax in f32, whatever the type of the weights.
    weights = {key: value.double() for key, value in model.state_dict().items()}
    f32, to_f32 = torch.float32, torch.Tensor.float
    torch.float32 = torch.float = torch.float64
    torch.Tensor.float = torch.Tensor.double
    torch.set_default_dtype(torch.float64)
    model = kind(config).eval()
    model.load_state_dict(weights)
    ids = torch.randint(3, 26, (3, 9))
    mask = torch.ones_like(ids)
    for row, length in enumerate([9, 8, 6]):
        ids[row, length:] = 0
        mask[row, length:] = 0
    labels = torch.tensor([2, 0, 1]) if name == "modernbert" else torch.where(mask == 1, ids, -100)
    out = model(input_ids=ids, attention_mask=mask, labels=labels)
    out.loss.backward()
    torch.float32 = torch.float = f32
    torch.Tensor.float = to_f32
    torch.set_default_dtype(f32)
    with h5py.File(f"{folder}/gradients.h5", "w", libver=("v108", "v110")) as file:
        for key, value in {"input_ids": ids, "attention_mask": mask, "labels": labels}.items():
            file[f"in/{key}"] = value.numpy()
        file["out/loss"] = out.loss.item()
        file["out/logits"] = out.logits.detach().numpy()
        for key, parameter in model.named_parameters():
            file[f"grad/{key}"] = parameter.grad.numpy()
