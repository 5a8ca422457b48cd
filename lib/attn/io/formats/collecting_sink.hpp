#pragma once
// What sinks have in common: tensors are collected by name and written when their batch is complete.

#include <attn/core/stream.hpp>
#include <attn/io/byte_output.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace attn::io {

/// A tensor on its way out, there already or to be computed.
struct OutgoingTensor {
  std::string name;  ///< as the format stores it
  std::variant<TensorView, TensorProducer> content;
  Attributes attributes;

  DType dtype() const;
  const Shape& shape() const;
  std::size_t bytes() const;

  /// Hands out all bytes in row-major order, in place where possible. Throws Error(defect) when a producer makes too
  /// many or too few. Numbers only.
  void produce(const ByteConsumer& consume) const;

  /// The whole tensor, computed into memory when it is not there yet.
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
  /// Throws Error(create) for names, as the format stores them, that are not free where the batch goes.
  virtual void require_free(const std::vector<std::string>& /*names*/) const {}
  /// Of tensors that require_fit() passed.
  virtual void write_batch(const OutgoingBatch& batch) = 0;
  /// Throws for tensors that the format, or one batch of it, cannot hold.
  virtual void require_fit(const std::vector<TensorInfo>& /*batch*/) const {}
  /// Where the format holds one batch only, what completes "cannot hold several batches".
  virtual std::string obstacle_to_batches() const { return {}; }
  /// What a name becomes in the format. Throws Error(create) for one that it cannot hold.
  virtual std::string stored_name(const std::string& name) const { return name; }
  /// The same, for any name. Throws Error(create) for one that no format can hold too.
  std::string checked_name(const std::string& name) const;
  /// The name as it is. Throws Error(create) for one that a format of UTF-8 cannot hold.
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
  std::set<std::string> names_;     // of the batch's tensors
  std::set<std::string> expected_;  // and those that were free when they were asked for
  bool has_written_ = false;
};

}  // namespace attn::io
