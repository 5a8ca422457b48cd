#include "cli/results/row_part.hpp"
#include "tmerge/database.hpp"

#include <attn/core/error.hpp>
#include <attn/core/listed.hpp>
#include <attn/core/values.hpp>

#include <algorithm>

namespace tmerge {

using attn::Error;
using attn::ErrorKind;
using attn::TensorInfo;

namespace {

/// One dataset of all parts.
class Dataset {
 public:
  /// Throws Error(data) if a part has another type or other extents.
  Dataset(std::shared_ptr<Files> files, std::vector<Piece> pieces, const TensorInfo& info, std::size_t axis)
      : files_(std::move(files)),
        pieces_(std::move(pieces)),
        name_(info.name),
        dtype_(info.dtype),
        shape_(info.shape),
        axis_(axis) {
    const std::string first = files_->open(pieces_.front().part).label();
    for (const Piece& piece : pieces_) {
      const attn::Source& source = files_->open(piece.part);
      const TensorInfo here = source.describe(name_);
      attn::Shape expected = info.shape;
      if (axis < expected.size()) expected[axis] = piece.end - piece.first;
      if (here.shape != expected || here.dtype != info.dtype || axis >= expected.size())
        throw Error(
            ErrorKind::data, source.label() + ":/" + name_,
            "is " + text(here.shape, here.dtype) + ", expected " + text(expected, info.dtype) + " as in " + first,
            "merge parts of one run");
    }
    shape_[axis] = pieces_.back().end;
  }

  cli::Result result(const std::string& name, attn::Attributes attributes) const {
    if (dtype_ == attn::DType::string) return {name, texts(), std::move(attributes)};
    const auto produce = [*this](const attn::ByteConsumer& consume) {
      for_each_piece([&](const attn::TensorView& x) {
        const attn::TensorView rows = attn::contiguous(x);
        consume(rows.data, rows.bytes());
      });
    };
    return {name, {}, std::move(attributes), attn::TensorProducer{dtype_, shape_, produce}};
  }

 private:
  static std::string text(const attn::Shape& shape, attn::DType dtype) {
    return attn::to_string(shape) + ' ' + std::string(attn::name_of(dtype));
  }

  /// Passes the rows of all parts to `use`, again for each index of the axes before theirs.
  template <class Use>
  void for_each_piece(const Use& use) const {
    std::size_t before = 1;
    for (std::size_t axis = 0; axis < axis_; ++axis) before *= shape_[axis];
    for (std::size_t at = 0; at < before; ++at) {
      attn::Slab part(axis_);
      for (std::size_t axis = axis_, rest = at; axis-- > 0; rest /= shape_[axis])
        part[axis] = {static_cast<std::int64_t>(rest % shape_[axis]), {}, 1, true};
      for (const Piece& piece : pieces_) {
        attn::Source& source = files_->open(piece.part);
        const attn::TensorView rows = source.read(name_, part);
        use(rows);
        source.release(rows);
      }
    }
  }

  attn::TensorView texts() const {
    std::vector<std::string> all;
    for_each_piece([&](const attn::TensorView& x) {
      for (std::string& text : attn::elements_of<std::string>(x)) all.push_back(std::move(text));
    });
    return attn::reshaped(attn::vector_of(all), shape_);
  }

  std::shared_ptr<Files> files_;  // open until the results are written
  std::vector<Piece> pieces_;
  std::string name_;
  attn::DType dtype_;
  attn::Shape shape_;
  std::size_t axis_;
};

}  // namespace

void concatenate_rows(const Options& o, const std::shared_ptr<Files>& files, cli::Session& session) {
  std::vector<cli::RowPart> contents;
  std::vector<Part> parts;
  std::vector<Piece> pieces;
  for (std::size_t file = 0; file < files->size(); ++file) {
    const attn::Source& source = files->open(file);
    contents.push_back(cli::read_row_part(source));
    const cli::RowPart &part = contents.back(), &first = contents.front();
    parts.push_back({source.label(), part.header});
    expect_same(parts.back(), parts.front(), o, session.report);
    if (part.all != first.all)
      refuse(parts.back(), parts.front(), "the number of rows", std::to_string(part.all), std::to_string(first.all));
    if (part.datasets != first.datasets)
      refuse(parts.back(), parts.front(), "the list of results", attn::listed(part.datasets),
             attn::listed(first.datasets));
    if (part.first < part.end) pieces.push_back({file, 0, part.first, part.end});
  }
  const Whole whole{"rows", contents.front().all, 1};
  pieces = in_order(std::move(pieces), parts, whole);
  if (o.list_missing) return list_missing(pieces, parts, whole, session.results);
  if (!o.output.emit.empty())
    throw Error(ErrorKind::usage, "--emit", "is for states; parts with rows have their results", "leave it out");
  expect_none_missing(pieces, parts, whole, 0, whole.units());
  if (o.key.given()) {
    attn::Digest content;
    for (const attn::Digest& leaf : contents_of_files(o, parts.front(), session)) content ^= leaf;
    for (const Part& part : parts)
      if (entry_of(part, cli::database_entry) != content.hex()) refuse_database(o, part);
  }
  for (std::size_t file = 0; file < files->size(); ++file)
    cli::expect_rows_as_written(files->open(file), contents[file]);
  if (pieces.empty()) pieces.push_back({});  // the first part, without rows
  const auto first = [&]() -> attn::Source& { return files->open(pieces.front().part); };
  // In the order of the run, which decides the bytes of the file; what --keep adds follows.
  std::vector<std::string> names = contents.front().datasets;
  for (const TensorInfo& info : first().tensors())
    if (std::find(names.begin(), names.end(), info.name) == names.end()) names.push_back(info.name);
  std::vector<cli::Result> results;
  for (const std::string& name : names) {
    attn::Attributes attributes = first().attributes(name);
    const std::optional<std::size_t> axis = cli::row_axis(attributes);
    for (const char* of_part : {"rows", "checksum"}) attributes.erase(of_part);
    // The output names the main result.
    const std::string written = name == o.output.default_dataset ? "" : name;
    results.push_back(axis
                          ? Dataset(files, pieces, first().describe(name), *axis).result(written, std::move(attributes))
                          : cli::Result{written, first().read(name), std::move(attributes)});
  }
  cli::GroupAttributes groups;
  for (const std::string& group : first().groups()) groups[group] = first().attributes(group);
  groups[""] = first().attributes();
  groups.erase("rows");
  session.write(o.output, results, groups);
}

}  // namespace tmerge
