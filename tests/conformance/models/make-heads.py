#!/usr/bin/env python3
"""Makes heads/NAME, all or those that are named: tiny models of transformers with random weights, one for each head or wiring that the models beside
them do not have, and case.h5 with what transformers computes from it in f64. Made with transformers 5.23, torch 2.9;
with transformers 4.46 those of it that 5 has no more; camembert, data2vec, xlm-roberta, mt5, llama, mistral, qwen2,
modernbert and bart-masks with 5.24 and torch 2.15.

    make-heads.py FOLDER [NAME...]
"""
import json
import os
import sys

import h5py
import torch
import transformers as t

decoder = {"vocab_size": 24, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
bert = {**decoder, "hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 16,
        "max_position_embeddings": 20, "type_vocab_size": 2}
bart = {**decoder, "d_model": 12, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 3,
        "decoder_attention_heads": 2, "encoder_ffn_dim": 16, "decoder_ffn_dim": 14, "max_position_embeddings": 20,
        "decoder_start_token_id": 2}
t5 = {"vocab_size": 24, "d_model": 12, "d_kv": 5, "d_ff": 16, "num_layers": 1, "num_decoder_layers": 2, "num_heads": 2,
      "relative_attention_num_buckets": 8, "relative_attention_max_distance": 12, "pad_token_id": 0, "eos_token_id": 2,
      "decoder_start_token_id": 0}
xlnet = {"vocab_size": 24, "d_model": 12, "n_layer": 2, "n_head": 3, "d_inner": 16, "use_mems_eval": False}

llama = {**decoder, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
         "intermediate_size": 20, "max_position_embeddings": 20, "partial_rotary_factor": 0.5}

roberta = {**bert, "type_vocab_size": 1}
mistral = {k: v for k, v in llama.items() if k != "partial_rotary_factor"}

modernbert = {**decoder, "hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 16,
              "max_position_embeddings": 20, "local_attention": 4, "global_attn_every_n_layers": 2, "cls_token_id": 0,
              "sep_token_id": 2}
# rope_theta is no name of ModernBERT and changes nothing.
old_names = {"rope_theta": 7.0, "global_rope_theta": 50.0, "local_rope_theta": 20.0,
             "rope_scaling": {"rope_type": "linear", "factor": 2.0}}
distilbert = {**decoder, "dim": 12, "n_layers": 2, "n_heads": 3, "hidden_dim": 16, "max_position_embeddings": 20}

models = {
    "bert-next-sentence": (t.BertForNextSentencePrediction, t.BertConfig(**bert)),
    "bert-choice": (t.BertForMultipleChoice, t.BertConfig(**bert, hidden_act="quick_gelu")),
    "bert-causal": (t.BertLMHeadModel, t.BertConfig(**bert, is_decoder=True)),
    "roberta-causal": (t.RobertaForCausalLM, t.RobertaConfig(**bert, is_decoder=True)),
    "roberta-choice": (t.RobertaForMultipleChoice, t.RobertaConfig(**bert)),
    "bart": (t.BartModel, t.BartConfig(**bart, activation_function="gelu_10")),
    "bart-answer": (t.BartForQuestionAnswering, t.BartConfig(**bart)),
    "bart-causal": (t.BartForCausalLM, t.BartConfig(**bart)),
    "t5": (t.T5Model, t.T5Config(**t5)),
    "t5-classify": (t.T5ForSequenceClassification, t.T5Config(**t5, num_labels=3)),
    "t5-tokens": (t.T5ForTokenClassification, t.T5Config(**t5, num_labels=3)),
    "t5-answer": (t.T5ForQuestionAnswering, t.T5Config(**t5)),
    "xlnet-mean": (t.XLNetForSequenceClassification, t.XLNetConfig(**xlnet, summary_type="mean", num_labels=3)),
    "xlnet-bare": (t.XLNetForSequenceClassification, t.XLNetConfig(**xlnet, summary_use_proj=False)),
    "xlnet-choice": (t.XLNetForMultipleChoice, t.XLNetConfig(**xlnet, summary_type="first")),
    "bert-pretraining": (t.BertForPreTraining, t.BertConfig(**bert)),
    "bart-untied": (t.BartForConditionalGeneration, t.BartConfig(**bart, tie_word_embeddings=False)),
    "bert-whole-causal": (t.BertLMHeadModel, t.BertConfig(**bert)),
    "xlnet-search": (t.XLNetForQuestionAnswering, t.XLNetConfig(**xlnet, start_n_top=3, end_n_top=2)),
    "xlnet-continues": (t.XLNetLMHeadModel, t.XLNetConfig(**{**xlnet, "use_mems_eval": True})),
    "xlnet-anew": (t.XLNetLMHeadModel, t.XLNetConfig(**xlnet)),
    "xlnet-forgets": (t.XLNetLMHeadModel, t.XLNetConfig(**{**xlnet, "use_mems_eval": True}, mem_len=6, clamp_len=4)),
    "llama-partial-causal": (t.LlamaForCausalLM, t.LlamaConfig(**llama)),
    "camembert-classify": (t.CamembertForSequenceClassification, t.CamembertConfig(**roberta, num_labels=3)),
    "data2vec-masked-lm": (t.Data2VecTextForMaskedLM, t.Data2VecTextConfig(**roberta)),
    "xlm-roberta-tokens": (t.XLMRobertaForTokenClassification, t.XLMRobertaConfig(**roberta, num_labels=3)),
    "mt5": (t.MT5ForConditionalGeneration, t.MT5Config(**t5)),
    "mistral-window-causal": (t.MistralForCausalLM, t.MistralConfig(**mistral, sliding_window=3)),
    "qwen2-causal": (t.Qwen2ForCausalLM, t.Qwen2Config(**mistral)),
    "bart-masks": (t.BartForConditionalGeneration, t.BartConfig(**bart)),
    "distilbert-answer": (t.DistilBertForQuestionAnswering, t.DistilBertConfig(**distilbert)),
    "distilbert-classify": (t.DistilBertForSequenceClassification, t.DistilBertConfig(**distilbert, num_labels=3)),
    "distilbert-masked-lm": (t.DistilBertForMaskedLM, t.DistilBertConfig(**distilbert)),
    "modernbert-answer": (t.ModernBertForQuestionAnswering, t.ModernBertConfig(**modernbert)),
    "modernbert-choice": (t.ModernBertForMultipleChoice, t.ModernBertConfig(**modernbert, classifier_pooling="mean",
                                                                            classifier_bias=True)),
    "modernbert-old-names": (t.ModernBertModel, t.ModernBertConfig(**modernbert, **old_names)),
}

# Gone from transformers 5, which adds positions instead.
if t.__version__.startswith("4."):
    models = {
        "bert-distances": (t.BertModel, t.BertConfig(**bert, position_embedding_type="relative_key")),
        "roberta-distances": (t.RobertaModel, t.RobertaConfig(**bert, position_embedding_type="relative_key_query")),
        "bert-distances-causal": (t.BertLMHeadModel, t.BertConfig(**bert, is_decoder=True, use_cache=False,
                                                                  position_embedding_type="relative_key_query")),
    }


def widen():
    """T5 computes the squares of its norms in f32, XLNet its positions, whatever the weights are."""
    torch.float = torch.float32 = torch.double  # in which generation keeps its scores
    torch.Tensor.float = torch.Tensor.double
    for norm in t.models.t5.modeling_t5.T5LayerNorm, t.models.mt5.modeling_mt5.MT5LayerNorm:
        norm.forward = lambda self, x: self.weight * x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + self.variance_epsilon)


def randomise(model, generator):
    for name, tensor in model.named_parameters():
        values = torch.randn(tensor.shape, generator=generator)
        is_norm = tensor.dim() == 1 and "norm" in name.lower() and name.endswith("weight")
        tensor.data = values * (0.3 if tensor.dim() == 1 else 1.3 / tensor.shape[-1] ** 0.5) + (1 if is_norm else 0)
    model.tie_weights()


continuing = ("bert-whole-causal", "xlnet-continues", "xlnet-anew", "xlnet-forgets")


def continued(model, ids):
    """What greedy search and beams make of the first four ids, and the beams' scores."""
    beams = model.generate(ids, max_new_tokens=8, num_beams=3, do_sample=False, return_dict_in_generate=True,
                           output_scores=True)
    return {"greedy": model.generate(ids, max_new_tokens=8, do_sample=False), "beams": beams.sequences,
            "scores": beams.sequences_scores}


def main(folder, *names):
    widen()
    generator = torch.Generator().manual_seed(8)
    for name, (cls, config) in models.items():
        if names and name not in names:
            continue
        model = cls._from_config(config, attn_implementation="eager").eval()
        randomise(model, generator)
        model.save_pretrained(os.path.join(folder, name))
        if "old-names" in name:
            with open(os.path.join(folder, name, "config.json"), "r+") as file:
                fields = {k: v for k, v in json.load(file).items() if k != "rope_parameters"}
                file.seek(0)
                file.truncate()
                json.dump({**fields, **old_names}, file, indent=2)
        model.double()
        if name.startswith(("llama", "mistral", "modernbert", "qwen2")):
            base = getattr(model, "model", model)
            base.rotary_emb = type(base.rotary_emb)(config)  # whose angles are f32 until now
        ids = torch.randint(6, 24, (2, 7), generator=generator)
        ids[:, -1] = 2
        inputs = {"input_ids": ids}
        if name.startswith(("bert", "xlnet")):
            inputs["token_type_ids"] = torch.randint(0, 2, ids.shape, generator=generator)
        if name in ("bart", "t5", "mt5", "bart-untied"):
            inputs["decoder_input_ids"] = torch.randint(6, 24, (2, 5), generator=generator)
        if "causal" in name:
            inputs.pop("token_type_ids", None)
        called = {k: v[None] for k, v in inputs.items()} if "choice" in name else inputs
        if name == "modernbert-choice":  # whose mean needs a mask
            called["attention_mask"] = torch.ones_like(called["input_ids"])
        with torch.no_grad():
            out = model(**called)
        if "search" in name:
            y = torch.stack([out.start_top_index.repeat(1, config.end_n_top), out.end_top_index,
                             out.start_top_log_probs.repeat(1, config.end_n_top), out.end_top_log_probs], -1)
        elif "answer" in name:
            y = torch.stack([out.start_logits, out.end_logits], -1)
        elif "prediction_logits" in out:
            y = out.prediction_logits
        else:
            y = out.logits if "logits" in out else out.last_hidden_state
        with h5py.File(os.path.join(folder, name, "case.h5"), "w") as file:
            for key, value in inputs.items():
                file["in/" + key] = value.numpy()
            if "seq_relationship_logits" in out:
                file["out/next"] = out.seq_relationship_logits.numpy()
            if "cls_logits" in out:
                file["out/cls_logits"] = out.cls_logits.numpy()
            if name in continuing:
                for key, value in continued(model, ids[:, :4]).items():
                    file["out/" + key] = value.numpy()
            file["out/y"] = y.reshape(-1, 1).numpy() if "choice" in name else y.numpy()


if __name__ == "__main__":
    main(*sys.argv[1:])
