#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/io/hdf5/file_bytes.hpp>
#include <attn/io/hdf5/virtual.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace attn::io::hdf5 {
namespace {

/// A selection of HDF5, for the elements of a virtual dataset and of its sources: a product of indices along each axis.
class Selection {
 public:
  static constexpr std::size_t all_blocks = ~std::size_t{0};

  /// Reads a selection from the front of the description. Throws Damage, and UnknownVersion for other kinds: points, or
  /// blocks that are not a product of axes.
  explicit Selection(Cursor& description);

  /// Does it grow with the dataset?
  bool is_unlimited() const noexcept;
  /// Consecutive indices.
  struct Run {
    std::size_t begin, count;
  };
  /// The indices along each axis of a dataset of this shape. For an unlimited axis, only those of block `which`, unless
  /// it is all_blocks.
  std::vector<std::vector<Run>> runs(const Shape& shape, std::size_t which = all_blocks) const;

 private:
  /// `count` blocks of `block` indices, each `stride` after the one before.
  struct Axis {
    std::uint64_t start, stride, count, block;
  };

  void take_regular(Cursor& description, std::size_t width, std::size_t rank);
  void take_blocks(Cursor& description, std::size_t width, std::size_t rank);

  bool is_all_ = false, is_none_ = false;
  std::vector<std::vector<Axis>> axes_;  // for each axis; one if it is regular
};

/// A source of a virtual dataset.
struct VirtualPart {
  std::string file, dataset;  ///< file "." is the own file; %b stands for the number of a block
  Selection source, own;
};

constexpr std::uint64_t without_end = ~std::uint64_t{0};

/// A number with all bits set means no limit.
std::uint64_t take_limit(Cursor& description, std::size_t width) {
  const std::uint64_t number = description.number(width);
  const std::uint64_t most = width == 8 ? without_end : (std::uint64_t{1} << 8 * width) - 1;
  return number == most ? without_end : number;
}

Selection::Selection(Cursor& description) {
  constexpr unsigned none = 0, hyperslab = 2, all = 3;
  const unsigned kind = description.small(4), version = description.small(4);
  if (kind == none || kind == all) {
    is_none_ = kind == none;
    is_all_ = kind == all;
    description.skip(8);
    return;
  }
  require_version(kind == hyperslab && version >= 1 && version <= 3, "a selection is of an unknown kind");
  bool is_regular = false;
  std::size_t width = version == 1 ? 4 : 8;
  if (version == 1) {
    description.skip(8);
  } else {
    is_regular = (description.small(1) & 1) != 0;
    if (version == 3)
      width = description.small(1);
    else
      description.skip(4);
  }
  require(width == 2 || width == 4 || width == 8, "a selection has numbers of an odd size");
  const std::size_t rank = description.small(4);
  require(rank >= 1 && rank <= 32, "a selection has too many axes");
  is_regular ? take_regular(description, width, rank) : take_blocks(description, width, rank);
}

void Selection::take_regular(Cursor& description, std::size_t width, std::size_t rank) {
  for (std::size_t axis = 0; axis < rank; ++axis) {
    Axis regular;
    regular.start = description.number(width);
    regular.stride = description.number(width);
    regular.count = take_limit(description, width);
    regular.block = take_limit(description, width);
    require(regular.stride > 0 && regular.block > 0, "a selection has blocks of no extent");
    axes_.push_back({regular});
  }
}

/// Blocks by their first and last corners. They are a product of axes if there are as many as the product of the
/// numbers of intervals along each axis.
void Selection::take_blocks(Cursor& description, std::size_t width, std::size_t rank) {
  const std::uint64_t count = description.number(width);
  require(count <= description.left() / (2 * width * rank), "a selection has more blocks than it describes");
  using Interval = std::pair<std::uint64_t, std::uint64_t>;
  std::vector<std::set<Interval>> intervals(rank);
  for (std::uint64_t i = 0; i < count; ++i) {
    Cursor first = description.take(width * rank), last = description.take(width * rank);
    for (auto& axis : intervals) {
      const std::uint64_t begin = first.number(width), end = last.number(width);
      require(begin <= end, "a selection has blocks of no extent");
      axis.emplace(begin, end);
    }
  }
  std::uint64_t product = 1;
  for (const auto& axis : intervals) {
    std::uint64_t end_before = 0;
    for (const auto& [begin, end] : axis) {
      require_version(begin >= end_before, "a selection has blocks that overlap");
      end_before = end + 1;
    }
    product *= axis.size();
    require_version(product <= count, "a selection has blocks that are not a product of axes");
    axes_.emplace_back();
    for (const auto& [begin, end] : axis) axes_.back().push_back({begin, 1, 1, end - begin + 1});
  }
  require_version(product == count, "a selection has blocks that are not a product of axes");
}

bool Selection::is_unlimited() const noexcept {
  return std::any_of(axes_.begin(), axes_.end(), [](const std::vector<Axis>& axis) {
    return axis.size() == 1 && (axis.front().count == without_end || axis.front().block == without_end);
  });
}

std::vector<std::vector<Selection::Run>> Selection::runs(const Shape& shape, std::size_t which) const {
  require(is_all_ || is_none_ || axes_.size() == shape.size(), "a selection has another rank than its dataset");
  constexpr std::size_t most_runs = std::size_t{1} << 22;
  std::vector<std::vector<Run>> found(shape.size());
  for (std::size_t axis = 0; axis < shape.size() && !is_none_; ++axis) {
    const std::vector<Axis> whole{{0, 1, 1, without_end}};
    std::size_t end_before = 0;
    for (Axis run : is_all_ ? whole : axes_[axis]) {
      if (run.count == without_end && which != all_blocks) {
        require(which <= shape[axis] / run.stride, "a selection has more blocks than its dataset");
        run.start += which * run.stride;
        run.count = 1;
      }
      for (std::uint64_t block = 0; block < run.count; ++block) {
        if (run.start >= shape[axis]) break;
        std::uint64_t count = std::min<std::uint64_t>(run.block, shape[axis] - run.start);
        const bool is_one_run = run.stride == run.block;  // all blocks are adjacent
        if (is_one_run)
          count = run.count >= (shape[axis] - run.start) / run.block ? shape[axis] - run.start : run.count * run.block;
        require(run.start >= end_before, "a selection has blocks that overlap");
        require_version(found[axis].size() < most_runs, "a selection has too many blocks");
        found[axis].push_back({run.start, count});
        end_before = run.start + count;
        if (is_one_run || run.stride > shape[axis]) break;
        run.start += run.stride;
      }
    }
  }
  return found;
}

/// Throws Damage.
std::vector<VirtualPart> virtual_parts(std::string_view description, std::size_t length_width) {
  Cursor from(description);
  const unsigned version = from.small(1);
  require_version(version <= 1, "the sources of a virtual dataset have an unknown version");
  const std::uint64_t count = from.number(length_width);
  std::vector<VirtualPart> parts;
  for (std::uint64_t i = 0; i < count; ++i) {
    constexpr unsigned same_file_name = 1, same_dataset_name = 2, own_file = 4;
    const unsigned flags = version == 0 ? 0 : from.small(1);
    const auto named_before = [&]() -> const VirtualPart& {
      const std::uint64_t which = from.number(length_width);
      require(which < parts.size(), "a source of a virtual dataset has no name");
      return parts[which];
    };
    std::string file, dataset;
    if ((flags & own_file) != 0)
      file = ".";
    else
      file = (flags & same_file_name) != 0 ? named_before().file : std::string(from.terminated());
    dataset = (flags & same_dataset_name) != 0 ? named_before().dataset : std::string(from.terminated());
    Selection source(from), own(from);
    parts.push_back({std::move(file), std::move(dataset), std::move(source), std::move(own)});
  }
  return parts;
}

/// Wanted elements along one axis: `count` of them from `place` on in the result, every step-th of the source from
/// `source` on.
struct AxisPiece {
  std::size_t place, source, count;
};

using Runs = std::vector<Selection::Run>;

std::size_t total_of(const Runs& runs) {
  std::size_t total = 0;
  for (const Selection::Run& run : runs) total += run.count;
  return total;
}

/// The wanted pieces of an axis. The k-th index of the virtual selection is the k-th index of the source's.
std::vector<AxisPiece> pieces_of(const Runs& own, const Runs& source, std::size_t start, std::size_t step,
                                 std::size_t count) {
  std::vector<AxisPiece> pieces;
  std::size_t of_own = 0, of_source = 0, own_done = 0, source_done = 0;
  while (of_own < own.size() && of_source < source.size()) {
    const Selection::Run &here = own[of_own], &there = source[of_source];
    const std::size_t some = std::min(here.count - own_done, there.count - source_done);
    const std::size_t begin = here.begin + own_done, end = begin + some;
    const std::size_t place = begin <= start ? 0 : (begin - start + step - 1) / step;
    const std::size_t place_end = end <= start ? 0 : std::min(count, (end - start + step - 1) / step);
    if (place < place_end)
      pieces.push_back({place, there.begin + source_done + (start + place * step - begin), place_end - place});
    own_done += some;
    source_done += some;
    if (own_done == here.count) ++of_own, own_done = 0;
    if (source_done == there.count) ++of_source, source_done = 0;
  }
  return pieces;
}

/// An axis of the virtual dataset and its axis of the source; an axis of one element may have none.
struct AxisPair {
  std::optional<std::size_t> own, source;
};

std::vector<AxisPair> paired_axes(const std::vector<Runs>& own, const std::vector<Runs>& source, bool may_differ) {
  std::vector<AxisPair> pairs;
  std::size_t next = 0;
  const auto add_ones_of_source = [&] {
    for (; next < source.size() && total_of(source[next]) == 1; ++next) pairs.push_back({{}, next});
  };
  for (std::size_t axis = 0; axis < own.size(); ++axis) {
    const std::size_t count = total_of(own[axis]);
    if (count == 1) {
      pairs.push_back({axis, {}});
      continue;
    }
    add_ones_of_source();
    require(next < source.size() && (may_differ || total_of(source[next]) == count),
            "a virtual dataset has another shape than its source");
    pairs.push_back({axis, next++});
  }
  add_ones_of_source();
  require(next == source.size(), "a virtual dataset has another shape than its source");
  return pairs;
}

/// Copies the wanted elements of one source.
class PartCopy {
 public:
  PartCopy(const std::vector<Runs>& own, const std::vector<Runs>& source, bool may_differ, const ResolvedSlab& slab);

  bool is_empty() const noexcept { return is_empty_; }
  /// The smallest slab of the source with all of them.
  Slab wanted() const;
  /// `from`: the slab wanted(), row-major.
  void copy(const TensorView& from, Tensor& out) const;

 private:
  struct Axis {
    std::vector<AxisPiece> pieces;
    std::size_t step = 1;             // step in the source
    std::size_t place_row = 0;        // elements of the result per index
    std::optional<std::size_t> axis;  // axis of the source
    std::size_t first = 0, last = 0;  // first and last index in the source
  };

  void copy_along(std::size_t axis, std::size_t place, const char* from, char* out,
                  const std::vector<std::size_t>& rows, std::size_t width) const;

  std::vector<Axis> axes_;
  std::size_t source_rank_;
  bool is_empty_ = false;
};

PartCopy::PartCopy(const std::vector<Runs>& own, const std::vector<Runs>& source, bool may_differ,
                   const ResolvedSlab& slab)
    : source_rank_(source.size()) {
  std::vector<std::size_t> place_rows(own.size(), 1);
  for (std::size_t axis = own.size(); axis-- > 1;) place_rows[axis - 1] = place_rows[axis] * slab.count[axis];
  for (const auto* runs : {&own, &source})
    for (const Runs& axis : *runs) is_empty_ = is_empty_ || axis.empty();
  if (is_empty_) return;
  const Runs one{{0, 1}};
  for (const AxisPair& pair : paired_axes(own, source, may_differ)) {
    Axis axis;
    axis.axis = pair.source;
    const Runs& there = pair.source ? source[*pair.source] : one;
    if (pair.own) {
      axis.step = slab.step[*pair.own];
      axis.place_row = place_rows[*pair.own];
      axis.pieces = pieces_of(own[*pair.own], there, slab.start[*pair.own], axis.step, slab.count[*pair.own]);
    } else {
      axis.pieces = {{0, there.front().begin, 1}};
    }
    if (axis.pieces.empty()) {
      is_empty_ = true;
      return;
    }
    axis.first = axis.pieces.front().source;
    axis.last = axis.pieces.back().source + (axis.pieces.back().count - 1) * axis.step;
    axes_.push_back(std::move(axis));
  }
}

Slab PartCopy::wanted() const {
  Slab slab(source_rank_);
  for (const Axis& axis : axes_) {
    if (!axis.axis) continue;
    slab[*axis.axis].start = static_cast<std::int64_t>(axis.first);
    slab[*axis.axis].stop = static_cast<std::int64_t>(axis.last + 1);
  }
  return slab;
}

void PartCopy::copy(const TensorView& from, Tensor& out) const {
  std::vector<std::size_t> rows(source_rank_, 1);
  for (std::size_t axis = source_rank_; axis-- > 1;) rows[axis - 1] = rows[axis] * from.shape[axis];
  copy_along(0, 0, static_cast<const char*>(from.data), static_cast<char*>(out.data()), rows,
             element_size(out.dtype()));
}

void PartCopy::copy_along(std::size_t axis, std::size_t place, const char* from, char* out,
                          const std::vector<std::size_t>& rows, std::size_t width) const {
  if (axis == axes_.size()) {
    std::memcpy(out + place * width, from, width);
    return;
  }
  const Axis& here = axes_[axis];
  const std::size_t row = here.axis ? rows[*here.axis] * width : 0;
  for (const AxisPiece& piece : here.pieces) {
    const char* source = from + (piece.source - here.first) * row;
    if (axis + 1 == axes_.size() && here.step == 1 && here.place_row == 1 && row == width) {
      std::memcpy(out + (place + piece.place) * width, source, piece.count * width);
      continue;
    }
    for (std::size_t i = 0; i < piece.count; ++i)
      copy_along(axis + 1, place + (piece.place + i) * here.place_row, source + i * here.step * row, out, rows, width);
  }
}

std::string with_block(std::string name, std::size_t block) {
  const std::size_t at = name.find("%b");
  return at == name.npos ? name : name.replace(at, 2, std::to_string(block));
}

}  // namespace

void read_virtual(const StoredDataset& dataset, std::size_t length_width, const ResolvedSlab& slab, Tensor& out,
                  const FileOfName& file_of, const std::string& subject) {
  const auto take = [&](const VirtualPart& part, std::size_t block, const std::vector<Runs>& own) {
    Source* file = file_of(with_block(part.file, block));
    std::string name = with_block(part.dataset, block);
    name.erase(0, name.find_first_not_of('/'));
    TensorInfo info;
    try {
      if (file == nullptr) return;
      info = file->describe(name);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      return;
    }
    if (info.dtype == DType::string)
      throw Error(ErrorKind::data, subject, "has strings as a source in " + file->label() + ", expected numbers");
    const bool may_differ = part.own.is_unlimited() && block == Selection::all_blocks;
    const PartCopy copy(own, part.source.runs(info.shape), may_differ, slab);
    if (copy.is_empty()) return;
    copy.copy(contiguous(cast(file->read(name, copy.wanted()), out.dtype())), out);
  };
  try {
    for (const VirtualPart& part : virtual_parts(dataset.parts, length_width)) {
      const bool has_blocks = part.file.find("%b") != part.file.npos || part.dataset.find("%b") != part.dataset.npos;
      if (!has_blocks || !part.own.is_unlimited()) {
        take(part, Selection::all_blocks, part.own.runs(dataset.shape));
        continue;
      }
      for (std::size_t block = 0;; ++block) {
        const std::vector<Runs> own = part.own.runs(dataset.shape, block);
        if (std::any_of(own.begin(), own.end(), [](const Runs& runs) { return runs.empty(); })) break;
        take(part, block, own);
      }
    }
  } catch (const Damage& damage) {
    throw Error(ErrorKind::data, subject, std::string("has sources that are not understood: ") + damage.what());
  }
}

}  // namespace attn::io::hdf5
