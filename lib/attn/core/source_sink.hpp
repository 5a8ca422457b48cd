#pragma once
// Where tensors come from and where they go. core declares these interfaces, io implements them for each format, and
// the numeric folders use them without knowing any format.

#include <attn/core/shape.hpp>
#include <attn/core/tensor.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

/// Attributes of a tensor, a group or a whole batch: small tensors by name, of any dtype and shape.
using Attributes = std::map<std::string, TensorView>;

/// Attributes of groups by their paths; "" is the whole batch.
using GroupAttributes = std::map<std::string, Attributes>;

/// The description of a tensor before it is read.
struct TensorInfo {
  std::string name;  ///< path inside the source without a leading slash: "enc/0/q"
  DType dtype = DType::f64;
  Shape shape;
};

/// An entry of a source that is not a readable tensor: read() refuses it by name.
struct Unreadable {
  std::string name;
  std::string reason;  ///< completes "NAME ...": "has elements of another kind (a record)"
  std::string fix;     ///< what to do about it; may be empty
};

/// A tensor that a group is as a whole, such as a sparse matrix, and the attributes of the tensor, not of the group.
struct GroupTensor {
  TensorInfo info;
  Attributes attributes;
};

/// Several named tensors, read in place if the format allows, as a whole or in parts. A source may contain a sequence
/// of batches (images that follow each other in a pipe); one is current at a time.
class Source {
 public:
  virtual ~Source() = default;

  /// For messages: the file's name, or "standard input".
  virtual const std::string& label() const noexcept = 0;

  /// The tensors of the current batch, in the order of the file. Throws Error(data) for a damaged file, as do the other
  /// lists, because a format may read a list only when it is requested.
  virtual const std::vector<TensorInfo>& tensors() const = 0;

  /// Datasets of the current batch that are no tensors or that this library cannot decode.
  virtual const std::vector<Unreadable>& unreadable() const;

  /// A hint: all of these will be read, in this order. A table reads several columns in one pass through its text.
  virtual void will_read(const std::vector<TensorInfo>&) {}

  /// The tensor of that name or a part of it; only its bytes are read. The view is named "LABEL:/NAME". Throws
  /// Error(input) if the tensor or its bytes are missing.
  virtual TensorView read(const std::string& name, const Slab& part = {}) = 0;

  /// Like read(), for comparison with a tensor of dtype `other`: for i64 or u64, integers of a table, which has no
  /// types, keep all their digits, unlike f64 beyond 2^53. Beside numbers, dates are numbers.
  TensorView read_beside(DType other, const std::string& name, const Slab& part = {});

  /// The same tensors as stored, if attributes (such as a scale) give them other values.
  virtual Source& stored() noexcept { return *this; }

  /// The same tensors where numbers are wanted: columns of dates, which are text here, as days.
  virtual Source& in_numbers() noexcept { return *this; }

  /// Is it a table of text, which has no types and may be read in several ways?
  virtual bool is_table() const noexcept { return false; }

  /// Blocks of how many rows of that tensor, read one after the other, cost no more than all at once: 1 where elements
  /// are stored in their order, more in chunks. 0: no block, such as of texts.
  virtual std::size_t rows_together(const std::string& /*name*/) const { return 0; }

  /// Waits for so many rows of a text that comes from a stream, fewer if it ends before: shapes count the rows that are
  /// here. Are all?
  virtual bool await_rows(std::size_t /*rows*/) { return true; }

  /// A hint: this result of read() will not be used soon. A mapped file releases its pages.
  virtual void release(const TensorView&) const noexcept {}

  /// Can be read again what discard() was told of? A stream cannot, nor can a file that is expanded as it is read.
  virtual bool reads_again() const noexcept { return true; }

  /// This result of read() will not be used or read again. Of a stream it is gone when no view of it is left.
  virtual void discard(const TensorView& part) const noexcept { release(part); }

  /// Paths of the groups of the current batch that may have attributes, without the batch itself.
  virtual const std::vector<std::string>& groups() const;

  /// Attributes of a tensor or a group, or of the whole batch for the empty name.
  virtual Attributes attributes(const std::string& name = {}) const = 0;

  /// What a copy of the tensor loses, for a note: "fields of records become datasets of their own in the copy".
  virtual std::string lost_in_copies(const std::string& /*name*/) const { return {}; }

  /// Attributes that attributes(name) omits because they are no tensors.
  virtual std::vector<Unreadable> unreadable_attributes(const std::string& name = {}) const;

  /// Does another batch follow the current one? Throws Error(data) if other data follows.
  virtual bool has_next_batch() { return false; }

  /// Moves on to the next batch; false if there is none. Views of the previous batch stay valid.
  virtual bool next_batch() { return false; }

  /// The path in groups() of the group that `name`, possibly a link, refers to; `name` itself if there is none.
  virtual std::string group_of(const std::string& name) const { return name; }

  /// The tensor that describe() and read() give for the name of a group; none for other groups and names.
  virtual std::optional<GroupTensor> group_tensor(const std::string& /*name*/) const { return std::nullopt; }

  /// Is it one of groups(), or the empty name of all?
  bool has_group(const std::string& name) const;

  /// The entry of that name, or else the only one whose name is the same in NFC; null without one. Fast if tensors()
  /// are sorted by name, or if the format keeps a sorted list of names.
  virtual const TensorInfo* find(const std::string& name) const;

  /// The places of the columns that a name chooses in their table or matrix (age,height; 1-20; e*); none if it is the
  /// name of something else.
  virtual std::vector<std::size_t> columns_in(const std::string& /*name*/) const { return {}; }

  /// The description of the result of read(name): an entry, or a tensor that the format derives from the name (a link,
  /// columns of a table). Throws Error(input) listing tensors if there is none.
  virtual TensorInfo describe(const std::string& name) const;

 private:
  /// The result of read() as i64 or u64 instead of f64, if the format has no types and all numbers are integers.
  virtual std::optional<TensorView> read_whole_numbers(const std::string&, const Slab&, DType) { return std::nullopt; }
};

/// A tensor that stays in its source and is read in parts.
struct StoredTensor {
  Source* source = nullptr;
  TensorInfo info;
};

/// "q (3, 4) f32, k (5, 4) f32, events (not readable)": for messages, as listed_near().
std::string list_tensors(const Source& source, std::string_view near = {});

/// Receives the consecutive bytes of a tensor in row-major order, in pieces of any size.
using ByteConsumer = std::function<void(const void* data, std::size_t bytes)>;

/// A tensor that is written while it is computed: dtype and shape are known, and the elements can be requested once.
struct TensorProducer {
  DType dtype = DType::f64;
  Shape shape;
  std::function<void(const ByteConsumer& consume)> produce;
  bool is_counted = true;  ///< else as many rows as come, for a table of text alone: the shape has the first of them
};

/// All elements of a producer, in memory.
TensorView collect(const TensorProducer& producer);

/// Writes several named tensors, all of them or none.
class Sink {
 public:
  virtual ~Sink() = default;

  /// A tensor of that name will be added: throws what add() or end_batch() would throw for the name, before it is
  /// computed.
  virtual void expect(const std::string& name) = 0;
  /// The tensors of a batch will be added: throws what add() would throw for their names, dtypes and shapes.
  virtual void expect(const std::vector<TensorInfo>& batch) = 0;

  /// Adds a tensor; its memory is used in place when the batch is written. Throws Error(usage) if the name is taken.
  virtual void add(const std::string& name, const TensorView& tensor, const Attributes& attributes = {}) = 0;
  /// Adds a tensor whose elements are computed while they are written.
  virtual void add(const std::string& name, TensorProducer producer, const Attributes& attributes = {}) = 0;
  /// Attributes of a group, or of the whole batch for the empty name. A group without tensors is created. Formats
  /// without groups omit attributes of groups.
  virtual void set_attributes(const std::string& group, const Attributes& attributes) = 0;

  /// Writes the current batch, so that a reader need not wait for the next one. The next add() begins another batch, or
  /// throws Error(usage) if the format can contain only one. Such a format calls has_more() first and throws before
  /// anything is written.
  virtual void end_batch(const std::function<bool()>& has_more = {}) = 0;

  /// Writes the rest and makes the output visible. Without commit(), the output never appears.
  virtual void commit() = 0;
};

/// The strings of the attribute of that name; none if it is missing or has numbers.
std::vector<std::string> texts_of(const Attributes& attributes, const std::string& name);

// A source in memory: named tensors of a program, in place of a file.

/// Named tensors as a Source, in the order they were added.
class TensorMap : public Source {
 public:
  explicit TensorMap(std::string label = "memory") : label_(std::move(label)) {}

  /// Throws Error(usage) if the name is taken.
  void add(const std::string& name, const TensorView& tensor);

  /// Throws Error(input) for an unknown name.
  TensorView at(const std::string& name) const;

  const std::string& label() const noexcept override { return label_; }
  const std::vector<TensorInfo>& tensors() const noexcept override { return infos_; }
  TensorView read(const std::string& name, const Slab& part = {}) override;
  Attributes attributes(const std::string& name = {}) const override;

 private:
  std::string label_;
  std::vector<TensorInfo> infos_;
  std::map<std::string, TensorView> tensors_;
};

}  // namespace attn
