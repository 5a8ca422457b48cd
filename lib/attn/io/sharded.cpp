#include <attn/io/input.hpp>
#include <attn/io/sharded.hpp>
#include <attn/json/node.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace attn::io {
namespace {

namespace fs = std::filesystem;

class ShardedSource final : public Source {
 public:
  explicit ShardedSource(std::string index) : label_(std::move(index)) {}

  /// Adds a file; `listed` are the tensors that the index expects in it.
  void add(std::unique_ptr<Source> shard, const std::set<std::string>& listed) {
    const auto has = [&shard](const std::string& name) {
      const auto& others = shard->unreadable();
      return shard->find(name) != nullptr ||
             std::any_of(others.begin(), others.end(), [&name](const Unreadable& other) { return other.name == name; });
    };
    for (const std::string& name : listed)
      if (!has(name))
        throw Error(ErrorKind::data, label_, "lists " + name + " in " + shard->label() + ", which does not contain it",
                    "do the files belong together?");
    if (shard->tensors().size() + shard->unreadable().size() != listed.size())
      for (const TensorInfo& tensor : shard->tensors())
        if (listed.count(tensor.name) == 0)
          throw Error(ErrorKind::data, label_,
                      "does not list " + tensor.name + ", which " + shard->label() + " contains",
                      "do the files belong together?");
    for (const TensorInfo& tensor : shard->tensors()) {
      tensors_.push_back(tensor);
      owners_[tensor.name] = shard.get();
    }
    for (const Unreadable& other : shard->unreadable()) unreadable_.push_back(other);
    shards_.push_back(std::move(shard));
  }

  const std::string& label() const noexcept override { return label_; }
  const std::vector<TensorInfo>& tensors() const noexcept override { return tensors_; }
  const std::vector<Unreadable>& unreadable() const noexcept override { return unreadable_; }
  const TensorInfo* find(const std::string& name) const noexcept override {
    const auto owner = owners_.find(name);
    return owner == owners_.end() ? nullptr : owner->second->find(name);
  }
  TensorView read(const std::string& name, const Slab& part) override {
    return owners_.at(describe(name).name)->read(name, part);
  }
  Attributes attributes(const std::string& name) const override {
    return name.empty() ? Attributes{} : owners_.at(describe(name).name)->attributes(name);
  }

 private:
  std::string label_;
  std::vector<std::unique_ptr<Source>> shards_;
  std::vector<TensorInfo> tensors_;
  std::vector<Unreadable> unreadable_;
  std::map<std::string, Source*> owners_;
};

}  // namespace

std::unique_ptr<Source> open_shards(const std::string& index_path) {
  std::ifstream stream(index_path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw Error(ErrorKind::input, index_path, "cannot be read");
  const JsonNode index(std::string_view(text), index_path);
  std::map<std::string, std::set<std::string>> listed;  // by file
  for (const auto& [tensor, file] : index.object("weight_map").items()) {
    listed[file.path_inside()].insert(tensor);
  }
  const auto path_of = [&](const std::string& file) { return (fs::path(index_path).parent_path() / file).string(); };
  for (const auto& [file, tensors] : listed) {
    std::error_code ignored;
    if (!fs::exists(path_of(file), ignored))
      throw Error(ErrorKind::input, path_of(file), "no such file",
                  "it holds " + std::to_string(tensors.size()) + " tensors of the model; download it too");
  }
  auto whole = std::make_unique<ShardedSource>(index_path);
  for (const auto& [file, tensors] : listed) whole->add(open_source(path_of(file)), tensors);
  return whole;
}

}  // namespace attn::io
