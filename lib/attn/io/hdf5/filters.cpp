// Filters of HDF5: own decoders, decoders of libraries, and those of plugins.

#include <attn/core/module.hpp>
#include <attn/io/hdf5/codecs.hpp>
#include <attn/io/hdf5/filters.hpp>
#include <attn/io/input.hpp>

#include <H5PLextern.h>
#include <dlfcn.h>
#include <hdf5.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <sstream>

namespace attn::io::hdf5 {
namespace {

// Byte shuffle and Fletcher's checksum: filters that move bytes or add some.

/// Fletcher's checksum of 16-bit words, the first byte of each the higher one, modulo 65535 where 65535 stands for 0.
std::uint32_t fletcher32_of(const unsigned char* at, std::size_t bytes) noexcept {
  const auto folded = [](std::uint64_t sum) {
    while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
    return sum;
  };
  std::uint64_t sum = 0, sum_of_sums = 0;
  constexpr std::size_t words_without_overflow = 1 << 15;
  for (std::size_t i = 0; i < bytes;) {
    const std::size_t end = std::min(bytes, i + 2 * words_without_overflow);
    for (; i < end; i += 2) {
      sum += static_cast<unsigned>(at[i] << 8 | (i + 1 < bytes ? at[i + 1] : 0));
      sum_of_sums += sum;
    }
    sum = folded(sum);
    sum_of_sums = folded(sum_of_sums);
  }
  return static_cast<std::uint32_t>(sum_of_sums << 16 | sum);
}

/// Bytes k of all elements are together, followed by the bytes that do not fill an element.
std::size_t undo_shuffle(const FilterStep& step, Cursor stored, unsigned char* to, std::size_t most) {
  require(!step.values.empty() && step.values[0] > 0, "the byte shuffle has no width");
  const std::size_t bytes = stored.left(), width = step.values[0], count = bytes / width;
  require(bytes <= most, "a chunk has a wrong size");
  const unsigned char* from = stored.data();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < width; ++k) to[i * width + k] = from[k * count + i];
  std::copy(from + count * width, from + bytes, to + count * width);
  return bytes;
}

std::size_t undo_fletcher32(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  constexpr std::size_t checksum_bytes = 4;
  require(stored.left() >= checksum_bytes && stored.left() - checksum_bytes <= most, "a chunk has a wrong size");
  const Cursor elements = stored.take(stored.left() - checksum_bytes);
  require(stored.small(checksum_bytes) == fletcher32_of(elements.data(), elements.left()),
          "a chunk has a wrong checksum");
  std::copy_n(elements.data(), elements.left(), to);
  return elements.left();
}

/// LZF, the filter of h5py. Source: Marc Lehmann's LibLZF. Each run starts with a byte. Below 32, it is the number of
/// bytes that follow, less 1; else its upper 3 bits are the length of a repetition, and its lower 5 bits and another
/// byte are the distance back.
std::size_t undo_lzf(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  std::size_t done = 0;
  const auto require_room = [&](std::size_t count) { require(count <= most - done, "a chunk expands to too much"); };
  while (stored.left() > 0) {
    const unsigned head = stored.small(1);
    constexpr unsigned first_repeat = 32, long_repeat = 7;
    if (head < first_repeat) {
      const Cursor run = stored.take(head + 1);
      require_room(run.left());
      std::copy_n(run.data(), run.left(), to + done);
      done += run.left();
      continue;
    }
    std::size_t count = (head >> 5) + 2;
    if (head >> 5 == long_repeat) count += stored.small(1);
    const std::size_t back = ((head & 31) << 8 | stored.small(1)) + 1;
    require(back <= done, "a chunk repeats bytes before its start");
    require_room(count);
    for (std::size_t i = 0; i < count; ++i, ++done) to[done] = to[done - back];  // they may overlap
  }
  return done;
}

// N-bit and scale-offset, which store only the significant bits of a number: from the highest on, one number after the
// other, without gaps.

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

// Filters that are decoded by libraries.

/// Converts to a count of a library.
template <class Count>
Count as_count(std::size_t bytes) {
  require(bytes <= static_cast<std::size_t>(std::numeric_limits<Count>::max()), "a chunk is too large for its filter");
  return static_cast<Count>(bytes);
}

std::size_t expand(Codecs::Function expand, Cursor stored, unsigned char* to, std::size_t most) {
  const std::size_t size = expand(stored.data(), stored.left(), to, most);
  require(size != Codecs::damaged, "a chunk does not expand to its size");
  return size;
}

std::size_t undo_deflate(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  uLongf expanded = most;
  require(uncompress(to, &expanded, stored.data(), stored.left()) == Z_OK, "a chunk does not expand to its size");
  return expanded;
}

/// The first four bytes are the size of the elements.
std::size_t undo_szip(const FilterStep& step, Cursor stored, unsigned char* to, std::size_t most) {
  constexpr std::size_t mask = 0, block = 1, bits = 2, line = 3;
  require(step.values.size() > line, "szip has too few values");
  const unsigned width = step.values[bits], pixels = step.values[block], scan = step.values[line];
  require((width >= 1 && width <= 32) || width == 64, "szip has numbers of a wrong width");
  require(pixels >= 2 && pixels % 2 == 0, "szip has blocks of a wrong size");
  require(scan > 0, "szip has lines of a wrong length");
  const std::size_t size = stored.number(4);
  require(size <= most, "a chunk has a wrong size");
  const std::size_t gave =
      codecs().expand_szip({step.values[mask], width, pixels, scan}, stored.data(), stored.left(), to, size);
  require(gave == size, "a chunk does not expand to its size");
  return size;
}

std::size_t undo_bzip2(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  as_count<unsigned>(stored.left());
  return expand(codecs().expand_bzip2, stored, to, as_count<unsigned>(most));
}

/// One block without a header.
std::size_t expand_lz4(Cursor block, unsigned char* to, std::size_t most) {
  as_count<int>(block.left());
  as_count<int>(most);
  return expand(codecs().expand_lz4, block, to, most);
}

/// The size of all elements, the size of a block, and blocks, each after its stored size; incompressible blocks are
/// unchanged.
std::size_t undo_lz4(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  const std::uint64_t size = stored.big_endian(8), block = stored.big_endian(4);
  require(size <= most && block > 0, "a chunk has a wrong size");
  for (std::uint64_t done = 0; done < size;) {
    const std::uint64_t some = std::min(block, size - done);
    const Cursor packed = stored.take(stored.big_endian(4));
    if (packed.left() == some)
      std::copy_n(packed.data(), some, to + done);
    else
      require(expand_lz4(packed, to + done, some) == some, "a block does not expand to its size");
    done += some;
  }
  return size;
}

std::size_t undo_zstd(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  return expand(codecs().expand_zstd, stored, to, most);
}

/// The header of the chunk has all parameters.
std::size_t undo_blosc(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  return expand(codecs().expand_blosc, stored, to, most);
}

// Bitshuffle, alone or followed by LZ4 or Zstandard. Source: Masui et al. 2015 and the filter's repository. In a block
// of elements, bits k of bytes j of all elements are together, eight elements a byte. The last elements, fewer than
// eight, follow unchanged.

constexpr std::size_t elements_a_byte = 8;

/// Bit i of byte k is bit k of byte i of the argument: the transpose of 8 by 8 bits (Hacker's Delight, 7-3).
constexpr std::uint64_t transposed_bits(std::uint64_t x) noexcept {
  std::uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aa;
  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & 0x0000cccc0000cccc;
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & 0x00000000f0f0f0f0;
  return x ^ t ^ t << 28;
}

/// Decodes a block; the number of elements is a multiple of 8.
void gather_bits(const unsigned char* from, std::size_t elements, std::size_t width, unsigned char* to) noexcept {
  const std::size_t row = elements / elements_a_byte;
  for (std::size_t byte = 0; byte < width; ++byte) {
    const unsigned char* rows = from + byte * 8 * row;
    for (std::size_t group = 0; group < row; ++group) {
      std::uint64_t bits = 0;
      for (std::size_t k = 0; k < 8; ++k) bits |= std::uint64_t{rows[k * row + group]} << 8 * k;
      bits = transposed_bits(bits);
      for (std::size_t i = 0; i < elements_a_byte; ++i)
        to[(group * elements_a_byte + i) * width + byte] = static_cast<unsigned char>(bits >> 8 * i);
    }
  }
}

/// Elements in a block if the file does not give them.
std::size_t usual_block(std::size_t width) {
  constexpr std::size_t bytes = 8192, fewest = 128;
  return std::max(bytes / width / elements_a_byte * elements_a_byte, fewest);
}

std::size_t undo_bitshuffle(const FilterStep& step, Cursor stored, unsigned char* to, std::size_t most) {
  constexpr unsigned none = 0, lz4 = 2, zstd = 3;
  const auto value = [&](std::size_t i) { return i < step.values.size() ? step.values[i] : 0; };
  const std::size_t width = value(2), compressor = value(4);
  require(width > 0, "bitshuffle has elements of no width");
  require(compressor == none || compressor == lz4 || compressor == zstd, "bitshuffle has an unknown compressor");
  std::uint64_t bytes = stored.left(), block = value(3) == 0 ? usual_block(width) : value(3);
  if (compressor != none) {
    bytes = stored.big_endian(8);
    block = stored.big_endian(4) / width;
  }
  require(bytes <= most && bytes % width == 0, "a chunk has a wrong size");
  require(block > 0 && block % elements_a_byte == 0, "bitshuffle has blocks of a wrong size");
  const std::uint64_t count = bytes / width, rest = count % elements_a_byte;
  std::vector<unsigned char> expanded;
  for (std::uint64_t done = 0; done < count - rest;) {
    const std::uint64_t some = std::min(block, count - rest - done), size = some * width;
    if (compressor == none) {
      gather_bits(stored.take(size).data(), some, width, to + done * width);
    } else {
      const Cursor packed = stored.take(stored.big_endian(4));
      expanded.resize(size);
      const std::size_t gave = compressor == lz4 ? expand_lz4(packed, expanded.data(), size)
                                                 : expand(codecs().expand_zstd, packed, expanded.data(), size);
      require(gave == size, "a block does not expand to its size");
      gather_bits(expanded.data(), some, width, to + done * width);
    }
    done += some;
  }
  std::copy_n(stored.take(rest * width).data(), rest * width, to + (count - rest) * width);
  return bytes;
}

// Plugins of HDF5. A plugin is opened directly, without the library: it is needed only to decode, and the library would
// open all plugins of a folder to find one.

struct Plugins {
  std::string folders;
  std::map<unsigned, H5Z_func_t> functions;  // by filter; null: no plugin decodes it
};

Plugins& plugins() {
  static Plugins all;
  return all;
}

/// The filter's function in a file that is its plugin; else null.
H5Z_func_t function_in(const std::filesystem::path& file, unsigned filter) {
  void* const opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return nullptr;
  const auto kind = reinterpret_cast<decltype(&H5PLget_plugin_type)>(dlsym(opened, "H5PLget_plugin_type"));
  const auto info = reinterpret_cast<decltype(&H5PLget_plugin_info)>(dlsym(opened, "H5PLget_plugin_info"));
  if (kind != nullptr && info != nullptr && kind() == H5PL_TYPE_FILTER) {
    const auto* const found = static_cast<const H5Z_class2_t*>(info());
    if (found != nullptr && found->id == static_cast<H5Z_filter_t>(filter)) return found->filter;
  }
  dlclose(opened);
  return nullptr;
}

/// Files of plugins have no fixed names. Those with a word of the filter's name come first: opening all that hdf5plugin
/// has takes up to 90 ms.
std::vector<std::filesystem::path> candidates(const std::string& folders, const std::string& filter) {
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  std::vector<std::filesystem::path> files;
  std::istringstream names(folders);
  for (std::string folder; std::getline(names, folder, ':');) {
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable))
      if (entry.path().filename().string().find(".so") != std::string::npos) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::string words = lower(filter);
  std::replace_if(
      words.begin(), words.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, ' ');
  std::stable_partition(files.begin(), files.end(), [&](const std::filesystem::path& file) {
    const std::string name = lower(file.filename());
    std::istringstream each(words);
    for (std::string word; each >> word;)
      if (word.size() > 2 && name.find(word) != std::string::npos) return true;
    return false;
  });
  return files;
}

H5Z_func_t function_of(const FilterStep& step) {
  const auto [place, is_new] = plugins().functions.try_emplace(step.id, nullptr);
  if (is_new)
    for (const std::filesystem::path& file : candidates(plugins().folders, step.name))
      if ((place->second = function_in(file, step.id)) != nullptr) break;
  return place->second;
}

/// As HDF5 calls a filter: it may replace the buffer.
std::size_t undo_by_plugin(const FilterStep& step, Cursor stored, unsigned char* to, std::size_t most) {
  std::size_t room = std::max<std::size_t>(stored.left(), 1);
  void* buffer = std::malloc(room);
  if (buffer == nullptr) throw std::bad_alloc();
  std::copy_n(stored.data(), stored.left(), static_cast<unsigned char*>(buffer));
  const std::size_t size =
      function_of(step)(H5Z_FLAG_REVERSE, step.values.size(), step.values.data(), stored.left(), &room, &buffer);
  const std::unique_ptr<void, decltype(&std::free)> owned(buffer, std::free);
  require(size > 0 && size <= room, "a plugin cannot decode a chunk");
  require(size <= most, "a chunk has a wrong size");
  std::copy_n(static_cast<const unsigned char*>(buffer), size, to);
  return size;
}

/// By a plugin from the folders that the user has named; null if there is none.
Decoder decoder_of_plugin(const FilterStep& step) {
  return plugins().folders.empty() || function_of(step) == nullptr ? nullptr : undo_by_plugin;
}

}  // namespace

const Codecs& codecs() {
  constexpr Module module{"libattn-codecs.so", "decodes bzip2, szip, blosc, lz4 and zstd", "libblosc1"};
  static const auto& found = *static_cast<const Codecs*>(find_in_module(module, codecs_name));
  return found;
}

Decoder decoder_of(const FilterStep& step) {
  switch (step.id) {
    case filter::deflate: return undo_deflate;
    case filter::shuffle: return undo_shuffle;
    case filter::fletcher32: return undo_fletcher32;
    case filter::szip: return undo_szip;
    case filter::n_bit: return undo_n_bit;
    case filter::scale_offset: return undo_scale_offset;
    case filter::bzip2: return undo_bzip2;
    case filter::lzf: return undo_lzf;
    case filter::blosc: return undo_blosc;
    case filter::lz4: return undo_lz4;
    case filter::bitshuffle: return undo_bitshuffle;
    case filter::zstd: return undo_zstd;
    default: return decoder_of_plugin(step);
  }
}

std::string way_to_decode() {
  const std::string& folders = plugins().folders;
  return folders.empty() ? "name the folder of a plugin for it in HDF5_PLUGIN_PATH; its code will run in this process"
                         : "HDF5_PLUGIN_PATH, " + folders + ", has no plugin for it that can be loaded";
}

std::size_t element_width(const FilterStep& step) noexcept {
  const auto value = [&](std::size_t i) { return i < step.values.size() ? step.values[i] : 0; };
  switch (step.id) {
    case filter::shuffle: return value(0);
    case filter::n_bit:
    case filter::scale_offset: return value(4);
    case filter::bitshuffle: return value(2);
    default: return 0;
  }
}

}  // namespace attn::io::hdf5

namespace attn::io {

void set_hdf5_plugins(const std::string& folders) { hdf5::plugins() = {folders, {}}; }

}  // namespace attn::io
