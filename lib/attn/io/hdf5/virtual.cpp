#include <attn/core/error.hpp>
#include <attn/io/hdf5/selection.hpp>
#include <attn/io/hdf5/virtual.hpp>

#include <algorithm>
#include <cstring>
#include <optional>

namespace attn::io::hdf5 {
namespace {

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
