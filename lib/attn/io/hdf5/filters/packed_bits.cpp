// Filters of HDF5 that store only the significant bits of a number: n-bit and scale-offset.
//
// Both write the bits of each number from the highest on, one number after the other, without gaps.

#include <attn/io/hdf5/filters/filters.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace attn::io::hdf5 {
namespace {

class BitCursor {
 public:
  explicit BitCursor(Cursor bytes) : bytes_(bytes) {}

  /// The next `count` bits, at most 8.
  unsigned take(unsigned count) {
    if (left_ < count) {
      held_ = (held_ & 0xff) << 8 | bytes_.small(1);
      left_ += 8;
    }
    left_ -= count;
    return held_ >> left_ & ((1u << count) - 1);
  }

 private:
  Cursor bytes_;
  unsigned held_ = 0, left_ = 0;  // the lowest `left_` bits come next
};

/// The type of elements in the parameters of n-bit: a tree in preorder.
class NBitElements {
 public:
  NBitElements(const std::vector<unsigned>& values, Cursor stored) : values_(values), bits_(stored) {}

  /// Writes one element of the node at `at`, and moves `at` after the node. Returns the element's size.
  std::size_t take(std::size_t& at, unsigned char* to, std::size_t room, int depth = 0) {
    constexpr int deepest = 32;
    require(depth < deepest, "n-bit describes a type that is nested too deep");
    const unsigned kind = value(at++), size = value(at++);
    require(size > 0 && size <= room, "n-bit describes parts that are larger than the element");
    constexpr unsigned number = 1, array = 2, record = 3, unchanged = 4;
    if (kind == number) {
      take_number(at, to, size);
    } else if (kind == array) {
      const std::size_t begin = at;
      for (std::size_t done = 0; done < size;) {
        at = begin;
        done += take(at, to + done, size - done, depth + 1);
      }
    } else if (kind == record) {
      const unsigned members = value(at++);
      for (unsigned member = 0; member < members; ++member) {
        const unsigned offset = value(at++);
        require(offset < size, "n-bit describes parts that are larger than the element");
        take(at, to + offset, size - offset, depth + 1);
      }
    } else {
      require(kind == unchanged, "n-bit describes an unknown type");
      for (unsigned k = 0; k < size; ++k) to[k] = static_cast<unsigned char>(bits_.take(8));
    }
    return size;
  }

 private:
  unsigned value(std::size_t at) const {
    require(at < values_.size(), "n-bit describes a type without its end");
    return values_[at];
  }

  void take_number(std::size_t& at, unsigned char* to, unsigned size) {
    const unsigned order = value(at++), precision = value(at++), offset = value(at++);
    require(order <= 1 && precision <= size * 8 && offset <= size * 8 - precision,
            "n-bit describes bits outside of a number");
    for (unsigned end = offset + precision; end > offset;) {
      const unsigned byte = (end - 1) / 8, begin = std::max(offset, byte * 8);
      to[order == 0 ? byte : size - 1 - byte] |= static_cast<unsigned char>(bits_.take(end - begin) << begin % 8);
      end = begin;
    }
  }

  const std::vector<unsigned>& values_;
  BitCursor bits_;
};

/// Indices of the parameters of scale-offset.
namespace scale {
constexpr std::size_t kind = 0, factor = 1, count = 2, element = 3, size = 4, sign = 5, order = 6, has_fill = 7,
                      fill = 8, values = 20;
constexpr unsigned decimal = 0, of_integers = 2;  // kinds
constexpr unsigned integer = 0, floating = 1;     // elements
}  // namespace scale

/// The number of each code: the smallest number plus the code, for floats the code divided by a power of 10.
class ScaledNumber {
 public:
  ScaledNumber(const FilterStep& step, unsigned bits, std::uint64_t smallest)
      : is_float_(step.values[scale::element] == scale::floating),
        size_(step.values[scale::size]),
        has_fill_(step.values[scale::has_fill] != 0),
        fill_code_((std::uint64_t{1} << bits) - 1),
        smallest_(smallest),
        digits_(static_cast<int>(step.values[scale::factor])) {
    fill_ = std::uint64_t{step.values[scale::fill + 1]} << 32 | step.values[scale::fill];
  }

  /// The bytes of the number, in the lowest bytes.
  std::uint64_t of(std::uint64_t code) const {
    if (has_fill_ && code == fill_code_) return fill_;
    if (!is_float_) return code + smallest_;
    return size_ == sizeof(float) ? scaled<float>(code) : scaled<double>(code);
  }

 private:
  template <class T>
  std::uint64_t scaled(std::uint64_t code) const {
    T smallest;
    std::memcpy(&smallest, &smallest_, sizeof smallest);
    const T value =
        static_cast<T>(static_cast<std::int64_t>(code)) / std::pow(T{10}, static_cast<T>(digits_)) + smallest;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, &value, sizeof value);
    return bytes;
  }

  bool is_float_;
  std::size_t size_;
  bool has_fill_;
  std::uint64_t fill_code_, smallest_, fill_;
  int digits_;
};

}  // namespace

std::size_t undo_n_bit(const FilterStep& step, Cursor stored, unsigned char* to, std::size_t most) {
  constexpr std::size_t head = 3;  // number of parameters, is the chunk unchanged?, number of elements
  constexpr std::size_t type = head;
  require(step.values.size() >= head, "n-bit does not describe the elements");
  if (step.values[1] != 0) {  // such as texts, of which no more is said
    require(stored.left() <= most, "a chunk has a wrong size");
    std::copy_n(stored.data(), stored.left(), to);
    return stored.left();
  }
  require(step.values.size() >= head + 2, "n-bit does not describe the elements");
  const std::uint64_t count = step.values[2], size = step.values[type + 1];
  require(size > 0 && count <= most / size, "a chunk has a wrong size");
  std::fill_n(to, count * size, static_cast<unsigned char>(0));
  NBitElements elements(step.values, stored);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::size_t at = type;
    elements.take(at, to + i * size, size);
  }
  return count * size;
}

std::size_t undo_scale_offset(const FilterStep& step, Cursor stored, unsigned char* to, std::size_t most) {
  require(step.values.size() == scale::values, "scale-offset has a wrong number of values");
  const unsigned kind = step.values[scale::kind], element = step.values[scale::element];
  const std::uint64_t count = step.values[scale::count], size = step.values[scale::size];
  const bool is_float = element == scale::floating;
  require(element <= scale::floating && (is_float ? kind == scale::decimal : kind == scale::of_integers),
          "scale-offset has an unknown kind");
  require((size == 1 && !is_float) || (size == 2 && !is_float) || size == 4 || size == 8,
          "scale-offset has numbers of an unknown width");
  require(count <= most / size && step.values[scale::order] <= 1, "a chunk has a wrong size");
  const std::uint64_t bytes = count * size;
  if (!is_float && step.values[scale::factor] == size * 8) {  // unchanged
    std::copy_n(stored.take(bytes).data(), bytes, to);
    return bytes;
  }
  constexpr std::size_t most_smallest_bytes = 8, head_bytes = 21;
  Cursor head = stored.take(head_bytes);
  const unsigned bits = head.small(4), smallest_bytes = head.small(1);
  require(bits <= size * 8, "scale-offset stores more bits than a number has");
  const std::uint64_t smallest = head.number(std::min<std::size_t>(smallest_bytes, most_smallest_bytes));
  const bool is_whole = bits == size * 8;
  const ScaledNumber number(step, is_whole ? 0 : bits, smallest);
  Cursor whole = is_whole ? stored.take(bytes) : Cursor(nullptr, 0);
  BitCursor packed(stored);
  const bool is_big_endian = step.values[scale::order] == 1;
  for (std::uint64_t i = 0; i < count; ++i, to += size) {
    std::uint64_t value = 0;
    if (is_whole) {
      value = whole.number(size);
    } else {
      for (unsigned left = bits; left > 0;) {
        const unsigned some = left % 8 == 0 ? 8 : left % 8;
        value = value << some | packed.take(some);
        left -= some;
      }
      value = number.of(value);
    }
    for (std::size_t k = 0; k < size; ++k)
      to[is_big_endian ? size - 1 - k : k] = static_cast<unsigned char>(value >> 8 * k);
  }
  return bytes;
}

}  // namespace attn::io::hdf5
