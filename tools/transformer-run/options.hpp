#pragma once
// Options of transformer-run.

#include "cli/command.hpp"
#include "cli/session.hpp"
#include "cli/shared_options.hpp"

#include <attn/attention/shapes.hpp>
#include <attn/models/model_folder.hpp>
#include <attn/transformer/generation.hpp>
#include <attn/transformer/inference.hpp>
#include <attn/transformer/text_generation.hpp>
#include <attn/transformer/text_task.hpp>
#include <attn/transformer/text_vectors.hpp>
#include <attn/transformer/torch_layers.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace transformer_run {

/// The generation options of the command line, in order; they override generation_config.json.
struct GenerationOptions {
  struct Given {
    std::string option;
    std::function<void(attn::GenerationParameters&)> apply;
  };
  std::vector<Given> given;

  /// Does the text contain the name of an option that was given?
  bool speaks_of(const std::string& text) const;
  /// Notes options that change nothing: of samples without samples, of beams without beams.
  void note_idle(const attn::GenerationParameters& whole, cli::Report& report) const;

  /// The parameters of the model's files, overridden by the command line. Parameters of sampling or beams that only the
  /// files set are dropped if the run has neither. Throws Error(usage) as validate() does.
  attn::GenerationParameters over(attn::GenerationParameters parameters) const;
};

enum class OnError { stop, skip };

/// Layers without a config.json.
struct LayerOptions {
  attn::TorchLayerParameters parameters;
  std::string activation = "relu";
  attn::Layout layout = attn::Layout::batch_first;
  cli::OptionalInput source_mask{std::vector<std::string>{"src_mask", "mask"}};
  cli::OptionalInput target_mask{std::vector<std::string>{"tgt_mask", "mask"}};
  cli::OptionalInput memory_mask{std::vector<std::string>{"memory_mask", "mask"}};
  cli::OptionalInput source_padding{std::vector<std::string>{"src_key_padding_mask", "mask"}};
  cli::OptionalInput target_padding{std::vector<std::string>{"tgt_key_padding_mask", "mask"}};
  cli::OptionalInput memory_padding{std::vector<std::string>{"memory_key_padding_mask", "mask"}};
};

struct Options {
  std::string model;
  cli::OptionalInput encoder{"weights"};  ///< instead of a model
  LayerOptions layers;
  std::vector<std::int64_t> heads;  ///< their number in these layers, or as --emit-heads
  std::vector<std::string> text;
  cli::OptionalInput ids{std::vector<std::string>{"ids", "input_ids", "y", "x"}};
  cli::OptionalInput decoder_ids{std::vector<std::string>{"decoder_ids", "decoder_input_ids", "ids", "y"}};
  cli::OptionalInput mask{std::vector<std::string>{"mask", "attention_mask", "y"}};
  cli::OptionalInput type_ids{std::vector<std::string>{"type_ids", "token_type_ids", "y"}};
  cli::OptionalInput pixels{std::vector<std::string>{"pixels", "pixel_values", "y", "x"}};
  cli::OptionalInput permutation_mask{std::vector<std::string>{"perm_mask", "y"}};
  cli::OptionalInput target_mapping{std::vector<std::string>{"target_mapping", "y"}};
  cli::OptionalInput memories{std::vector<std::string>{"mems"}};
  bool list = false, list_families = false;
  std::string task;
  attn::TextGenerationParameters parameters;
  GenerationOptions generation;
  std::optional<std::size_t> stride;
  std::optional<std::size_t> max_length;
  bool no_answer = false;
  attn::Aggregation aggregation = attn::TextTaskParameters{}.aggregation;
  bool ignore_end = false;
  OnError on_error = OnError::stop;
  bool resume = false;
  std::optional<cli::Shard> shard;
  bool chat = false, json_lines = false;
  attn::CaptureParameters capture;
  std::size_t best = 1;
  std::optional<attn::Pooling> pooling;
  bool normalize = false;
  std::string prompt;
  std::optional<std::string> prompt_text;
  std::optional<std::size_t> dimensions;
  std::string trace, from, to;
  std::vector<std::string> trace_filter{"*"};
  cli::OptionalInput replay;
  cli::Output output;

  /// Are lines of standard input among the texts? They are without TEXT, and for the TEXT -.
  bool reads_lines() const;
  /// Is the result tensors instead of lines of text?
  bool wants_tensors() const;
};

void declare(cli::Command& command, Options& options);

/// Throws Error(usage) for options that exclude each other.
void check(const Options& options, const cli::Session& session);

/// Throws Error(usage) for options that are for models of other tasks.
void check_task(const Options& options, const attn::OpenedModel& opened, const cli::Session& session);

}  // namespace transformer_run
