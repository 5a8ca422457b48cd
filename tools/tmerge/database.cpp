#include "tmerge/database.hpp"

#include "cli/numbers.hpp"
#include "cli/options/attention.hpp"

#include <attn/attention/attend_part.hpp>
#include <attn/core/error.hpp>
#include <attn/core/tensor_map.hpp>

#include <tuple>

namespace tmerge {

std::string entry_of(const Part& part, const std::string& name) {
  if (const std::string* value = part.header.find(name)) return *value;
  throw attn::Error(attn::ErrorKind::data, part.label, "has no " + name + " among its options",
                    "-k and -v are for parts of attend");
}

std::vector<attn::Digest> contents_of_files(const Options& o, const Part& part, cli::Session& session) {
  attn::AttendParameters p;
  for (const auto& [word, layout] : cli::layouts())
    if (word == entry_of(part, "--layout")) p.layout = layout;
  for (const auto& [option, count] : {std::pair{"--heads", &p.heads}, {"--kv-heads", &p.kv_heads}})
    if (const std::string text = entry_of(part, option); text != "none") *count = cli::parse_size(option, text);
  const attn::DType dtype = attn::dtype_from_name(entry_of(part, "dtype"));
  attn::TensorMap memory;
  attn::StoredDatabase database;
  for (const auto& [input, name, stored] : {std::tuple{&o.key, "k", &database.key}, {&o.value, "v", &database.value}}) {
    if (const auto located = session.inputs.locate(*input)) {
      *stored = {located->source, located->info};
    } else {
      const attn::TensorView x = *session.read(*input);
      memory.add(name, x.rank() == 0 ? attn::reshaped(x, {1}) : x);
      *stored = {&memory, *memory.find(name)};
    }
  }
  for (const auto& [input, stored, option] :
       {std::tuple{&o.key, &database.key, "--key"}, {&o.value, &database.value, "--value"}})
    if (const std::string expected = entry_of(part, option); attn::name_of(stored->info.dtype) != expected)
      throw attn::Error(attn::ErrorKind::data, input->text,
                        "is " + std::string(attn::name_of(stored->info.dtype)) + ", and " + part.label +
                            " was computed with " + expected,
                        "give the files of the run");
  const auto keys_in = [&p](const attn::TensorInfo& x) {
    return x.shape[attn::length_axis(x.shape.size(), p.layout, p.heads)];
  };
  if (keys_in(database.key.info) != keys_in(database.value.info))
    throw attn::shape_error(o.value.text, database.value.info.shape,
                            "as many rows as " + o.key.text + ' ' + attn::to_string(database.key.info.shape));
  constexpr std::size_t leaves_at_once = 64;
  database.block_keys = leaves_at_once * attn::leaf_keys;
  return attn::contents_of(database, p, dtype, session.execution());
}

void refuse_database(const Options& o, const Part& part) {
  throw attn::Error(attn::ErrorKind::data, part.label,
                    "was computed with other keys or values than " + o.key.text + " and " + o.value.text,
                    "delete it and run its shard again");
}

}  // namespace tmerge
