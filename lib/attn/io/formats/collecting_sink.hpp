#pragma once
// Common base of sinks: tensors are collected by name and written when their batch is complete.

#include <attn/core/source_sink.hpp>
#include <attn/io/byte_output.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace attn::io {

/// A tensor to write, computed already or later.
struct OutgoingTensor {
  std::string name;  ///< name in the format
  std::variant<TensorView, TensorProducer> content;
  Attributes attributes;

  DType dtype() const;
  const Shape& shape() const;
  std::size_t bytes() const;

  /// Passes all bytes on in row-major order, without a copy if possible. Throws Error(defect) if a producer makes too
  /// many or too few. Numbers only.
  void produce(const ByteConsumer& consume) const;

  /// The whole tensor, computed into memory if necessary.
  TensorView view() const;
};

struct OutgoingBatch {
  std::vector<OutgoingTensor> tensors;
  GroupAttributes attributes;
};

class CollectingSink : public Sink {
 public:
  explicit CollectingSink(std::unique_ptr<ByteOutput> output) : output_(std::move(output)) {}

  void expect(const std::string& name) final;
  void expect(const std::vector<TensorInfo>& batch) final;
  void add(const std::string& name, const TensorView& tensor, const Attributes& attributes) final;
  void add(const std::string& name, TensorProducer producer, const Attributes& attributes) final;
  void set_attributes(const std::string& group, const Attributes& attributes) final {
    batch_.attributes[group] = attributes;
  }
  void end_batch(const std::function<bool()>& has_more) final;
  void commit() final;

 protected:
  /// Throws Error(create) for names, as the format stores them, that are taken in the output.
  virtual void require_free(const std::vector<std::string>& /*names*/) const {}
  /// Writes tensors that passed require_fit().
  virtual void write_batch(const OutgoingBatch& batch) = 0;
  /// Throws for tensors that the format, or one batch of it, cannot hold.
  virtual void require_fit(const std::vector<TensorInfo>& /*batch*/) const {}
  /// Completes "cannot hold several batches" for a format with only one batch.
  virtual std::string obstacle_to_batches() const { return {}; }
  /// The name in the format. Throws Error(create) for a name that the format cannot hold.
  virtual std::string stored_name(const std::string& name) const { return name; }
  /// The same for any name. Also throws Error(create) for a name that no format can hold.
  std::string checked_name(const std::string& name) const;
  /// The unchanged name. Throws Error(create) if it is not UTF-8.
  std::string utf8_name(const std::string& name, const std::string& format) const;
  ByteOutput& output() noexcept { return *output_; }
  const ByteOutput& output() const noexcept { return *output_; }

 private:
  void expect_free(const std::set<std::string>& names);
  void add_entry(OutgoingTensor entry);
  [[noreturn]] void refuse_twice(const std::string& name) const;
  [[noreturn]] void refuse_batches() const;
  std::unique_ptr<ByteOutput> output_;
  OutgoingBatch batch_;
  std::set<std::string> names_;     // names of the tensors of the batch
  std::set<std::string> expected_;  // and names that were found free
  bool has_written_ = false;
};

}  // namespace attn::io
