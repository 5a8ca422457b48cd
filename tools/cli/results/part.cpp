#include "cli/results/part.hpp"

#include "cli/batches.hpp"
#include "cli/results.hpp"

#include <attn/core/error.hpp>
#include <attn/core/hash.hpp>
#include <attn/core/values.hpp>

namespace cli {

using attn::Error;
using attn::ErrorKind;

namespace {

constexpr const char* checksum = "checksum";

/// The hash of all attributes but the checksum itself.
std::string checksum_of(const attn::Attributes& attributes) {
  attn::Hash hash;
  for (const auto& [name, value] : attributes) {
    if (name == checksum) continue;
    for (const std::string_view text : {std::string_view(name), attn::name_of(value.dtype)}) hash.add(text);
    hash.add(value);
  }
  return hash.value().hex();
}

}  // namespace

attn::TensorView number_of(std::size_t value) { return attn::scalar_of(static_cast<std::uint64_t>(value)); }

std::string hash_of(const attn::TensorView& x) {
  attn::Hash hash;
  hash.add(x);
  return attn::to_string(x.shape) + ' ' + std::string(attn::name_of(x.dtype)) + ' ' + hash.value().hex();
}

void expect_part_file(const Output& output, const char* option, Session& session) {
  if (!writes_hdf5(output))
    throw Error(ErrorKind::usage, option, "writes an HDF5 file, which keeps the options of the part",
                "as in -o part-1.h5");
  if (output.options.append)
    throw Error(ErrorKind::usage, "--append", "does not go with " + std::string(option) + ": a part is a file",
                "leave it out");
  if (session.batches.has_next())
    throw Error(ErrorKind::usage, option, "makes parts of one batch, and another one follows in the input",
                "give one file to each run");
}

void expect_state_file(const Output& output, const char* option, Session& session) {
  expect_part_file(output, option, session);
  if (session.dtype() && *session.dtype() != attn::DType::f64)
    throw Error(ErrorKind::usage, "--dtype", "does not apply to a state, which is f64", "give it to tmerge");
}

attn::Attributes part_attributes(const std::string& format, const PartHeader& header, attn::Attributes others) {
  others["format"] = attn::scalar_of(format);
  others["version"] = attn::scalar_of(header.version);
  others["instruction_set"] = attn::scalar_of(header.instruction_set);
  others["record"] = attn::scalar_of(header.text());
  others["shards"] = number_of(header.shards);
  others[checksum] = attn::scalar_of(checksum_of(others));
  return others;
}

PartAttributes::PartAttributes(const attn::Source& source, const std::string& group, const std::string& format,
                               const std::string& what)
    : label_(source.label()), group_(group) {
  if (source.has_group(group)) attributes_ = source.attributes(group);
  if (attn::texts_of(attributes_, "format") != std::vector<std::string>{format}) refuse("is no " + what);
  if (text(checksum) != checksum_of(attributes_))
    refuse("is damaged: the attributes of its group " + group +
           " are not what was written; delete it and run its shard again");
}

PartHeader PartAttributes::header() const {
  PartHeader header;
  header.version = text("version");
  header.instruction_set = text("instruction_set");
  header.shards = number("shards");
  header.entries = entries_of(text("record"));
  return header;
}

std::string PartAttributes::text(const char* name) const {
  const std::vector<std::string> texts = attn::texts_of(attributes_, name);
  if (texts.size() != 1) refuse(std::string("has no text ") + name + " among the attributes of its part");
  return texts.front();
}

attn::Shape PartAttributes::numbers(const char* name) const {
  const auto found = attributes_.find(name);
  if (found == attributes_.end() || !attn::is_integer(found->second.dtype))
    refuse(std::string("has no numbers ") + name + " among the attributes of its part");
  attn::Shape all;
  for (const std::int64_t number : attn::to_integers(found->second)) all.push_back(static_cast<std::size_t>(number));
  return all;
}

std::size_t PartAttributes::number(const char* name) const {
  const attn::Shape all = numbers(name);
  if (all.size() != 1) refuse(std::string("has several numbers ") + name + " among the attributes of its part");
  return all.front();
}

std::vector<attn::TreeNode> PartAttributes::places(attn::Source& source, std::size_t leaves) const {
  const std::vector<std::int64_t> levels = attn::to_integers(source.read(group_ + "/level")),
                                  indices = attn::to_integers(source.read(group_ + "/index"));
  std::vector<attn::TreeNode> places;
  for (std::size_t at = 0; at < levels.size(); ++at) {
    const bool is_place = indices.size() == levels.size() && levels[at] >= 0 && levels[at] < 48 && indices[at] >= 0 &&
                          indices[at] <= (std::int64_t{1} << 48);
    const attn::TreeNode place =
        is_place ? attn::TreeNode{static_cast<std::size_t>(levels[at]), static_cast<std::size_t>(indices[at])}
                 : attn::TreeNode{};
    if (!is_place || place.first_leaf() >= leaves || (at > 0 && place.first_leaf() != places.back().end_leaf()))
      refuse("is damaged: the nodes of its " + group_ + " do not follow each other");
    places.push_back(place);
  }
  return places;
}

void PartAttributes::refuse(const std::string& detail) const { throw Error(ErrorKind::data, label_, detail); }

}  // namespace cli
