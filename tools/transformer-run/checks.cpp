#include "transformer-run/options.hpp"

#include "cli/results.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/byte_output.hpp>

namespace transformer_run {

using attn::Error;
using attn::ErrorKind;

void check(const Options& o, const cli::Session& session) {
  const auto require = [](bool holds, const char* option, const char* detail) {
    if (!holds) throw Error(ErrorKind::usage, option, detail);
  };
  require(!o.model.empty(), "--model", "is required; give the folder of a model");
  require(!o.ids.given() || o.text.empty(), "--ids", "excludes TEXT");
  require(!o.pixels.given() || (o.text.empty() && !o.ids.given()), "--pixels", "excludes TEXT and --ids");
  require(!o.replay.given() || o.text.empty(), "--replay", "excludes TEXT");
  require(!o.replay.given() || (!o.ids.given() && !o.pixels.given() && !o.decoder_ids.given()), "--replay",
          "excludes --ids and --pixels");
  require(!o.mask.given() || o.ids.given() || o.decoder_ids.given(), "--attention-mask", "needs --ids");
  require(!o.type_ids.given() || o.ids.given(), "--type-ids", "needs --ids");
  require(!o.permutation_mask.given() || o.ids.given(), "--perm-mask", "needs --ids");
  require(!o.target_mapping.given() || o.ids.given(), "--target-mapping", "needs --ids");
  require(!o.memories.given() || o.ids.given(), "--mems", "needs --ids");
  require(o.prompt.empty() || (!o.ids.given() && !o.decoder_ids.given() && !o.replay.given()), "--prompt",
          "is for texts");
  const bool some_stages = !o.from.empty() || !o.to.empty();
  require(!some_stages || !(o.permutation_mask.given() || o.target_mapping.given() || o.memories.given()), "--to",
          "excludes --perm-mask, --target-mapping and --mems");
  require(o.from.empty() || o.replay.given(), "--from", "needs --replay");
  require(o.from.empty() == !o.replay.given(), "--replay", "needs --from");
  require(!o.json || !o.wants_tensors(), "--json", "is of lines of text, and the result is tensors");
  require(o.best > 0, "--best", "must be at least 1");
  require(o.on_error == OnError::stop || o.trace.empty(), "--on-error", "excludes --trace, a run of all lines as one");
  require(o.trace.empty() || !attn::io::is_one_output(attn::io::parse_operand(o.trace).source, o.output.operand.source),
          "--trace", "and --output are one file; give two");
  require(!o.list || !o.json, "--list", "excludes --json");
  require(!o.list || (o.text.empty() && o.trace.empty()), "--list", "computes nothing; leave out TEXT and --trace");
  const bool in_floats = o.wants_tensors() || o.list || !session.dtype() || attn::is_floating(*session.dtype());
  require(in_floats, "--dtype", "must be a floating type: lines of text are computed in floats");
  require(!o.chat || (!o.ids.given() && !o.decoder_ids.given() && !o.replay.given()), "--chat", "is for texts");
  require(!o.resume || !o.output.operand.is_standard_stream(), "--resume", "needs -o FILE");
  require(!o.shard || o.trace.empty(), "--shard", "excludes --trace, a run of all lines as one");
  require(!o.resume || o.trace.empty(), "--resume", "excludes --trace, a run of all lines as one");
  for (const std::string& text : o.parameters.generation.stop) {
    require(!text.empty(), "--stop", "has an empty text");
    require(!attn::find_invalid_utf8(text), "--stop", "is not UTF-8, and answers are; no answer would end before it");
  }
  require(o.parameters.batch_rows > 0, "--batch", "must be at least 1");
}

}  // namespace transformer_run
