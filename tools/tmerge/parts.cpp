#include "tmerge/parts.hpp"

#include "cli/numbers.hpp"
#include "cli/options/attention.hpp"

#include <attn/attention/attend.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace tmerge {

using attn::Error;
using attn::ErrorKind;

namespace {

constexpr const char* several_sets = "several instruction sets";

/// Throws Error(data) that names the file of `part` and the difference.
[[noreturn]] void refuse(const cli::PartFile& part, const cli::PartFile& first, const std::string& what,
                         const std::string& here, const std::string& there,
                         const std::string& fix = "merge parts of one run") {
  throw Error(ErrorKind::data, part.label(), what + " is " + here + ", and in " + first.label() + " " + there, fix);
}

std::string text_of(const attn::TensorView& x) {
  if (x.dtype == attn::DType::string) return attn::listed(attn::elements_of<std::string>(x));
  std::string text = attn::listed(attn::elements_of<double>(attn::cast(x, attn::DType::f64)), ", ", cli::to_text);
  return x.rank() == 0 ? text : '(' + text + ')';
}

std::string text_of(const attn::TensorInfo& info) {
  return attn::to_string(info.shape) + ' ' + std::string(attn::name_of(info.dtype));
}

/// The first shard of so many that ends after a unit.
cli::Shard shard_at(std::size_t unit, std::size_t shards, std::size_t units) {
  std::size_t before = 0, index = shards;  // shard `before` ends at the unit or earlier, shard `index` after it
  while (index - before > 1) {
    const std::size_t middle = before + (index - before) / 2;
    (cli::Shard{middle, shards}.end_of(units) > unit ? index : before) = middle;
  }
  return {index, shards};
}

/// The shards of one division that fill the gap and nothing else; none: there are no such shards.
std::vector<cli::Shard> filling(std::size_t first, std::size_t end, std::size_t division, std::size_t units) {
  std::vector<cli::Shard> shards;
  for (std::size_t at = first; at < end; at = shards.back().end_of(units)) {
    shards.push_back(shard_at(at, division, units));
    if (shards.back().first_of(units) != at || shards.back().end_of(units) > end) return {};
  }
  return shards;
}

std::string entry_of(const cli::PartFile& part, const std::string& name) {
  if (const std::string* value = part.head().record.find(name)) return *value;
  throw attn::Error(attn::ErrorKind::data, part.label(), "has no " + name + " among its options",
                    "-k and -v are for parts of attend");
}

std::vector<attn::Digest> contents_of_files(const Options& o, const cli::PartFile& part, cli::Session& session) {
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
                        "is " + std::string(attn::name_of(stored->info.dtype)) + ", and " + part.label() +
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

}  // namespace

attn::Source& Files::open(std::size_t file) {
  // Fewer than the 1024 that a process may have by default.
  constexpr std::size_t most_open = 256;
  const auto known = open_.find(file);
  if (known != open_.end()) return *known->second;
  if (open_.size() == most_open) open_.clear();
  const attn::io::Operand& operand = session_.inputs.parse(names_[file]);
  if (operand.literal || operand.is_part() || operand.is_standard_stream())
    throw Error(ErrorKind::usage, names_[file], "is no file of a part", "give FILE");
  if (attn::io::has_no_file(operand))
    throw Error(ErrorKind::input, operand.source, "does not exist", attn::io::operand_hint(operand.text));
  return *(open_[file] = attn::io::open_source(operand.source));
}

Parts::Parts(std::vector<std::string> names, const Options& o, cli::Session& session)
    : sources_(std::make_shared<Files>(std::move(names), session)) {
  for (std::size_t at = 0; at < sources_->size(); ++at) {
    files_.emplace_back(sources_->open(at));
    const cli::PartHead& head = files_.back().head();
    expect_same(files_.back(), o, session.report);
    for (std::size_t node = 0; node < head.nodes.size(); ++node)
      pieces_.push_back({at, node, head.nodes[node].first_leaf(), std::min(head.nodes[node].end_leaf(), head.units())});
    if (head.nodes.empty() && head.first < head.end) pieces_.push_back({at, 0, head.first, head.end});
  }
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
  for (const cli::PartFile& file : files_)
    if (file.head().first < file.head().end) expect_tensors(file);
  for (std::size_t at = 1; at < pieces_.size(); ++at) {
    const Piece &before = pieces_[at - 1], &piece = pieces_[at];
    if (piece.first < before.end)
      throw Error(
          ErrorKind::data, files_[piece.part].label(),
          "has " + range(piece.first, std::min(piece.end, before.end)) + ", and so has " + files_[before.part].label(),
          "leave one of them out");
  }
}

void Parts::expect_same(const cli::PartFile& part, const Options& o, cli::Report& report) const {
  const cli::PartFile& first = files_.front();
  const cli::PartHead &a = first.head(), &b = part.head();
  const cli::RunRecord &x = a.record, &y = b.record;
  if (x.version != y.version) refuse(part, first, "the version", y.version, x.version);
  if (a.kind != b.kind)
    refuse(part, first, "the kind of the part", cli::word_of(cli::part_kinds(), b.kind),
           cli::word_of(cli::part_kinds(), a.kind));
  for (std::size_t at = 0; at < std::max(x.entries.size(), y.entries.size()); ++at) {
    const auto none = std::pair<std::string, std::string>{"", "none"};
    const auto& p = at < x.entries.size() ? x.entries[at] : none;
    const auto& q = at < y.entries.size() ? y.entries[at] : none;
    if (p.first != q.first) refuse(part, first, "an option", q.first + '=' + q.second, p.first + '=' + p.second);
    if (p != q) refuse(part, first, q.first, q.second, p.second);
  }
  if (a.all != b.all)
    refuse(
        part, first, "the number of " + b.things, std::to_string(b.all), std::to_string(a.all),
        b.things == "rows" ? "merge parts of one run" : "give all jobs all " + b.things + ", which --shard I/N cuts");
  for (const auto& [name, value] : b.more) {
    const auto there = a.more.find(name);
    std::string what = "the " + name;
    std::replace(what.begin(), what.end(), '_', ' ');
    const std::string here = text_of(value), before = there == a.more.end() ? "none" : text_of(there->second);
    if (here != before) refuse(part, first, what, here, before);
  }
  if (x.instruction_set == y.instruction_set && y.instruction_set != several_sets) return;
  const std::string sets =
      "was computed with " + y.instruction_set + ", and " + first.label() + " with " + x.instruction_set;
  if (!o.mixed && !o.list_missing)
    throw Error(ErrorKind::data, part.label(), sets + ": the bits would be those of no single run",
                "run all jobs with ATTN_ISA set to one of them, or give --mixed");
  report.note(part.label() + ": " + sets + ": the bits are those of no single run");
}

/// Throws Error(data) if a part has other tensors, or other extents, but for those of nodes and units.
void Parts::expect_tensors(const cli::PartFile& part) const {
  const auto names_of = [](const cli::PartFile& file) {
    return attn::listed(file.tensors(), ", ", [](const auto& tensor) { return tensor.info.name; });
  };
  const cli::PartFile& first = *std::find_if(
      files_.begin(), files_.end(), [](const cli::PartFile& file) { return file.head().first < file.head().end; });
  if (names_of(part) != names_of(first)) refuse(part, first, "the list of results", names_of(part), names_of(first));
  for (std::size_t at = 0; at < part.tensors().size(); ++at) {
    const auto &here = part.tensors()[at], &there = first.tensors()[at];
    attn::TensorInfo expected = there.info;
    attn::Shape& shape = expected.shape;
    if (there.has_nodes) shape.at(0) = part.head().nodes.size();
    if (there.axis && *there.axis < shape.size()) shape[*there.axis] = part.head().end - part.head().first;
    if (here.info.shape != shape || here.info.dtype != expected.dtype || here.axis != there.axis ||
        (here.axis && *here.axis >= shape.size()))
      throw Error(ErrorKind::data, part.label() + ":/" + here.info.name,
                  "is " + text_of(here.info) + ", expected " + text_of(expected) + " as in " + first.label(),
                  "merge parts of one run");
  }
}

std::vector<Parts::Gap> Parts::gaps(std::size_t first, std::size_t end) const {
  std::vector<Gap> gaps;
  for (const Piece& piece : pieces_) {
    if (piece.first > first) gaps.push_back({first, piece.first});
    first = std::max(first, piece.end);
  }
  if (first < end) gaps.push_back({first, end});
  return gaps;
}

/// The shards to run for the gaps: of one of the divisions of the parts, else one for each unit.
std::vector<cli::Shard> Parts::shards_of(const std::vector<Gap>& gaps) const {
  std::set<std::size_t> divisions;
  for (const cli::PartFile& file : files_) divisions.insert(file.head().shards);
  std::vector<cli::Shard> all;
  const std::size_t units = head().units();
  for (const Gap& gap : gaps) {
    std::vector<cli::Shard> shards;
    for (auto each = divisions.begin(); shards.empty() && each != divisions.end(); ++each)
      shards = filling(gap.first, gap.end, *each, units);
    if (shards.empty()) shards = filling(gap.first, gap.end, units, units);
    all.insert(all.end(), shards.begin(), shards.end());
  }
  return all;
}

/// "keys 4096 to 8191".
std::string Parts::range(std::size_t first, std::size_t end) const {
  return head().things + ' ' + std::to_string(first * head().unit) + " to " +
         std::to_string(std::min(end * head().unit, head().all) - 1);
}

void Parts::expect_none_missing(std::size_t first, std::size_t end) const {
  const std::vector<Gap> missing = gaps(first, end);
  if (missing.empty()) return;
  const std::vector<cli::Shard> shards = shards_of(missing);
  throw Error(
      ErrorKind::data, "parts", range(missing.front().first, missing.front().end) + " are missing",
      "run shard " + shards.front().text() + (shards.size() > 1 ? "; tmerge --list-missing PART... names all" : ""));
}

void Parts::expect_database(const Options& o, cli::Session& session) const {
  const std::vector<attn::Digest> contents = contents_of_files(o, files_.front(), session);
  const auto content_of = [&](std::size_t first, std::size_t end) {
    attn::Digest content;
    for (std::size_t leaf = first; leaf < std::min(end, contents.size()); ++leaf) content ^= contents[leaf];
    return content;
  };
  const auto refuse_other = [&](const cli::PartFile& part) {
    throw Error(ErrorKind::data, part.label(),
                "was computed with other keys or values than " + o.key.text + " and " + o.value.text,
                "delete it and run its shard again");
  };
  if (head().kind == cli::PartKind::rows) {
    for (const cli::PartFile& file : files_)
      if (entry_of(file, cli::database_entry) != content_of(0, contents.size()).hex()) refuse_other(file);
    return;
  }
  for (const Piece& piece : pieces_) {
    const cli::PartFile& file = files_[piece.part];
    const attn::TensorView content = file.read(open(piece.part), "part/content", piece.node);
    if (attn::digests_of(content).front() != content_of(piece.first, piece.end)) refuse_other(file);
  }
}

cli::PartHead Parts::joined_head() const {
  cli::PartHead joined = head();
  if (!pieces_.empty()) {
    joined.first = pieces_.front().first;
    joined.end = pieces_.back().end;
  }
  joined.nodes.clear();
  for (const cli::PartFile& file : files_)
    if (file.head().record.instruction_set != joined.record.instruction_set)
      joined.record.instruction_set = several_sets;
  return joined;
}

}  // namespace tmerge
