#include "tmerge/parts.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>

namespace tmerge {

namespace {

/// One dataset of all parts.
class Dataset {
 public:
  Dataset(const Parts& parts, const cli::PartFile::Tensor& tensor)
      : parts_(parts),
        name_(tensor.info.name),
        dtype_(tensor.info.dtype),
        shape_(tensor.info.shape),
        axis_(*tensor.axis) {
    shape_[axis_] = parts.head().all;
  }

  cli::Result result(const std::string& name, attn::Attributes attributes) const {
    if (dtype_ == attn::DType::string) return {name, texts(), std::move(attributes)};
    const auto produce = [*this](const attn::ByteConsumer& consume) {
      for_each_piece([&](const attn::TensorView& x) {
        const attn::TensorView rows = attn::contiguous(x);
        consume(rows.data, rows.bytes());
      });
    };
    return {name, {}, std::move(attributes), attn::TensorProducer{dtype_, shape_, produce}};
  }

 private:
  /// Passes the rows of all parts to `use`, again for each index of the axes before theirs.
  template <class Use>
  void for_each_piece(const Use& use) const {
    std::size_t before = 1;
    for (std::size_t axis = 0; axis < axis_; ++axis) before *= shape_[axis];
    for (std::size_t at = 0; at < before; ++at) {
      attn::Slab part(axis_);
      for (std::size_t axis = axis_, rest = at; axis-- > 0; rest /= shape_[axis])
        part[axis] = {static_cast<std::int64_t>(rest % shape_[axis]), {}, 1, true};
      for (const Piece& piece : parts_.pieces()) {
        attn::Source& source = parts_.open(piece.part);
        const attn::TensorView rows = source.read(name_, part);
        use(rows);
        source.release(rows);
      }
    }
  }

  attn::TensorView texts() const {
    std::vector<std::string> all;
    for_each_piece([&](const attn::TensorView& x) {
      for (std::string& text : attn::elements_of<std::string>(x)) all.push_back(std::move(text));
    });
    return attn::reshaped(attn::vector_of(all), shape_);
  }

  Parts parts_;
  std::string name_;
  attn::DType dtype_;
  attn::Shape shape_;
  std::size_t axis_;
};

}  // namespace

void join_rows(const Options& o, const Parts& parts, cli::Session& session) {
  for (std::size_t file = 0; file < parts.files().size(); ++file) parts.files()[file].check(parts.open(file));
  const cli::PartFile& model = parts.model();
  const std::size_t at = static_cast<std::size_t>(&model - parts.files().data());
  std::vector<cli::Result> results;
  for (const cli::PartFile::Tensor& tensor : model.tensors()) {
    attn::Attributes attributes = parts.open(at).attributes(tensor.info.name);
    attributes.erase("rows");
    // The output names the main result.
    const std::string written = tensor.info.name == o.output.default_dataset ? "" : tensor.info.name;
    results.push_back(tensor.axis ? Dataset(parts, tensor).result(written, std::move(attributes))
                                  : cli::Result{written, parts.open(at).read(tensor.info.name), std::move(attributes)});
  }
  cli::GroupAttributes groups;
  for (const std::string& group : parts.open(at).groups()) groups[group] = parts.open(at).attributes(group);
  groups[""] = parts.open(at).attributes();
  groups.erase("part");
  session.write(o.output, results, groups);
}

}  // namespace tmerge
