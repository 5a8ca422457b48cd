#pragma once
// HDF5 as a source of tensors: declarations shared by the parts of the reader.

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/hdf5/attributes.hpp>
#include <attn/io/hdf5/columns.hpp>
#include <attn/io/hdf5/dataset.hpp>
#include <attn/io/sparse_matrix.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn::io {

class Hdf5Source final : public Source {
 public:
  /// `others`: files that it may lead to; null: none.
  Hdf5Source(std::unique_ptr<ByteInput> input, std::shared_ptr<hdf5::OtherFiles> others)
      : input_(std::move(input)), others_(std::move(others)) {
    open_image();
  }

  const std::string& label() const noexcept override { return input_->label(); }
  const std::vector<TensorInfo>& tensors() const override { return listing().tensors; }
  const std::vector<Unreadable>& unreadable() const override { return listing().unreadable; }
  const std::vector<std::string>& groups() const override { return listing().groups; }
  const TensorInfo* find(const std::string& name) const override;
  std::string lost_in_copies(const std::string& name) const override;
  std::string group_of(const std::string& name) const override;
  TensorInfo describe(const std::string& name) const override;
  TensorView read(const std::string& name, const Slab& part) override;
  std::size_t rows_together(const std::string& name) const override {
    const std::optional<hdf5::Dataset> dataset = dataset_at(name);
    return dataset ? dataset->rows_together(image_) : 0;
  }
  void release(const TensorView& part) const noexcept override { image_.bytes.release(span_of(part)); }
  void discard(const TensorView& part) const noexcept override { image_.bytes.discard(span_of(part)); }
  Attributes attributes(const std::string& name) const override { return all_attributes(name).tensors; }
  std::vector<Unreadable> unreadable_attributes(const std::string& name) const override {
    return all_attributes(name).others;
  }
  bool has_next_batch() override;
  bool next_batch() override;

 private:
  std::string full_name(const std::string& name) const { return label() + ":/" + name; }
  [[noreturn]] void refuse(const std::string& name, const std::string& detail, const std::string& fix = {}) const {
    throw Error(ErrorKind::data, full_name(name), detail, fix);
  }

  /// The contents of the file.
  struct Listing {
    explicit Listing(const std::string& label) : memory(label) {}

    std::vector<TensorInfo> tensors;
    std::vector<Unreadable> unreadable;
    std::vector<std::string> groups;
    std::map<std::uint64_t, std::string> paths;          // paths of groups, with the root, by address
    std::map<std::uint64_t, std::string> dataset_paths;  // one path for each dataset, by address
    std::map<std::string, std::string> losses;           // losses of tensors, for lost_in_copies()
    MemoryShare memory;                                  // memory of the lists
  };

  /// What is at a path: a dataset, or a link that may lead to one.
  struct Place {
    const hdf5::Object* dataset;
    const hdf5::Link* link;
  };
  using Places = std::map<std::string, Place>;

  void open_image();
  const Listing& listing() const;
  void list_all(Listing& all) const;
  void list_group(const hdf5::Object& group, const std::string& path, Listing& all, Places& places,
                  std::size_t depth) const;
  void require_names(const std::vector<hdf5::Link>& sorted, const std::string& path) const;
  void list_link(const std::string& path, const hdf5::Link& link, Listing& all) const;
  void list_other_link(const std::string& path, Listing& all) const;
  Unreadable explain_link(const std::string& path, const hdf5::Link& link) const;
  void list_dataset(const std::string& path, const hdf5::Object& object, Listing& all) const;
  hdf5::Objects::Found located(const std::string& path) const;
  hdf5::ObjectAttributes all_attributes(const std::string& name) const;
  void name_axes(const hdf5::Object& object, hdf5::ObjectAttributes& attributes) const;
  hdf5::Dataset open_dataset(const std::string& path) const;
  std::optional<hdf5::Dataset> dataset_at(const std::string& name) const;
  [[noreturn]] void explain_missing(const std::string& name) const;
  std::optional<SparseMatrix> sparse_matrix_at(const std::string& path) const;
  std::optional<hdf5::Columns> columns_of(const std::string& path) const;
  std::optional<hdf5::Columns> columns_of(const hdf5::Object& object, const std::string& dataset,
                                          const std::string& names) const;
  std::vector<std::string> names_of_columns(const TensorInfo& info) const;
  TensorInfo describe(const hdf5::Columns& columns, const std::string& name) const;
  TensorView read(const hdf5::Columns& columns, const std::string& name, const Slab& part) const;

  /// A name in another file, reached through a link.
  struct Followed {
    Source* source;
    std::string name;
  };
  std::optional<Followed> followed(const std::string& name) const;

  std::unique_ptr<ByteInput> input_;
  std::shared_ptr<hdf5::OtherFiles> others_;
  hdf5::Image image_;
  mutable std::unique_ptr<const Listing> listing_;   // made on demand
  mutable std::map<std::string, TensorInfo> named_;  // tensors that were requested before that
};

}  // namespace attn::io
