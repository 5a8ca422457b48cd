#include <attn/layers/usual_names.hpp>
#include <attn/layers/weights.hpp>

#include <attn/core/characters.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace attn {

struct Weights::Index {
  Source* source;
  Listener listener;
  std::map<std::string, TensorInfo> entries;  ///< by name with '.' between the parts
};

namespace {

std::string with_dots(std::string name) {
  std::replace(name.begin(), name.end(), '/', '.');
  while (!name.empty() && name.back() == '.') name.pop_back();
  while (!name.empty() && name.front() == '.') name.erase(name.begin());
  return name;
}

std::string expected_text(const Shape& expected, const std::string& meaning) {
  std::string text = "(";
  for (std::size_t axis = 0; axis < expected.size(); ++axis) {
    if (axis > 0) text += ", ";
    text += expected[axis] == any_extent ? "any" : std::to_string(expected[axis]);
  }
  text += expected.size() == 1 ? ",)" : ")";
  return meaning.empty() ? text : text + " = " + meaning;
}

bool matches(const Shape& shape, const Shape& expected) {
  return std::equal(shape.begin(), shape.end(), expected.begin(), expected.end(),
                    [](std::size_t actual, std::size_t wanted) { return wanted == any_extent || actual == wanted; });
}

}  // namespace

Weights::Weights(Source& source, const std::string& prefix, Listener listener) : prefix_(with_dots(prefix)) {
  auto index = std::make_shared<Index>();
  index->source = &source;
  index->listener = std::move(listener);
  for (const TensorInfo& info : source.tensors()) index->entries.emplace(with_dots(info.name), info);
  index_ = std::move(index);
}

Weights::Weights(std::shared_ptr<const Index> index, std::string prefix)
    : index_(std::move(index)), prefix_(std::move(prefix)) {}

std::string Weights::full(const std::string& name) const {
  const std::string part = with_dots(name);
  if (prefix_.empty()) return part;
  return part.empty() ? prefix_ : prefix_ + "." + part;
}

Weights Weights::renamed(const std::function<std::string(const std::string&)>& rename) const {
  auto index = std::make_shared<Index>();
  index->source = index_->source;
  index->listener = index_->listener;
  for (const auto& [name, info] : index_->entries) {
    const auto added = index->entries.emplace(rename(name), info);
    if (!added.second)
      throw Error(ErrorKind::data, subject(),
                  "hold " + added.first->second.name + " and " + info.name + ", which are both " + added.first->first);
  }
  return {std::move(index), prefix_};
}

Weights Weights::scoped(const std::string& name) const { return {index_, full(name)}; }

const TensorInfo* Weights::info(const std::string& name) const {
  const auto found = index_->entries.find(full(name));
  return found == index_->entries.end() ? nullptr : &found->second;
}

bool Weights::has(const std::string& name) const { return info(name) != nullptr; }

bool Weights::has_below(const std::string& name) const {
  const std::string start = full(name).empty() ? "" : full(name) + ".";
  const auto found = index_->entries.lower_bound(start);
  return found != index_->entries.end() && starts_with(found->first, start);
}

std::optional<TensorView> Weights::find(const std::string& name) const {
  const TensorInfo* entry = info(name);
  if (entry == nullptr) return std::nullopt;
  TensorView tensor = index_->source->read(entry->name);
  if (index_->listener) index_->listener(tensor);
  return tensor;
}

const TensorInfo* Weights::other_name(const std::string& name) const {
  const auto [module, own] = parts_of(full(name));
  std::vector<const TensorInfo*> below;
  for (const auto& [other, info] : index_->entries) {
    if (usual_name(other) != own || (!module.empty() && !starts_with(other, module + "."))) continue;
    if (parts_of(other).first == module) return &info;
    below.push_back(&info);
  }
  return below.size() == 1 ? below.front() : nullptr;
}

/// "; rename, as in tconv model.h5 --rename d/kernel=d/weight,d/beta=...", for the tensors beside those that are called
/// otherwise; empty if none is.
std::string Weights::way_to_rename(const std::vector<std::string>& names) const {
  std::map<std::string, std::string> modules;  // where they are expected, by where they are
  bool is_kernel = false;
  for (const std::string& name : names) {
    const TensorInfo* const other = other_name(name);
    if (other == nullptr || other->shape.size() > 2) continue;  // maps by heads need more than a name
    const auto [place, own] = parts_of(with_dots(other->name));
    modules.emplace(place, parts_of(full(name)).first);
    is_kernel = is_kernel || (other->shape.size() == 2 && own.rfind("embedding", 0) == own.npos);
  }
  std::set<std::string> taken;
  std::vector<std::string> renames;
  for (const auto& [old, info] : index_->entries) {
    const auto [place, own] = parts_of(old);
    const std::string usual = usual_name(old);
    const auto found = modules.find(place);
    if (usual.empty() || found == modules.end()) continue;
    std::string fresh = info.name.substr(0, info.name.size() - own.size()) + usual;
    if (const std::string& module = found->second; place != module) {
      fresh = module.empty() ? usual : module + "." + usual;
      if (info.name.find('/') != info.name.npos) std::replace(fresh.begin(), fresh.end(), '.', '/');
    }
    if (fresh != info.name && taken.insert(fresh).second) renames.push_back(info.name + "=" + fresh);
  }
  if (renames.empty()) return {};
  return "; " + attn::way_to_rename(index_->source->label(), renames) +
         (is_kernel ? "; a kernel is (in, out), which --transposed reads" : "");
}

Error Weights::missing(const std::vector<std::string>& names) const {
  const std::string& name = names.front();
  const std::string detail = "has no tensor " + (name.empty() ? full(name) : name);
  const std::vector<std::string> known = this->names();
  if (!known.empty())
    return {ErrorKind::input, subject(), detail, "it holds " + listed_near(name, known) + way_to_rename(names)};
  std::vector<std::string> groups;
  for (const auto& entry : index_->entries) {
    const std::string group = entry.first.substr(0, entry.first.find('.'));
    if (groups.empty() || groups.back() != group) groups.push_back(group);
  }
  return {
      ErrorKind::input, subject(), detail,
      groups.empty() ? "the file is empty" : "the file has no such group, it holds " + listed_near(prefix_, groups)};
}

TensorView Weights::get(const std::string& name) const {
  if (auto tensor = find(name)) return *tensor;
  throw missing({name});
}

std::optional<TensorView> Weights::find(const std::string& name, const Shape& expected, const std::string& meaning,
                                        const std::string& fix) const {
  const TensorInfo* entry = info(name);
  if (entry == nullptr) return std::nullopt;
  if (!matches(entry->shape, expected))
    throw Error(ErrorKind::data, subject(),
                (name.empty() ? full(name) : name) + " has shape " + to_string(entry->shape) + ", expected " +
                    expected_text(expected, meaning),
                fix);
  if (!is_floating(entry->dtype))
    throw Error(
        ErrorKind::data, subject(),
        (name.empty() ? full(name) : name) + " has dtype " + std::string(name_of(entry->dtype)) + ", expected floats");
  return find(name);
}

TensorView Weights::get(const std::string& name, const Shape& expected, const std::string& meaning,
                        const std::string& fix) const {
  if (auto tensor = find(name, expected, meaning, fix)) return *tensor;
  return get(name);
}

std::vector<std::string> Weights::names() const {
  const std::string start = prefix_.empty() ? "" : prefix_ + ".";
  std::vector<std::string> found;
  for (auto entry = index_->entries.lower_bound(start);
       entry != index_->entries.end() && starts_with(entry->first, start); ++entry)
    found.push_back(entry->first.substr(start.size()));
  return found;
}

DType Weights::compute_dtype() const {
  DType widest = DType::f32;
  const auto consider = [&](const TensorInfo& entry) {
    if (is_floating(entry.dtype)) widest = wider(widest, attn::compute_dtype(entry.dtype));
  };
  for (const std::string& name : names()) consider(*info(name));
  if (const TensorInfo* self = info("")) consider(*self);
  return widest;
}

std::string Weights::subject() const {
  return "weights " + index_->source->label() + (prefix_.empty() ? "" : ":/" + prefix_);
}

}  // namespace attn
