#pragma once
// Where tensors come from and where they go. core declares these interfaces, io implements them for each format, and
// the numeric folders use them without knowing any format.

#include <attn/core/slab.hpp>
#include <attn/core/tensor.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// What is said of a tensor, a group or a whole batch: small tensors by name, of any dtype and shape.
using Attributes = std::map<std::string, TensorView>;

/// Those of groups, by their paths; of the whole batch: "".
using GroupAttributes = std::map<std::string, Attributes>;

/// What a source says of a tensor before it is read.
struct TensorInfo {
  std::string name;  ///< path inside the source without a leading slash: "enc/0/q"
  DType dtype = DType::f64;
  Shape shape;
};

/// What a source holds beside its tensors: read() refuses it by name.
struct Unreadable {
  std::string name;
  std::string reason;  ///< completes "NAME ...": "has elements of another kind (a record)"
  std::string fix;     ///< what to do about it; may be empty
};

/// Several named tensors, read in place where the format allows, a part at a time where it is asked for.
/// A source may hold a sequence of batches (images that follow each other in a pipe): one is current at a time.
class Source {
 public:
  virtual ~Source() = default;

  /// For messages: the file's name, or "standard input".
  virtual const std::string& label() const noexcept = 0;

  /// The tensors of the current batch, in the order of the file. Throws Error(data) for a damaged file, as do the other
  /// lists, of which a format may make none before they are asked for.
  virtual const std::vector<TensorInfo>& tensors() const = 0;

  /// Datasets of the current batch that are no tensors, or that cannot be decoded here.
  virtual const std::vector<Unreadable>& unreadable() const;

  /// A hint: all of these will be read, in this order. A table reads several columns in one pass through its text.
  virtual void will_read(const std::vector<TensorInfo>&) {}

  /// The tensor of that name, or the part of it: only those bytes are read. The view is named "LABEL:/NAME".
  /// Throws Error(input) when there is no such tensor or the bytes are not there.
  virtual TensorView read(const std::string& name, const Slab& part = {}) = 0;

  /// What read() gives, for comparing it with a tensor of that dtype: where that is i64 or u64, whole numbers of a
  /// table, which says nothing of types, keep all their digits, as f64 does not beyond 2^53.
  TensorView read_beside(DType other, const std::string& name, const Slab& part = {});

  /// The same tensors as they are stored, where attributes say that they mean other values.
  virtual Source& stored() noexcept { return *this; }

  /// Is it a table of text, which says nothing of types and may be read in several ways?
  virtual bool is_table() const noexcept { return false; }

  /// A hint: this part, which read() gave, will not be looked at soon. A mapped file gives its pages back.
  virtual void release(const TensorView&) const noexcept {}

  /// Groups of the current batch that may have attributes, by their paths; the batch itself is none of them.
  virtual const std::vector<std::string>& groups() const;

  /// Attributes of a tensor or a group, or of the whole batch for the empty name.
  virtual Attributes attributes(const std::string& name = {}) const = 0;

  /// What no copy of the tensor keeps, for a note: "unlimited dimensions become fixed in the copy". Mostly empty.
  virtual std::string lost_in_copies(const std::string& /*name*/) const { return {}; }

  /// Attributes that attributes(name) leaves out, as they are no tensors.
  virtual std::vector<Unreadable> unreadable_attributes(const std::string& name = {}) const;

  /// Is there another batch behind the current one? Throws Error(data) where something else is.
  virtual bool has_next_batch() { return false; }

  /// Moves on to the next batch; false when there is none. Views of the batch before stay valid.
  virtual bool next_batch() { return false; }

  /// The group as groups() has it, which links may give other names too; the name itself where it is no such name.
  virtual std::string group_of(const std::string& name) const { return name; }

  /// Is it one of groups(), or the empty name of all?
  bool has_group(const std::string& name) const;

  /// The entry of that name or null. At once where tensors() are in the order of names, or the format has an order of
  /// its own and a list of names beside it.
  virtual const TensorInfo* find(const std::string& name) const;

  /// What read(name) would give: an entry, or something that the format makes of the name (a link, columns of a table).
  /// Throws Error(input) that lists all tensors when there is no such thing.
  virtual TensorInfo describe(const std::string& name) const;

 private:
  /// What read() gives as f64, as i64 or u64, where the format says nothing of types and all numbers are such.
  virtual std::optional<TensorView> read_whole_numbers(const std::string&, const Slab&, DType) { return std::nullopt; }
};

/// A tensor that stays where it is stored and is read in parts.
struct StoredTensor {
  Source* source = nullptr;
  TensorInfo info;
};

/// "q (3, 4) f32, k (5, 4) f32, events (not readable)": for messages.
std::string list_tensors(const Source& source);

/// Receives the consecutive bytes of a tensor in row-major order, in pieces of any size.
using ByteConsumer = std::function<void(const void* data, std::size_t bytes)>;

/// A tensor that is written while it is computed: its dtype and shape are known, its elements come on request, once.
struct TensorProducer {
  DType dtype = DType::f64;
  Shape shape;
  std::function<void(const ByteConsumer& consume)> produce;
};

/// All that a producer makes, in memory.
TensorView collect(const TensorProducer& producer);

/// Takes several named tensors and makes them appear whole or not at all.
class Sink {
 public:
  virtual ~Sink() = default;

  /// A tensor of that name will be added: throws what add() or end_batch() would throw for the name, before it is
  /// computed.
  virtual void expect(const std::string& name) = 0;
  /// So will the tensors of a batch: throws what they would meet with, by names, dtypes and shapes.
  virtual void expect(const std::vector<TensorInfo>& batch) = 0;

  /// Adds a tensor; its memory is used in place when the batch is written. Throws Error(usage) when the name is taken.
  virtual void add(const std::string& name, const TensorView& tensor, const Attributes& attributes = {}) = 0;
  /// Adds a tensor whose elements are computed while they are written.
  virtual void add(const std::string& name, TensorProducer producer, const Attributes& attributes = {}) = 0;
  /// Attributes of a group, which is made where no tensor is in it, or of the whole batch for the empty name. Formats
  /// without groups leave those of groups out.
  virtual void set_attributes(const std::string& group, const Attributes& attributes) = 0;

  /// Writes the current batch: who reads the output need not wait until another is there. What is added next begins
  /// another; add() throws Error(usage) then where the format holds only one. Such a format asks first whether more
  /// will come, and throws then, before anything is written.
  virtual void end_batch(const std::function<bool()>& has_more = {}) = 0;

  /// Writes what is left and makes the output visible. Without it the output never appears.
  virtual void commit() = 0;
};

}  // namespace attn
