#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/formats/collecting_sink.hpp>
#include <attn/io/formats/stored_elements.hpp>

#include <algorithm>
#include <iterator>

namespace attn::io {

DType OutgoingTensor::dtype() const {
  return std::visit([](const auto& x) { return x.dtype; }, content);
}

const Shape& OutgoingTensor::shape() const {
  return std::visit([](const auto& x) -> const Shape& { return x.shape; }, content);
}

std::size_t OutgoingTensor::bytes() const { return element_count(shape()) * element_size(dtype()); }

void OutgoingTensor::produce(const ByteConsumer& consume) const {
  if (const auto* tensor = std::get_if<TensorView>(&content)) return for_each_run(*tensor, consume);
  const auto& producer = std::get<TensorProducer>(content);
  if (!producer.is_counted) return producer.produce(consume);
  const std::size_t expected = bytes();
  std::size_t produced = 0;
  producer.produce([&](const void* data, std::size_t count) {
    produced += count;
    if (produced > expected) throw Error(ErrorKind::defect, name, "was computed with more elements than announced");
    consume(data, count);
  });
  if (produced < expected) throw Error(ErrorKind::defect, name, "was computed with fewer elements than announced");
}

TensorView OutgoingTensor::view() const {
  if (const auto* tensor = std::get_if<TensorView>(&content)) return *tensor;
  return collect({dtype(), shape(), [this](const ByteConsumer& consume) { produce(consume); }});
}

void CollectingSink::add(const std::string& name, const TensorView& tensor, const Attributes& attributes) {
  add_entry({checked_name(name), tensor, attributes});
}

void CollectingSink::add(const std::string& name, TensorProducer producer, const Attributes& attributes) {
  add_entry({checked_name(name), std::move(producer), attributes});
}

void CollectingSink::expect(const std::string& name) { expect_free({checked_name(name)}); }

void CollectingSink::expect(const std::vector<TensorInfo>& batch) {
  std::set<std::string> names;
  for (const TensorInfo& tensor : batch)
    if (!names.insert(checked_name(tensor.name)).second) refuse_twice(tensor.name);
  expect_free(names);
  if (!batch.empty()) require_fit(batch);
}

/// Each name is looked for once: looking may read a file.
void CollectingSink::expect_free(const std::set<std::string>& names) {
  std::vector<std::string> unknown;
  std::set_difference(names.begin(), names.end(), expected_.begin(), expected_.end(), std::back_inserter(unknown));
  if (unknown.empty()) return;
  require_free(unknown);
  expected_.insert(unknown.begin(), unknown.end());
}

std::string CollectingSink::checked_name(const std::string& name) const {
  std::string stored = stored_name(name);
  if (stored.empty())
    throw Error(ErrorKind::create, output_->label(), "cannot hold a dataset without a name",
                "name it, as in -o FILE:/name");
  if (stored.find('\0') != std::string::npos)
    throw Error(ErrorKind::create, output_->label(),
                "cannot hold a dataset whose name has a NUL byte after '" + std::string(stored.c_str()) + "'",
                "give it another name");
  return stored;
}

std::string CollectingSink::utf8_name(const std::string& name, const std::string& format) const {
  if (find_invalid_utf8(name))
    throw Error(ErrorKind::create, output_->label(),
                "cannot hold the name '" + name + "' as " + format + ": it is not UTF-8",
                "--rename gives another, HDF5 holds any");
  return name;
}

void CollectingSink::add_entry(OutgoingTensor entry) {
  if (has_written_ && !obstacle_to_batches().empty()) refuse_batches();
  if (!names_.insert(entry.name).second) refuse_twice(entry.name);
  batch_.tensors.push_back(std::move(entry));
}

void CollectingSink::refuse_twice(const std::string& name) const {
  throw Error(ErrorKind::usage, output_->label(), "has a dataset '" + name + "' already",
              "give one of the two another name");
}

void CollectingSink::refuse_batches() const {
  throw Error(ErrorKind::usage, output_->label(), "cannot hold several batches " + obstacle_to_batches(),
              "write a new HDF5 file");
}

void CollectingSink::end_batch(const std::function<bool()>& has_more) {
  // Whether more follow shows when the input has come, and what is computed meanwhile is written meanwhile.
  bool is_computed = false;
  for (const OutgoingTensor& tensor : batch_.tensors)
    is_computed = is_computed || std::holds_alternative<TensorProducer>(tensor.content);
  const auto expect_no_more = [&] {
    if (has_more && !obstacle_to_batches().empty() && has_more()) refuse_batches();
  };
  if (!is_computed) expect_no_more();
  std::size_t bytes = 0;
  std::vector<TensorInfo> tensors;
  for (const OutgoingTensor& tensor : batch_.tensors) {
    bytes += tensor.bytes();
    tensors.push_back({tensor.name, tensor.dtype(), tensor.shape()});
  }
  require_fit(tensors);
  output_->expect(bytes);
  write_batch(batch_);
  if (is_computed) expect_no_more();
  has_written_ = true;
  batch_ = {};
  names_.clear();
}

void CollectingSink::commit() {
  if (!has_written_ || !batch_.tensors.empty()) end_batch({});
  output_->commit();
}

}  // namespace attn::io
