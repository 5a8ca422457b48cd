#include <attn/transformer/checkpoint.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace attn {
namespace {

std::string do_they_match(const ModelDescription& model) {
  return model.origin == "config.json" ? "do config.json and the weights belong together?" : "";
}

/// Does name match a pattern of literal characters and stars?
bool matches(const char* pattern, const char* name) {
  for (; *pattern != '\0'; ++pattern, ++name) {
    if (*pattern == '*') {
      for (; *name != '\0'; ++name)
        if (matches(pattern + 1, name)) return true;
      return pattern[1] == '\0';
    }
    if (*pattern != *name) return false;
  }
  return *name == '\0';
}

/// TensorFlow's names of what a norm learns.
std::string modern(const std::string& name) {
  for (const auto& [old, now] : {std::pair(".gamma", ".weight"), std::pair(".beta", ".bias")})
    if (ends_with(name, old)) return name.substr(0, name.size() - std::strlen(old)) + now;
  return name;
}

/// The names of the model's tensors in this file.
class Naming {
 public:
  Naming(const ModelDescription& model, const std::vector<TensorInfo>& table, const std::vector<std::string>& stored)
      : model_(model), base_(model.base.empty() ? "" : model.base + ".") {
    for (const TensorInfo& tensor : table) expected_.insert(tensor.name);
    for (std::size_t i = 0; i < std::min<std::size_t>(3, table.size()); ++i) {
      const std::string& anchor = table[i].name;
      if (find_prefix(starts_with(anchor, base_) ? anchor.substr(base_.size()) : anchor, stored)) return;
    }
  }

  /// The description's name for a stored one.
  std::string operator()(const std::string& stored) const {
    const std::string name = modern(stored);
    if (has_place(name)) return name;
    for (const std::string& prefix : {prefix_, outer_, std::string()}) {
      if (!starts_with(name, prefix)) continue;
      const std::string bare = name.substr(prefix.size());
      for (const std::string& candidate : {base_ + bare, bare})
        if (has_place(candidate)) return candidate;
    }
    return name;
  }

  bool is_expected(const std::string& name) const { return expected_.count(name) > 0; }
  bool has_place(const std::string& name) const { return is_expected(name) || is_unneeded(model_, name); }

 private:
  /// Searches a tensor of the input, whose name is the end of no other name, and takes the part before it.
  bool find_prefix(const std::string& bare, const std::vector<std::string>& stored) {
    for (const std::string& name : stored)
      if (name == bare || name == base_ + bare || ends_with(name, "." + bare)) {
        prefix_ = name.substr(0, name.size() - bare.size());
        if (ends_with(prefix_, base_)) outer_ = prefix_.substr(0, prefix_.size() - base_.size());
        return true;
      }
    return false;
  }

  const ModelDescription& model_;
  std::string base_, prefix_;  ///< prefix of the names of the base, expected and actual
  std::string outer_;          ///< part before prefix_, if prefix_ ends as expected
  std::set<std::string> expected_;
};

/// Throws unless two tensors agree in rows spread over them: a copy of a tied tensor is one, or the model was changed.
void expect_copies(const TensorView& a, const TensorView& b) {
  constexpr std::size_t most = 32;
  const std::string fix = "set tie_word_embeddings to false if the model has two";
  if (a.shape != b.shape) throw shape_error(b.name, b.shape, to_string(a.shape) + " as " + a.name, fix);
  if (a.rank() == 0 || a.dtype != b.dtype) return;
  const std::size_t rows = a.shape[0], step = std::max<std::size_t>(1, rows / most);
  for (std::size_t i = 0; i < rows; i += step) {
    const TensorView x = contiguous(element(a, i)), y = contiguous(element(b, i));
    if (std::memcmp(x.data, y.data, x.bytes()) != 0)
      throw Error(ErrorKind::data, b.name, "is not the copy of " + a.name + " that config.json requires", fix);
  }
}

/// Tied tensors: a present one is used for the first of its names; copies must be equal.
Weights with_tied(const ModelDescription& model, Weights weights) {
  for (const std::vector<std::string>& names : model.tied) {
    std::string first;
    for (const std::string& name : names) {
      if (!weights.has(name)) continue;
      if (first.empty())
        first = name;
      else
        expect_copies(weights.get(first), weights.get(name));
    }
    if (!first.empty() && first != names.front())
      weights = weights.renamed([&](const std::string& name) { return name == first ? names.front() : name; });
  }
  return weights;
}

/// Under the names of the description.
Weights named_weights(const ModelDescription& model, const Weights& stored) {
  const Naming named(model, tensor_table(model), stored.names());
  return with_tied(model, stored.renamed(named));
}

void check_tensor(const TensorInfo& wanted, const Weights& weights, const Source& source, const Naming& named,
                  const ModelDescription& model) {
  const TensorInfo* found = weights.info(wanted.name);
  if (found == nullptr) {
    for (const Unreadable& other : source.unreadable())
      if (named(other.name) == wanted.name)
        throw Error(ErrorKind::data, weights.subject() + ": " + other.name, other.reason, other.fix);
    throw Error(
        ErrorKind::input, weights.subject(),
        "lack the tensor " + wanted.name + " " + to_string(wanted.shape) + " that " + model.origin + " asks for",
        do_they_match(model));
  }
  const std::string subject = weights.subject() + ": " + found->name;
  const bool same = found->shape == wanted.shape ||
                    (wanted.shape.size() == 1 && found->shape == Shape{1, wanted.shape[0]});  // BART's logit biases
  if (!same)
    throw shape_error(subject, found->shape, to_string(wanted.shape) + " as " + model.origin + " asks for",
                      do_they_match(model));
  if (!is_floating(found->dtype))
    throw Error(ErrorKind::data, subject, "has dtype " + std::string(name_of(found->dtype)) + ", expected floats");
}

}  // namespace

bool is_unneeded(const ModelDescription& model, const std::string& name) {
  const auto covers = [&](const std::string& pattern) { return matches(pattern.c_str(), name.c_str()); };
  const auto is_copy = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return std::any_of(model.unused.begin(), model.unused.end(), covers) ||
         std::any_of(model.tied.begin(), model.tied.end(), is_copy);
}

std::vector<std::string> missing_tensors(const ModelDescription& model, Source& source) {
  const std::vector<TensorInfo> table = tensor_table(model);
  const Weights weights = named_weights(model, Weights(source));
  std::vector<std::string> missing;
  for (const TensorInfo& wanted : table) {
    const TensorInfo* const found = weights.info(wanted.name);
    if (found == nullptr || found->shape != wanted.shape) missing.push_back(wanted.name);
  }
  return missing;
}

Weights checked_weights(ModelDescription& model, Source& source) {
  const Weights stored(source);
  const Weights weights = named_weights(model, stored);
  for (auto* input : {&model.source, &model.target})
    if (*input && !(*input)->shared_tensor.empty() && !weights.has((*input)->tensor + ".weight"))
      (*input)->tensor = (*input)->shared_tensor;
  if (model.head && !model.head->shared.empty() && !weights.has(model.head->projection))
    model.head->projection = model.head->shared;
  if (model.head && model.head->may_be_missing && !weights.has_below(model.head->dense)) model.head.reset();
  const std::vector<TensorInfo> table = tensor_table(model);
  const Naming named(model, table, stored.names());
  for (const TensorInfo& wanted : table) check_tensor(wanted, weights, source, named, model);
  for (const std::string& name : weights.names())
    if (!named.has_place(name))
      throw Error(ErrorKind::data, weights.subject() + ": " + weights.info(name)->name,
                  "has no place in the model that " + model.origin + " describes", do_they_match(model));
  return weights;
}

}  // namespace attn
