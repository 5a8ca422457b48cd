#include <attn/core/edit_distance.hpp>
#include <attn/core/error.hpp>
#include <attn/core/stream.hpp>

#include <cstring>

namespace attn {

const TensorInfo* Source::find(const std::string& name) const noexcept {
  for (const TensorInfo& info : tensors())
    if (info.name == name) return &info;
  return nullptr;
}

TensorView collect(const TensorProducer& producer) {
  Tensor out(producer.dtype, producer.shape);
  auto* to = static_cast<char*>(out.data());
  producer.produce([&to](const void* data, std::size_t bytes) {
    std::memcpy(to, data, bytes);
    to += bytes;
  });
  return out.view();
}

namespace {

/// Names of tensors, and of the groups that they are in: what stands before a slash or a dot.
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

/// What a file holds instead of `name`: what was probably meant, and all there is, or where that is much, how much.
std::string instead_of(const std::string& name, const Source& source) {
  constexpr std::size_t most = 20;
  const std::string meant = nearest_word(name, names_in(source));
  const std::size_t count = source.tensors().size();
  const std::string rest = count > most ? "it has " + std::to_string(count) + " datasets, which tconv --list shows"
                                        : "it has " + list_tensors(source);
  return meant.empty() ? rest : "did you mean '" + meant + "'? " + rest;
}

}  // namespace

TensorInfo Source::describe(const std::string& name) const {
  if (const TensorInfo* info = find(name)) return *info;
  for (const Unreadable& other : unreadable())
    if (other.name == name) throw Error(ErrorKind::data, label() + ":/" + name, other.reason, other.fix);
  throw Error(ErrorKind::input, label(), "has no dataset '" + name + "'", instead_of(name, *this));
}

const std::vector<Unreadable>& Source::unreadable() const noexcept {
  static const std::vector<Unreadable> none;
  return none;
}

std::string list_tensors(const Source& source) {
  std::string text;
  const auto append = [&text](const std::string& entry) { text += (text.empty() ? "" : ", ") + entry; };
  for (const TensorInfo& info : source.tensors())
    append(info.name + " " + to_string(info.shape) + " " + std::string(name_of(info.dtype)));
  for (const Unreadable& other : source.unreadable()) append(other.name + " (not readable)");
  return text.empty() ? "no datasets" : text;
}

}  // namespace attn
