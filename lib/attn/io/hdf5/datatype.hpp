#pragma once
// Types of elements, as datatype messages describe them (HDF5 File Format Specification, version 3.0, IV.A.2.d).

#include <attn/core/dtype.hpp>
#include <attn/core/shape.hpp>
#include <attn/io/hdf5/file_bytes.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn::io::hdf5 {

struct Datatype {
  /// In the order of their numbers in a file. A complex number is an array of its two parts.
  enum class Kind { integer, floating, time, text, bits, opaque, record, reference, enumeration, list, array, complex };
  enum class Padding { ends_with_nul, nul, space };
  /// Places of bits count from the lowest bit of an element.
  struct Float {
    unsigned sign_at = 0, exponent_at = 0, exponent_bits = 0, mantissa_at = 0, mantissa_bits = 0;
    std::uint32_t bias = 0;
    bool has_implied_bit = true;

    bool operator==(const Float& other) const noexcept;
  };
  struct Member;

  Kind kind = Kind::opaque;
  std::uint64_t size = 0;
  bool is_big_endian = false, is_vax = false, is_signed = false;
  unsigned offset = 0, precision = 0;  ///< bits of a number
  Float bits;                          ///< of a float
  Padding padding = Padding::nul;      ///< of a text of fixed width
  bool is_variable_text = false;       ///< the text is in a heap
  unsigned reference_kind = 0;
  Shape extents;                         ///< of an array
  std::shared_ptr<const Datatype> base;  ///< of an enumeration, a list or an array
  std::vector<Member> members;           ///< of a record
  std::vector<std::string> names;        ///< of the values of an enumeration
  std::string values;                    ///< these, one after the other

  bool is_record() const noexcept { return kind == Kind::record; }
  /// Is it a complex number of h5py and others: a record of two floats, "r" and "i" or "real" and "imag".
  bool is_complex() const;
  /// The names of the fields of a record, those of nested records with a slash: "pos/x".
  std::vector<std::string> field_names() const;
  /// Memory in addition to the struct itself.
  std::uint64_t memory() const;
};

struct Datatype::Member {
  std::string name;
  std::uint64_t offset = 0;
  Datatype type;
};

/// Reads a type from the front of a message. `reference_bytes`: those of a text in a heap. Throws Damage.
Datatype read_datatype(Cursor& message, std::uint64_t reference_bytes, int depth = 0);

/// The part of each stored element to read.
struct Field {
  Datatype type;           ///< of the numbers or strings
  Shape inner;             ///< extents of an array
  std::size_t offset = 0;  ///< bytes before them
};

/// The field of that name, or for the empty name the whole element. Nothing if there is no such field.
std::optional<Field> field_of(const Datatype& type, const std::string& name);

/// A remedy for elements of dataset `name` whose type element_type() refuses.
std::string way_to_read(const Datatype& type, const std::string& name);

/// Conversion of elements of an HDF5 type to a dtype.
struct ElementType {
  enum class Storage {
    raw,             ///< the bits are those of the dtype, perhaps in the other byte order
    converted,       ///< 80-bit floats, 24-bit integers, logicals of R as f64
    fixed_string,    ///< padded to a fixed width
    variable_string  ///< references to texts in a heap
  };
  DType dtype = DType::f64;
  Storage storage = Storage::raw;
  bool swap_bytes = false;
  std::size_t width = 0;  ///< bytes stored
};

/// False for types that are not tensor elements: records, references, lists ...; `what` then names the type.
bool element_type(const Datatype& type, ElementType& element, std::string& what);

/// Converts stored numbers of this type, the storage of which is `converted`, into elements of the dtype at `out`.
void convert_elements(const Datatype& type, const void* stored, std::size_t count, DType dtype, void* out);

/// The messages of types to write: little-endian numbers, and texts. HDF5 stores a text with a NUL byte inside in a
/// fixed width only.
std::string message_of_numbers(DType dtype);
std::string message_of_texts(std::size_t width, bool is_utf8, Datatype::Padding padding);
std::string message_of_variable_texts();

/// Bytes of a reference to a variable text that is written: length, address of its heap, number there.
constexpr std::size_t written_reference_bytes = 16;

}  // namespace attn::io::hdf5
