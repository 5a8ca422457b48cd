#include "cli/results/companions.hpp"

#include "cli/results/glob.hpp"
#include "cli/results/groups.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;

/// The origin of a name: one dataset may match several patterns, but two datasets of one name cannot share an output.
struct NameOrigin {
  const attn::Source* source;
  std::string name;  ///< empty: a part of a dataset, or no dataset
  std::string text;

  bool operator==(const NameOrigin& other) const {
    return source == other.source && name == other.name && !name.empty();
  }
};

const MainInput& kept_input(const Origins& origins) {
  if (!origins.main_input) throw Error(ErrorKind::usage, "--keep-input", "there is no input to keep", "leave it out");
  return *origins.main_input;
}

/// A dataset that --keep names.
struct Kept {
  attn::Source* source;
  attn::TensorInfo info;
};

/// The source to copy from.
attn::Source& carried(const SharedOptions& shared, attn::Source& source) {
  return shared.keeps_stored ? source.stored() : source;
}

/// All datasets to keep, in the order of the patterns, each once.
std::vector<Kept> chosen(const SharedOptions& shared, const std::set<std::string>& results,
                         const std::string& main_name, const std::string& output, const Origins& origins) {
  std::vector<Kept> all;
  std::map<std::string, NameOrigin> taken;
  if (shared.keep_input) {
    const MainInput& input = kept_input(origins);
    taken["x"] = {input.source, input.is_whole ? input.name : "", "the input that --keep-input writes"};
  }
  for (const std::string& pattern : shared.keep) {
    const auto clash = [&](const std::string& subject, const std::string& detail, const std::string& fix) {
      throw Error(ErrorKind::usage, "--keep " + pattern, subject + " " + detail, fix);
    };
    bool found = false;
    for (attn::Source* input : origins.sources) {
      attn::Source* const source = &carried(shared, *input);
      for (const attn::Unreadable& other : source->unreadable())
        if (matches_glob(pattern, other.name))
          throw Error(ErrorKind::data, source->label() + ":/" + other.name, other.reason, "leave it out of --keep");
      for (const attn::TensorInfo& info : source->tensors()) {
        if (!matches_glob(pattern, info.name)) continue;
        found = true;
        const NameOrigin place{input, info.name, source->label() + ":/" + info.name};
        if (results.count(info.name) > 0)
          clash(
              place.text, "has the name of the result " + info.name,
              info.name == main_name ? "rename the result, as in -o " + output + ":/other, or keep less" : "keep less");
        const auto [before, is_new] = taken.emplace(info.name, place);
        if (!is_new && !(before->second == place))
          clash(place.text, "and " + before->second.text + " have the same name",
                "keep less, or put them into one file first, with tconv --rename");
        if (is_new) all.push_back({source, info});
      }
    }
    if (!found) throw Error(ErrorKind::input, "--keep " + pattern, "no dataset of the inputs has such a name");
  }
  return all;
}

/// The attributes of the groups of kept datasets, then those of the sources.
GroupAttributes groups_of(const std::vector<Kept>& kept, const SharedOptions& shared, const Origins& origins,
                          const Note& note) {
  std::map<attn::Source*, std::set<std::string>> kept_of;
  for (const auto& [source, info] : kept) kept_of[source].insert(info.name);
  GroupAttributes all;
  for (attn::Source* input : origins.sources) {
    attn::Source* const source = &carried(shared, *input);
    const auto names = kept_of.find(source);
    if (names == kept_of.end()) continue;
    const auto is_kept = [&](const std::string& name) { return names->second.count(name) > 0; };
    std::vector<std::string> groups = selected_groups(*source, "", is_kept);
    groups.emplace_back();
    for (const std::string& group : groups) all[group].merge(attributes_of(*source, group, note));
  }
  return all;
}

}  // namespace

Companions companions(const SharedOptions& shared, const std::vector<Result>& results, const std::string& main_name,
                      const std::string& output, const Origins& origins, const Note& note) {
  Companions travelling;
  if (shared.keep_input) {
    const MainInput& input = kept_input(origins);
    travelling.results.push_back({"x", input.tensor, input.attributes, input.in_blocks});
  }
  std::set<std::string> names_of_results;
  for (const Result& result : results) names_of_results.insert(result.name);
  const std::vector<Kept> kept = chosen(shared, names_of_results, main_name, output, origins);
  std::map<attn::Source*, std::vector<attn::TensorInfo>> of_sources;
  for (const auto& [source, info] : kept) of_sources[source].push_back(info);
  for (const auto& [source, tensors] : of_sources) source->will_read(tensors);
  for (const auto& [source, info] : kept)
    travelling.results.push_back({info.name, source->read(info.name), attributes_of(*source, info.name, note)});
  travelling.groups = groups_of(kept, shared, origins, note);
  return travelling;
}

}  // namespace cli
