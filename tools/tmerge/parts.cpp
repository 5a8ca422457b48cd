#include "tmerge/parts.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace tmerge {

using attn::Error;
using attn::ErrorKind;

namespace {

struct Gap {
  std::size_t first, end;
};

std::vector<Gap> gaps_of(const std::vector<Piece>& pieces, std::size_t first, std::size_t end) {
  std::vector<Gap> gaps;
  for (const Piece& piece : pieces) {
    if (piece.first > first) gaps.push_back({first, piece.first});
    first = std::max(first, piece.end);
  }
  if (first < end) gaps.push_back({first, end});
  return gaps;
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

/// The smallest number of shards that fill the gap and nothing else, each of one of these divisions; none: there are
/// no such shards.
std::vector<cli::Shard> filling(const Gap& gap, const std::set<std::size_t>& divisions, std::size_t units) {
  struct Way {
    std::size_t shards;
    cli::Shard last;
    std::size_t from;
  };
  std::map<std::size_t, Way> ways{{gap.first, {0, {}, gap.first}}};  // the shortest to each unit
  for (auto at = ways.begin(); at != ways.end(); ++at)
    for (const std::size_t division : divisions) {
      const cli::Shard shard = shard_at(at->first, division, units);
      const std::size_t end = shard.end_of(units);
      if (shard.first_of(units) != at->first || end > gap.end || end == at->first) continue;
      const auto [way, is_new] = ways.insert({end, {at->second.shards + 1, shard, at->first}});
      if (!is_new && way->second.shards > at->second.shards + 1)
        way->second = {at->second.shards + 1, shard, at->first};
    }
  std::vector<cli::Shard> shards;
  if (ways.count(gap.end) == 0) return shards;
  for (std::size_t unit = gap.end; unit != gap.first; unit = ways.at(unit).from) shards.push_back(ways.at(unit).last);
  std::reverse(shards.begin(), shards.end());
  return shards;
}

/// The shards to run for the gaps: of the divisions of the parts, else one for each unit.
std::vector<cli::Shard> missing_shards(const std::vector<Gap>& gaps, const std::vector<Part>& parts,
                                       const Whole& whole) {
  std::set<std::size_t> divisions;
  for (const Part& part : parts) divisions.insert(part.header.shards);
  std::vector<cli::Shard> all;
  for (const Gap& gap : gaps) {
    std::vector<cli::Shard> shards = filling(gap, divisions, whole.units());
    if (shards.empty()) shards = filling(gap, {whole.units()}, whole.units());
    all.insert(all.end(), shards.begin(), shards.end());
  }
  return all;
}

}  // namespace

std::string Whole::range(std::size_t first, std::size_t end) const {
  return std::string(things) + ' ' + std::to_string(first * unit) + " to " +
         std::to_string(std::min(end * unit, all) - 1);
}

void expect_emits(const Options& o, const std::vector<std::string>& known) {
  for (const std::string& name : o.output.emit)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(ErrorKind::usage, "--emit", name + " does not follow from these parts", "leave it out");
}

void refuse(const Part& part, const Part& first, const std::string& what, const std::string& here,
            const std::string& there, const std::string& fix) {
  throw Error(ErrorKind::data, part.label, what + " is " + here + ", and in " + first.label + " " + there, fix);
}

constexpr const char* several_sets = "several instruction sets";

std::string instruction_set_of(const std::vector<Part>& parts) {
  for (const Part& part : parts)
    if (part.header.instruction_set != parts.front().header.instruction_set) return several_sets;
  return parts.front().header.instruction_set;
}

void expect_same(const Part& part, const Part& first, const Options& o, cli::Report& report) {
  const cli::PartHeader &x = first.header, &y = part.header;
  if (x.version != y.version) refuse(part, first, "the version", y.version, x.version);
  for (std::size_t at = 0; at < std::max(x.entries.size(), y.entries.size()); ++at) {
    const auto none = std::pair<std::string, std::string>{"", "none"};
    const auto& a = at < x.entries.size() ? x.entries[at] : none;
    const auto& b = at < y.entries.size() ? y.entries[at] : none;
    if (a.first != b.first) refuse(part, first, "an option", b.first + '=' + b.second, a.first + '=' + a.second);
    if (a != b) refuse(part, first, b.first, b.second, a.second);
  }
  if (x.instruction_set == y.instruction_set && y.instruction_set != several_sets) return;
  const std::string sets =
      "was computed with " + y.instruction_set + ", and " + first.label + " with " + x.instruction_set;
  if (!o.mixed && !o.list_missing)
    throw Error(ErrorKind::data, part.label, sets + ": the bits would be those of no single run",
                "run all jobs with ATTN_ISA set to one of them, or give --mixed");
  report.note(part.label + ": " + sets + ": the bits are those of no single run");
}

std::vector<Piece> in_order(std::vector<Piece> pieces, const std::vector<Part>& parts, const Whole& whole) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
  for (std::size_t at = 1; at < pieces.size(); ++at) {
    const Piece &before = pieces[at - 1], &piece = pieces[at];
    if (piece.first < before.end)
      throw Error(ErrorKind::data, parts[piece.part].label,
                  "has " + whole.range(piece.first, std::min(piece.end, before.end)) + ", and so has " +
                      parts[before.part].label,
                  "leave one of them out");
  }
  return pieces;
}

void list_missing(const std::vector<Piece>& pieces, const std::vector<Part>& parts, const Whole& whole,
                  cli::Results& results) {
  results.end_dry_run();
  for (const cli::Shard& shard : missing_shards(gaps_of(pieces, 0, whole.units()), parts, whole))
    results.print(shard.text());
}

void expect_none_missing(const std::vector<Piece>& pieces, const std::vector<Part>& parts, const Whole& whole,
                         std::size_t first, std::size_t end) {
  const std::vector<Gap> gaps = gaps_of(pieces, first, end);
  if (gaps.empty()) return;
  const std::vector<cli::Shard> shards = missing_shards(gaps, parts, whole);
  throw Error(
      ErrorKind::data, "parts", whole.range(gaps.front().first, gaps.front().end) + " are missing",
      "run shard " + shards.front().text() + (shards.size() > 1 ? "; tmerge --list-missing PART... names all" : ""));
}

}  // namespace tmerge
