#include <attn/io/hdf5/selection.hpp>

#include <algorithm>
#include <set>

namespace attn::io::hdf5 {
namespace {

constexpr std::uint64_t without_end = ~std::uint64_t{0};

/// A number with all bits set means no limit.
std::uint64_t take_limit(Cursor& description, std::size_t width) {
  const std::uint64_t number = description.number(width);
  const std::uint64_t most = width == 8 ? without_end : (std::uint64_t{1} << 8 * width) - 1;
  return number == most ? without_end : number;
}

}  // namespace

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

}  // namespace attn::io::hdf5
