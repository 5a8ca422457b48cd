#include <attn/text/chat/texts.hpp>

#include <attn/core/characters.hpp>
#include <attn/text/unicode.hpp>

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

namespace attn::text::chat {

Value Arguments::get(std::size_t at, const std::string& name) const {
  if (at < listed.size()) return listed[at];
  const auto found = named.find(name);
  return found == named.end() ? undefined() : found->second;
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* one) { return name == one; });
}

std::int64_t whole_or(const Value& value, std::int64_t otherwise) {
  return value.is_number_integer() ? value.get<std::int64_t>() : otherwise;
}

std::string stripped(const std::string& text, const Value& set, Side side) {
  const std::vector<std::size_t> at = boundaries_of(text);
  std::set<std::string_view> listed;
  const std::string characters = set.is_string() ? set.get<std::string>() : "";
  const std::vector<std::size_t> of_set = boundaries_of(characters);
  for (std::size_t i = 0; i + 1 < of_set.size(); ++i)
    listed.insert(std::string_view(characters).substr(of_set[i], of_set[i + 1] - of_set[i]));
  const auto goes = [&](std::size_t i) {
    if (set.is_string()) return listed.count(std::string_view(text).substr(at[i], at[i + 1] - at[i])) > 0;
    const char32_t c = text::code_point_at(text, at[i]).value;
    return text::is_whitespace(c) || (c >= 0x1C && c <= 0x1F);  // as Python's isspace
  };
  std::size_t first = 0, last = at.size() - 1;
  while (side != Side::right && first < last && goes(first)) ++first;
  while (side != Side::left && last > first && goes(last - 1)) --last;
  return text.substr(at[first], at[last] - at[first]);
}

std::string in_case(const std::string& text, Case how) {
  std::string result;
  bool begins = true;
  for (std::size_t i = 0; i < text.size();) {
    const text::CodePoint point = text::code_point_at(text, i);
    const auto c = static_cast<utf8proc_int32_t>(point.value);
    const bool is_cased = utf8proc_toupper(c) != c || utf8proc_tolower(c) != c;
    const bool is_first = begins && (how == Case::capital || how == Case::title || how == Case::title_of_words);
    const bool up = how == Case::upper || is_first || (how == Case::swapped && utf8proc_tolower(c) == c);
    if (how == Case::title) begins = !is_cased;
    if (how == Case::title_of_words) begins = std::string_view("-({[< \t\n\r\v\f").find(text[i]) != std::string::npos;
    if (how == Case::capital) begins = false;
    i += point.length;
    if (up && point.value == U'\u00df') {
      result += is_first && how != Case::title_of_words ? "Ss" : "SS";
    } else if (up) {
      const bool by_title = is_first && how != Case::title_of_words;
      text::append_utf8(result, static_cast<char32_t>(by_title ? utf8proc_totitle(c) : utf8proc_toupper(c)));
    } else {
      std::u32string lower;
      text::append_lowercase(lower, point.value);
      for (const char32_t one : lower) text::append_utf8(result, one);
    }
  }
  return result;
}

Value replaced(const std::string& text, const Value& old, const Value& by, const Value& count) {
  const std::string from = text_of(old), to = text_of(by);
  std::int64_t left = whole_or(count, -1);
  std::string result;
  for (std::size_t at = 0;; --left) {
    std::size_t found = left == 0 ? std::string::npos : find_text(text, from, at);
    if (from.empty() && found != std::string::npos) {  // before each character and at the end
      result += to;
      found = at < text.size() ? at + text::code_point_at(text, at).length : std::string::npos;
      result.append(text, at, found - at);
      if (found == std::string::npos) return result;
      at = found;
      expect_bytes(result.size() + to.size());
      continue;
    }
    result.append(text, at, found - at);
    if (found == std::string::npos) return result;
    expect_bytes(result.size() + to.size());
    result += to;
    at = found + from.size();
  }
}

std::vector<Value> split(const std::string& text, const Value& separator, const Value& most) {
  std::vector<Value> parts;
  const bool by_white = !separator.is_string();
  const std::string by = by_white ? "" : separator.get<std::string>();
  if (by.empty() && !by_white) refuse("splits at an empty text");
  std::size_t left =
      most.is_number_integer() && most.get<std::int64_t>() >= 0 ? most.get<std::size_t>() : text.size() + 1;
  constexpr const char* white = " \t\n\r\v\f";
  for (std::size_t at = 0;;) {
    if (by_white) at = std::min(text.find_first_not_of(white, at), text.size());
    if (by_white && at == text.size()) return parts;
    const std::size_t end = left-- == 0 ? std::string::npos
                            : by_white  ? text.find_first_of(white, at)
                                        : find_text(text, by, at);
    expect_bytes(2 * bytes_of_value * parts.size());
    parts.emplace_back(text.substr(at, end - at));
    if (end == std::string::npos) return parts;
    at = end + by.size();
  }
}

std::string joined(const Value& value, const std::string& separator, const Value& attribute) {
  std::string all;
  bool is_first = true;
  for (const Value& element : elements_of(value)) {
    if (!std::exchange(is_first, false)) all += separator;
    all += text_of(attribute.is_discarded() ? element : path_of(element, attribute));
    expect_bytes(all.size() + separator.size());
  }
  return all;
}

Value path_of(const Value& value, const Value& path, const Value& otherwise) {
  std::vector<Value> names{path};
  if (path.is_string()) names = split(text_in(path), Value("."), Value());
  Value at = value;
  for (Value& name : names) {
    if (name.is_string() && !text_in(name).empty() &&
        text_in(name).find_first_not_of("0123456789") == std::string::npos)
      name = std::strtoll(text_in(name).c_str(), nullptr, 10);
    at = item_of(at, name);
    if (at.is_discarded() && !otherwise.is_discarded() && !otherwise.is_null()) at = otherwise;
  }
  return at;
}

bool all_are(const std::string& name, const std::string& text) {
  bool has_cased = false;
  for (std::size_t i = 0; i < text.size();) {
    const text::CodePoint point = text::code_point_at(text, i);
    i += point.length;
    const auto c = static_cast<utf8proc_int32_t>(point.value);
    const utf8proc_category_t category = utf8proc_category(c);
    const bool is_letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
    const bool is_digit = category == UTF8PROC_CATEGORY_ND, is_number = text::is_numeric(point.value);
    const bool is_upper = utf8proc_tolower(c) != c, is_lower = utf8proc_toupper(c) != c;
    has_cased = has_cased || is_upper || is_lower;
    if (name == "isalpha"     ? !is_letter
        : name == "isalnum"   ? !is_letter && !is_number
        : name == "isdecimal" ? !is_digit
        : name == "isdigit"   ? !is_digit && category != UTF8PROC_CATEGORY_NO
        : name == "isnumeric" ? !is_number
        : name == "isspace"   ? !text::is_whitespace(point.value)
        : name == "isupper"   ? is_lower
        : name == "islower"   ? is_upper
                              : !is_ascii(text))
      return false;
  }
  return !text.empty() && (has_cased || (name != "isupper" && name != "islower"));
}

namespace {

/// The same from the end.
Value split_from_end(const std::string& text, const Value& separator, const Value& most) {
  const bool by_white = !separator.is_string();
  const std::string by = by_white ? "" : separator.get<std::string>();
  if (by.empty() && !by_white) refuse("splits at an empty text");
  constexpr const char* white = " \t\n\r\v\f";
  std::int64_t left = whole_or(most, -1);
  std::vector<Value> parts;
  std::size_t end = text.size();
  for (;;) {
    if (by_white) end = text.find_last_not_of(white, end - 1) + 1;
    if (by_white && end == 0) break;
    const std::size_t found = left == 0 || (!by_white && end < by.size()) ? std::string::npos
                              : by_white                                  ? text.find_last_of(white, end - 1)
                                                                          : text.rfind(by, end - by.size());
    const std::size_t first = found == std::string::npos ? 0 : found + (by_white ? 1 : by.size());
    expect_bytes(2 * bytes_of_value * parts.size());
    parts.emplace_back(text.substr(first, end - first));
    if (found == std::string::npos) break;
    end = found;
    if (by_white && end == 0) break;
    --left;
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

/// The bytes of the line end that begins here, as Python has them; 0: none.
std::size_t line_end_at(const std::string& text, std::size_t at) {
  for (const char* end : {"\r\n", "\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\u0085", "\u2028", "\u2029"})
    if (const std::size_t size = std::strlen(end); text.compare(at, size, end) == 0) return size;
  return 0;
}

Value lines_of(const std::string& text, bool keeps_ends) {
  Value lines = Value::array();
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = line_end_at(text, at);
    at += std::max<std::size_t>(end, 1);
    if (end == 0) continue;
    lines.push_back(text.substr(begin, at - begin - (keeps_ends ? 0 : end)));
    begin = at;
  }
  if (begin < text.size()) lines.push_back(text.substr(begin));
  return lines;
}

/// What is before a separator, the separator, and what is after it.
Value parted(const std::string& text, const std::string& separator, bool at_last) {
  if (separator.empty()) refuse("splits at an empty text");
  const std::size_t at = at_last ? text.rfind(separator) : find_text(text, separator);
  if (at == std::string::npos) return at_last ? tuple_of({"", "", text}) : tuple_of({text, "", ""});
  return tuple_of({text.substr(0, at), separator, text.substr(at + separator.size())});
}

/// A replacement field of Python's str.format: {name!r:>8.2f}.
std::string field_formatted(const std::string& field, std::size_t& next, const Arguments& arguments) {
  const std::size_t colon = std::min(field.find(':'), field.size());
  std::string name = field.substr(0, std::min(field.find('!'), colon));
  const char conversion = name.size() < colon ? field[name.size() + 1] : 's';
  const std::size_t end = std::min(name.find_first_of(".["), name.size());
  const std::string own = name.substr(0, end);
  const bool is_numbered = own.find_first_not_of("0123456789") == std::string::npos;
  Value value = !is_numbered ? arguments.get(SIZE_MAX, own)
                             : arguments.get(own.empty() ? next++ : std::strtoull(own.c_str(), nullptr, 10), "");
  if (value.is_discarded()) refuse("formats without a value for {" + field + "}");
  for (std::size_t at = end; at < name.size();) {
    const bool is_item = name[at] == '[';
    const std::size_t stop = std::min(is_item ? name.find(']', at) : name.find_first_of(".[", at + 1), name.size());
    value = path_of(value, name.substr(at + 1, stop - at - 1));
    at = stop + (is_item ? 1 : 0);
  }
  if (conversion == 'r') value = written(value);
  std::string spec = field.substr(std::min(colon + 1, field.size())), fill = " ", flags;
  char side = is_numeric(value) ? '>' : '<';
  const std::vector<std::size_t> starts = boundaries_of(spec);
  const auto is_side = [&](std::size_t i) {
    return i + 1 < starts.size() && std::string_view("<>^").find(spec[starts[i]]) != std::string::npos;
  };
  std::size_t at = 0;
  if (const bool has_fill = is_side(1); has_fill || is_side(0)) {
    if (has_fill) fill = spec.substr(0, starts[1]);
    at = starts[has_fill ? 1 : 0];
    side = spec[at++];
  }
  while (at < spec.size() && std::string_view("+- #0").find(spec[at]) != std::string::npos) flags += spec[at++];
  char* rest = nullptr;
  const std::int64_t width = std::strtoll(spec.c_str() + at, &rest, 10);
  std::int64_t digits = -1;
  if (*rest == '.') digits = std::strtoll(rest + 1, &rest, 10);
  const std::string kind = rest;
  if (kind.size() > 1 || (!kind.empty() && std::string_view("sdxXoeEfFgG").find(kind) == std::string_view::npos))
    refuse("formats by '" + spec + "', which is not known here");
  if (!is_numeric(value) || kind == "s" || spec.empty()) {
    const std::string text = text_of(value);
    const std::vector<std::size_t> of_text = boundaries_of(text);
    const std::size_t kept = digits < 0 ? text.size() : of_text[std::min<std::size_t>(digits, of_text.size() - 1)];
    return padded(text.substr(0, kept), width, side, fill);
  }
  const bool has_zeros = flags.find('0') != std::string::npos;
  const bool as_written = kind.empty() && digits < 0 && value.is_number_float();
  const std::string number = as_written ? text_of(value)
                                        : number_formatted(flags, has_zeros ? width : 0, digits,
                                                           !kind.empty()             ? kind[0]
                                                           : value.is_number_float() ? 'g'
                                                                                     : 'd',
                                                           value);
  return padded(number, width, side, fill);
}

std::string brace_formatted(const std::string& format, const Arguments& arguments) {
  std::string all;
  std::size_t next = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    const char c = format[i];
    const bool is_double = format.compare(i + 1, 1, std::string(1, c)) == 0;
    if (c == '}' && !is_double) refuse("formats with a '}' alone");
    if (c == '{' && !is_double) {
      const std::size_t end = format.find('}', i);
      if (end == std::string::npos) refuse("formats with a '{' alone");
      all += field_formatted(format.substr(i + 1, end - i - 1), next, arguments);
      i = end;
    } else {
      all += c;
      i += c == '{' || c == '}' ? 1 : 0;
    }
    expect_bytes(all.size());
  }
  return all;
}

/// startswith and endswith, of a text or of any in a tuple.
bool has_end(const std::string& name, const std::string& text, const Value& end) {
  if (end.is_array())
    return std::any_of(end.begin(), end.end(), [&](const Value& one) { return has_end(name, text, one); });
  const std::string& part = string_of(end, name.c_str());
  return name == "startswith" ? starts_with(text, part) : ends_with(text, part);
}

/// find, index, rfind and rindex, which count characters.
Value place_of(const std::string& name, const std::string& text, const std::string& part) {
  const std::size_t found = name.front() == 'r' ? text.rfind(part) : find_text(text, part);
  if (found != std::string::npos) return text::count_code_points(text.substr(0, found));
  if (ends_with(name, "index")) refuse("does not find " + written(part) + " in " + written(text));
  return -1;
}

std::int64_t count_in(const std::string& text, const std::string& part) {
  if (part.empty()) return static_cast<std::int64_t>(text::count_code_points(text)) + 1;
  std::int64_t count = 0;
  for (std::size_t at = find_text(text, part); at != std::string::npos; at = find_text(text, part, at + part.size()))
    ++count;
  return count;
}

}  // namespace

Value text_method(const std::string& name, const std::string& text, const Arguments& arguments) {
  const Value first = arguments.get(0, ""), second = arguments.get(1, "");
  if (name == "strip") return stripped(text, first, Side::both);
  if (name == "lstrip") return stripped(text, first, Side::left);
  if (name == "rstrip") return stripped(text, first, Side::right);
  if (name == "split") return split(text, arguments.get(0, "sep"), arguments.get(1, "maxsplit"));
  if (name == "rsplit") return split_from_end(text, arguments.get(0, "sep"), arguments.get(1, "maxsplit"));
  if (name == "splitlines") return lines_of(text, is_true(arguments.get(0, "keepends")));
  if (name == "partition" || name == "rpartition") return parted(text, string_of(first, name.c_str()), name[0] == 'r');
  if (name == "upper") return in_case(text, Case::upper);
  if (name == "lower" || name == "casefold") return in_case(text, Case::lower);
  if (name == "title") return in_case(text, Case::title);
  if (name == "capitalize") return in_case(text, Case::capital);
  if (name == "swapcase") return in_case(text, Case::swapped);
  if (name == "replace") {
    string_of(first, "replace");
    string_of(second, "replace");
    return replaced(text, first, second, arguments.get(2, "count"));
  }
  if ((name == "startswith" || name == "endswith") && second.is_discarded()) return has_end(name, text, first);
  if (name == "removeprefix" || name == "removesuffix") {
    const std::string& part = string_of(first, name.c_str());
    if (name == "removeprefix") return starts_with(text, part) ? text.substr(part.size()) : text;
    return ends_with(text, part) ? text.substr(0, text.size() - part.size()) : text;
  }
  if (name == "join") {
    for (const Value& element : elements_of(first)) string_of(element, "join");
    return joined(first, text);
  }
  if (is_one_of(name, {"find", "rfind", "index", "rindex"}) && second.is_discarded())
    return place_of(name, text, string_of(first, name.c_str()));
  if (name == "count" && second.is_discarded()) return count_in(text, string_of(first, "count"));
  if (name == "format") return brace_formatted(text, arguments);
  if (is_one_of(name, {"ljust", "rjust", "center"})) {
    const char side = name == "ljust" ? '<' : name == "rjust" ? '>' : '^';
    return padded(text, whole_or(first, 0), side, second.is_string() ? std::string(text_in(second)) : " ");
  }
  if (name == "zfill") {
    const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    return text.substr(0, sign) +
           padded(text.substr(sign), whole_or(first, 0) - static_cast<std::int64_t>(sign), '>', "0");
  }
  if (is_one_of(name, {"isalpha", "isalnum", "isdecimal", "isdigit", "isnumeric", "isspace", "isupper", "islower"}))
    return all_are(name, text);
  if (name == "isascii") return is_ascii(text);
  return undefined();
}

}  // namespace attn::text::chat
