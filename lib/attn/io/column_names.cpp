#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/numbers/numbers.hpp>
#include <attn/io/operand.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

namespace attn::io {
namespace {

template <class T>
std::string text_of(const T& name) {
  if constexpr (std::is_same_v<T, std::string>) {
    return name;
  } else {
    std::array<char, longest_number> text;
    return {text.data(), write_number(text.data(), name)};
  }
}

/// Is it a number after any slashes?
bool is_number_behind_slashes(std::string_view name) {
  return is_number(name.substr(std::min(name.find_first_not_of('/'), name.size())));
}

/// The columns that words of an operand may mean.
class ColumnSearch {
 public:
  ColumnSearch(const std::vector<std::string>& names, std::size_t count) : names_(names), count_(count) {
    has_forms_ = std::any_of(names.begin(), names.end(), [](const std::string& name) {
      return !is_ascii(name) || without_slashes(name).size() < name.size();
    });
  }

  /// The column of that name or number; none if there is none, or several.
  std::optional<std::size_t> one(std::string_view word) {
    auto column = only([word](std::string_view name) { return name == word; });
    // An operand has lost the slashes around its dataset.
    if (!column && !is_ambiguous && has_forms_)
      column = only([word](std::string_view name) { return is_same_name(without_slashes(name), word); });
    if (column || is_ambiguous) return column;
    std::uint64_t number = 0;
    const bool is_number = !word.empty() && word.find_first_not_of("0123456789") == word.npos &&
                           parse_number(word, number) && number < count_;
    return is_number ? std::optional<std::size_t>(number) : std::nullopt;
  }

  /// The first and the last column of a range; the end that is no column stays in `missing`.
  std::optional<std::pair<std::size_t, std::size_t>> range(std::string_view word) {
    std::optional<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t dash = word.find('-', 1); dash != word.npos; dash = word.find('-', dash + 1)) {
      const std::string_view first = trimmed(word.substr(0, dash)), last = trimmed(word.substr(dash + 1));
      const auto begin = one(first);
      if (!begin) continue;
      const auto end = last.empty() ? std::optional(count_ - 1) : one(last);
      if (!end) missing = last;
      is_ambiguous |= end && found;
      if (end) found = {*begin, *end};
    }
    if (!found || is_ambiguous) return std::nullopt;
    missing = {};
    return found;
  }

  std::vector<std::size_t> matches(std::string_view word) const {
    std::vector<std::size_t> columns;
    if (word.find_first_of("*?[") == word.npos) return columns;
    const std::string pattern = composed(word);
    for (std::size_t i = 0; i < count_; ++i)
      if (fnmatch(pattern.c_str(), names_.empty() ? std::to_string(i).c_str() : composed(names_[i]).c_str(), 0) == 0)
        columns.push_back(i);
    return columns;
  }

  std::string_view missing;
  bool is_ambiguous = false;

 private:
  template <class Is>
  std::optional<std::size_t> only(const Is& is) {
    const auto found = std::find_if(names_.begin(), names_.end(), is);
    if (found == names_.end()) return std::nullopt;
    is_ambiguous |= std::find_if(found + 1, names_.end(), is) != names_.end();
    return is_ambiguous ? std::nullopt : std::optional(static_cast<std::size_t>(found - names_.begin()));
  }

  const std::vector<std::string>& names_;
  std::size_t count_;
  bool has_forms_ = false;  ///< may a name be written otherwise?
};

}  // namespace

ChosenColumns choose_columns(const std::string& list, const std::vector<std::string>& names, std::size_t count) {
  ColumnSearch search(names, count);
  if (const auto column = search.one(list)) return {{*column}, "", false};
  ChosenColumns chosen;
  std::set<std::size_t> taken;
  const auto take = [&](std::size_t column) {  // what a range or a pattern has in common with others is meant once
    if (taken.insert(column).second) chosen.places.push_back(column);
  };
  for (std::size_t begin = 0, comma = 0; comma != list.npos && !search.is_ambiguous; begin = comma + 1) {
    comma = list.find(',', begin);
    const std::string_view word = trimmed(std::string_view(list).substr(begin, comma - begin));
    if (word.empty()) continue;
    if (const auto column = search.one(word)) {
      taken.insert(*column);
      chosen.places.push_back(*column);
    } else if (const auto range = search.is_ambiguous ? std::nullopt : search.range(word)) {
      const auto [first, last] = *range;
      for (std::size_t i = 0; i <= std::max(first, last) - std::min(first, last); ++i)
        take(first <= last ? first + i : first - i);
    } else if (const std::vector<std::size_t> matches = search.matches(word); !matches.empty()) {
      std::for_each(matches.begin(), matches.end(), take);
      search.missing = {};
    } else {
      chosen.missing = search.missing.empty() ? word : search.missing;
      break;
    }
  }
  chosen.is_ambiguous = search.is_ambiguous;
  if (chosen.places.empty() && chosen.missing.empty()) chosen.missing = list;
  return chosen;
}

Error no_column(const std::string& subject, const ChosenColumns& chosen, const std::string& list,
                const std::vector<std::string>& names, std::size_t count) {
  const std::string& word = chosen.missing;
  const std::string of = word == list ? "" : " (of " + shown_text(list) + ")";
  if (chosen.is_ambiguous)
    return {ErrorKind::input, subject, "has several columns " + shown_text(word) + of, "name it by its number, from 0"};
  const std::string numbers = "the numbers 0 to " + std::to_string(std::max<std::size_t>(count, 1) - 1);
  std::string fix = names.empty() ? "its columns have no names, and " + numbers : "it has " + listed_near(word, names);
  ColumnSearch search(names, count);
  for (const std::string_view sign : {":", "..", "-"}) {
    const std::size_t at = word.find(sign);
    const std::string first = at == word.npos ? "" : word.substr(0, at);
    if (at == word.npos || !(first.empty() || search.one(first))) continue;
    const std::string last = word.substr(at + sign.size());
    const bool is_end = search.one(last).has_value();
    if (first.empty() && !is_end) continue;
    fix = "a range of columns has both ends in it, as in " + (first.empty() ? "0" : first) + "-" +
          (is_end ? last : std::to_string(count - 1)) +
          (first.empty() ? "; the last column has the number " + std::to_string(count - 1) : "") + "; " + fix;
    break;
  }
  if (!names.empty() && word.find_first_not_of("0123456789") == word.npos)
    fix = "its columns have " + numbers + "; " + fix;
  return {ErrorKind::input, subject, "has no column " + shown_text(word) + of, fix};
}

std::vector<std::string> column_names(const Attributes& attributes, std::size_t count) {
  const auto found = attributes.find("columns");
  if (found == attributes.end() || found->second.rank() == 0) return {};
  const std::vector<std::string> names = visit_dtype(found->second.dtype, [&](auto sample) {
    std::vector<std::string> texts;
    for (const auto& name : elements_of<decltype(sample)>(found->second)) texts.push_back(text_of(name));
    return texts;
  });
  return names.size() == count ? names : std::vector<std::string>{};
}

std::vector<std::string> datasets_of_columns(const std::vector<std::string>& names, std::size_t count) {
  std::map<std::string, std::size_t> uses;
  std::set<std::string> groups;
  for (const std::string& name : names) {
    ++uses[name];
    for (std::size_t at = name.find('/'); at != name.npos; at = name.find('/', at + 1))
      groups.insert(name.substr(0, at));
  }
  const auto is_own = [&uses](const std::string& name) {
    bool is_path = uses[name] == 1;
    for (std::size_t begin = 0, end = 0; is_path && end != name.npos; begin = end + 1) {
      end = name.find('/', begin);
      const std::string part = name.substr(begin, end - begin), group = name.substr(0, end);
      is_path = !part.empty() && part != "." && (end == name.npos || uses.count(group) == 0);
    }
    return is_path;
  };
  std::vector<std::string> datasets;
  for (std::size_t column = 0; column < count; ++column) {
    std::string number = std::to_string(column);
    while (uses.count(number) > 0 || groups.count(number) > 0) number += '_';
    datasets.push_back(!names.empty() && is_own(names[column]) ? names[column] : number);
  }
  return datasets;
}

bool is_dataset_of_column(const std::string& dataset, const std::vector<std::string>& names) {
  if (names.size() != 1) return false;
  const std::size_t behind_number = std::min(dataset.find_first_not_of("0123456789"), dataset.size());
  const bool is_number = behind_number > 0 && dataset.find_first_not_of('_', behind_number) == dataset.npos;
  return is_number || names.front() == dataset;
}

std::string marked_name(const std::string& name) { return is_number_behind_slashes(name) ? '/' + name : name; }

std::string unmarked_name(const std::string& name) {
  return name.size() > 1 && name.front() == '/' && is_number_behind_slashes(name) ? name.substr(1) : name;
}

std::optional<std::vector<std::size_t>> places_of(const std::vector<std::string>& wanted,
                                                  const std::vector<std::string>& names) {
  std::vector<std::size_t> places(wanted.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (names == wanted) return places;
  constexpr std::size_t ambiguous = -1;
  std::map<std::string, std::size_t> place_of;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const auto [known, is_new] = place_of.emplace(composed(names[i]), i); !is_new) known->second = ambiguous;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = place_of.find(composed(wanted[i]));
    if (found == place_of.end() || found->second == ambiguous) return std::nullopt;
    places[i] = std::exchange(found->second, ambiguous);
  }
  return places;
}

bool are_counted(const std::vector<std::string>& names) {
  if (names.size() == 1) return true;
  const std::string stem = names.empty() ? "" : names.front().substr(0, names.front().size() - 1);
  for (const std::size_t first : {0, 1}) {
    std::size_t i = 0;
    while (i < names.size() && names[i] == stem + std::to_string(first + i)) ++i;
    if (i == names.size()) return true;
  }
  return false;
}

std::string missing_columns(const std::vector<std::string>& wanted, const std::vector<std::string>& names) {
  std::set<std::string> known;
  for (const std::string& name : names) known.insert(composed(name));
  std::vector<std::string> missing;
  for (const std::string& name : wanted)
    if (known.count(composed(name)) == 0) missing.push_back(name);
  const auto text = [&](std::size_t i) {
    return shown_text(missing[i]) + shown_difference(missing[i], nearest_word(missing[i], names));
  };
  return missing.empty() ? "" : (missing.size() == 1 ? "column " : "columns ") + listed_near("", missing, text);
}

std::string column_difference(const std::vector<std::string>& wanted, const std::vector<std::string>& names,
                              const std::string& other) {
  if (const std::string lacking = missing_columns(wanted, names); !lacking.empty())
    return "has no " + lacking + ", which " + other + " has";
  if (const std::string extra = missing_columns(names, wanted); !extra.empty())
    return (extra.rfind("columns", 0) == 0 ? "has " : "has a ") + extra + ", which " + other + " has not";
  return "has several columns of one name, in other places than " + other;
}

}  // namespace attn::io
