#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>

#include <algorithm>
#include <cstring>

namespace attn {

const TensorInfo* Source::find(const std::string& name) const {
  const std::vector<TensorInfo>& all = tensors();
  const auto is_before = [](const TensorInfo& info, const std::string& wanted) { return info.name < wanted; };
  // Most formats list tensors sorted by name, so a binary search finds it.
  auto found = std::lower_bound(all.begin(), all.end(), name, is_before);
  if (found == all.end() || found->name != name)
    found = std::find_if(all.begin(), all.end(), [&name](const TensorInfo& info) { return info.name == name; });
  if (found != all.end()) return &*found;
  const TensorInfo* same = nullptr;
  for (const TensorInfo& info : all) {
    if (!is_same_name(info.name, name)) continue;
    if (same != nullptr) return nullptr;
    same = &info;
  }
  return same;
}

bool Source::has_group(const std::string& name) const {
  return name.empty() || std::find(groups().begin(), groups().end(), name) != groups().end();
}

TensorView collect(const TensorProducer& producer) {
  Tensor out(producer.dtype, producer.shape);
  auto* to = static_cast<char*>(out.data());
  std::size_t left = out.view().bytes();
  producer.produce([&](const void* data, std::size_t bytes) {
    if (bytes > left) throw Error(ErrorKind::defect, "a result", "was computed with more elements than announced");
    std::memcpy(to, data, bytes);
    to += bytes;
    left -= bytes;
  });
  return out.view();
}

namespace {

/// Names of tensors and of their groups, which end before a slash or a dot.
std::vector<std::string> names_in(const Source& source) {
  std::vector<std::string> names;
  for (const TensorInfo& info : source.tensors())
    for (std::size_t end = 0; end != std::string::npos;) {
      end = info.name.find_first_of("/.", end + 1);
      const std::string name = info.name.substr(0, end);
      if (names.empty() || names.back() != name) names.push_back(name);
    }
  return names;
}

/// Quoted for a shell: "'a b'", "$'two\nlines'".
std::string shell_word(const std::string& name) {
  std::string escaped;
  bool is_plain = true;
  for (const char c : name) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    is_plain = is_plain && !is_control && c != '\'';
    constexpr char digits[] = "0123456789abcdef";
    if (is_control)
      escaped += {'\\', 'x', digits[static_cast<unsigned char>(c) >> 4], digits[c & 15]};
    else
      escaped += std::string(c == '\\' || c == '\'' ? "\\" : "") + c;
  }
  return is_plain ? "'" + name + "'" : "$'" + escaped + "'";
}

/// What a file contains instead of `name`: the probable name, and a list of tensors.
std::string instead_of(const std::string& name, const Source& source) {
  const std::string meant = nearest_word(name, names_in(source));
  const std::size_t count = source.tensors().size();
  constexpr std::size_t most = 12;  // of which all are listed
  const std::string number = "it has " + std::to_string(count) + " datasets, which tconv --list shows";
  const std::string rest = count > most && !meant.empty() ? number : "it has " + list_tensors(source, name);
  // Brackets at the end of an operand are a slab, and the text before them is the name.
  for (const TensorInfo& info : source.tensors())
    if (starts_with(info.name, name + "[") && info.name.back() == ']')
      return "brackets that are part of a name need others behind them: " + shell_word(info.name + "[]") + "; " + rest;
  if (const std::size_t open = name.rfind('[');
      open != std::string::npos && source.find(name.substr(0, open)) != nullptr)
    return "a part has numbers or dates, as in [0:3], [lat=-30:30] and [time=2024-01-03]; " + rest;
  if (meant == name)
    for (const TensorInfo& info : source.tensors())
      if (starts_with(info.name, name) && info.name.size() > name.size() &&
          (info.name[name.size()] == '/' || info.name[name.size()] == '.'))
        return "it is a group, with " + shell_word(info.name) + " in it; " + rest;
  if (!meant.empty()) return "did you mean " + shell_word(meant) + "? " + rest;
  // A column of a matrix, because tables name their columns.
  const TensorInfo* const matrix =
      count == 1 && source.tensors().front().shape.size() == 2 ? &source.tensors().front() : nullptr;
  if (matrix == nullptr) return rest;
  const std::vector<std::string> columns = texts_of(source.attributes(matrix->name), "columns");
  return rest + (columns.empty() ? "; a column of it is " + source.label() + ":/" + matrix->name + "[:,0]"
                                 : " with the columns " + listed_near(name, columns));
}

}  // namespace

TensorInfo Source::describe(const std::string& name) const {
  if (const TensorInfo* info = find(name)) return *info;
  for (const Unreadable& other : unreadable())
    if (other.name == name) throw Error(ErrorKind::data, label() + ":/" + name, other.reason, other.fix);
  throw Error(ErrorKind::input, label(), "has no dataset '" + name + "'", instead_of(name, *this));
}

TensorView Source::read_beside(DType other, const std::string& name, const Slab& part) {
  const bool is_wide = other == DType::i64 || other == DType::u64;
  const std::optional<TensorView> whole = is_wide ? read_whole_numbers(name, part, other) : std::nullopt;
  return whole ? *whole : (other == DType::string ? *this : in_numbers()).read(name, part);
}

const std::vector<Unreadable>& Source::unreadable() const {
  static const std::vector<Unreadable> none;
  return none;
}

const std::vector<std::string>& Source::groups() const {
  static const std::vector<std::string> none;
  return none;
}

std::vector<Unreadable> Source::unreadable_attributes(const std::string&) const { return {}; }

std::string list_tensors(const Source& source, std::string_view near) {
  const std::vector<TensorInfo>& tensors = source.tensors();
  std::vector<std::string> names;
  for (const TensorInfo& info : tensors) names.push_back(info.name);
  for (const Unreadable& other : source.unreadable()) names.push_back(other.name);
  const std::string text = listed_near(near, names, [&](std::size_t i) {
    if (i >= tensors.size()) return names[i] + " (not readable)";
    return names[i] + " " + to_string(tensors[i].shape) + " " + std::string(name_of(tensors[i].dtype));
  });
  return text.empty() ? "no datasets" : text;
}

std::vector<std::string> texts_of(const Attributes& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  if (found == attributes.end() || found->second.dtype != DType::string) return {};
  return elements_of<std::string>(found->second);
}

void TensorMap::add(const std::string& name, const TensorView& tensor) {
  if (!tensors_.emplace(name, renamed(tensor, label_ + ":/" + name)).second)
    throw Error(ErrorKind::usage, label_ + ":/" + name, "exists already");
  infos_.push_back({name, tensor.dtype, tensor.shape});
}

TensorView TensorMap::at(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw Error(ErrorKind::input, label_, "has no tensor " + name);
  return found->second;
}

TensorView TensorMap::read(const std::string& name, const Slab& part) { return slice(at(name), part); }

Attributes TensorMap::attributes(const std::string&) const { return {}; }

}  // namespace attn
