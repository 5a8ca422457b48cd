#include "cli/numbers.hpp"
#include "cli/options/attention.hpp"
#include "tmerge/parts.hpp"

#include <attn/attention/search.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/regression/bandwidth_selection.hpp>
#include <attn/regression/nadaraya_watson.hpp>
#include <attn/transformer/parameter_gradients.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tmerge {
namespace {

using attn::Error;
using attn::ErrorKind;

/// One dataset of all parts.
class Dataset {
 public:
  Dataset(const Parts& parts, const cli::PartFile::Tensor& tensor)
      : parts_(parts),
        name_(tensor.info.name),
        dtype_(tensor.info.dtype),
        shape_(tensor.info.shape),
        axis_(*tensor.axis) {
    shape_[axis_] = parts.head().all;
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
  /// Passes the rows of all parts to `use`, again for each index of the axes before theirs.
  template <class Use>
  void for_each_piece(const Use& use) const {
    std::size_t before = 1;
    for (std::size_t axis = 0; axis < axis_; ++axis) before *= shape_[axis];
    for (std::size_t at = 0; at < before; ++at) {
      attn::Slab part(axis_);
      for (std::size_t axis = axis_, rest = at; axis-- > 0; rest /= shape_[axis])
        part[axis] = {static_cast<std::int64_t>(rest % shape_[axis]), {}, 1, true};
      for (const Piece& piece : parts_.pieces()) {
        attn::Source& source = parts_.open(piece.part);
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

  Parts parts_;
  std::string name_;
  attn::DType dtype_;
  attn::Shape shape_;
  std::size_t axis_;
};

}  // namespace

void join_rows(const Options& o, const Parts& parts, cli::Session& session) {
  for (std::size_t file = 0; file < parts.files().size(); ++file) parts.files()[file].check(parts.open(file));
  const cli::PartFile& model = parts.model();
  const std::size_t at = static_cast<std::size_t>(&model - parts.files().data());
  std::vector<cli::Result> results;
  for (const cli::PartFile::Tensor& tensor : model.tensors()) {
    attn::Attributes attributes = parts.open(at).attributes(tensor.info.name);
    attributes.erase("rows");
    // The output names the main result.
    const std::string written = tensor.info.name == o.output.default_dataset ? "" : tensor.info.name;
    results.push_back(tensor.axis ? Dataset(parts, tensor).result(written, std::move(attributes))
                                  : cli::Result{written, parts.open(at).read(tensor.info.name), std::move(attributes)});
  }
  cli::GroupAttributes groups;
  for (const std::string& group : parts.open(at).groups()) groups[group] = parts.open(at).attributes(group);
  groups[""] = parts.open(at).attributes();
  groups.erase("part");
  session.write(o.output, results, groups);
}

void finish_regression(const Options& o, const cli::PartFile& part, const attn::StateNode& root,
                       cli::Session& session) {
  const attn::StateFinish finish = cli::finish_of(part);
  const attn::Attributes& more = part.head().more;
  const std::size_t m = finish.shape.front(), outputs = root.output.shape().back() / 2;
  attn::Tensor fits(attn::DType::f64, finish.shape), errors(attn::DType::f64, finish.shape),
      sizes(attn::DType::f64, {m});
  const auto *weight = root.total.view().contiguous_data<double>(), *square = weight + m,
             *values = root.output.view().contiguous_data<double>();
  const double empty = finish.empty == attn::EmptyRows::zero ? 0 : std::numeric_limits<double>::quiet_NaN();
  std::size_t empty_windows = 0;
  for (std::size_t q = 0; q < m; ++q) {
    const bool is_empty = weight[q] == 0;
    const double size = is_empty ? std::numeric_limits<double>::quiet_NaN() : weight[q] / square[q] * weight[q];
    sizes.data_as<double>()[q] = size;
    empty_windows += is_empty ? 1 : 0;
    for (std::size_t c = 0; c < outputs; ++c) {
      const double mean = is_empty ? empty : values[2 * q * outputs + c] / weight[q];
      const double variance = values[(2 * q + 1) * outputs + c] / weight[q] - mean * mean;
      fits.data_as<double>()[q * outputs + c] = mean;
      errors.data_as<double>()[q * outputs + c] =
          is_empty ? std::numeric_limits<double>::quiet_NaN() : std::sqrt((variance < 0 ? 0 : variance) / size);
    }
  }
  if (empty_windows > 0 && finish.empty == attn::EmptyRows::error)
    throw Error(ErrorKind::data, "queries", std::to_string(empty_windows) + " have no sample in reach",
                "take a larger bandwidth or another rule for empty windows");
  if (empty_windows > 0)
    session.report.note(std::to_string(empty_windows) + " of " + std::to_string(m) +
                        " queries have no sample in reach: their result is " + (empty == 0 ? "0" : "NaN"));
  const auto as_written = [&](const attn::TensorView& x) { return attn::cast(x, finish.stored); };
  attn::Attributes attributes;
  for (const char* name : {"kernel", "degree", "scale-convention", "bandwidth"})
    if (const auto found = more.find(name); found != more.end()) attributes.insert(*found);
  std::vector<cli::Result> results{{"", as_written(fits.view()), attributes}};
  if (o.output.wants("se")) results.push_back({"se", as_written(errors.view())});
  if (o.output.wants("band")) {
    const double level = attn::elements_of<double>(more.at("level")).front();
    results.push_back({"band", as_written(attn::confidence_band(fits.view(), errors.view(), level, false))});
    if (outputs == 1)
      results.back().attributes["columns"] = attn::vector_of(std::vector<std::string>{"lower", "upper"});
  }
  if (o.output.wants("neff")) results.push_back({"neff", as_written(sizes.view())});
  session.write(o.output, results);
}

void finish_criterion(const Options& o, const cli::PartFile& part, const attn::StateNode& root, cli::Session& session) {
  const std::vector<double> widths = attn::elements_of<double>(part.head().more.at("widths"));
  const attn::Shape& shape = root.total.shape();  // (1, C, widths)
  const auto *loss = root.output.view().contiguous_data<double>(),
             *weight = root.total.view().contiguous_data<double>();
  attn::Tensor curve(attn::DType::f64, {widths.size(), 3});
  for (std::size_t at = 0; at < widths.size(); ++at) {
    double criterion = 0;
    for (std::size_t c = 0; c < shape[1]; ++c)
      criterion += loss[c * widths.size() + at] / weight[c * widths.size() + at];
    double* row = curve.data_as<double>() + 3 * at;
    row[0] = widths[at];
    row[1] = criterion;
    row[2] = 1;
  }
  const std::optional<std::size_t> best = attn::least_of_curve(curve.view());
  if (!best)
    throw Error(ErrorKind::data, "bandwidth", "no width of the grid has a finite criterion", "give the bandwidth");
  session.report.note("bandwidth " + cli::number_text(widths[*best], 9) +
                      " chosen by cv (cv = " + cli::number_text(curve.data_as<double>()[3 * *best + 1], 8) + ")");
  session.write(o.output, {{"bandwidth", attn::scalar_of(widths[*best])},
                           {"bandwidth-curve",
                            curve.view(),
                            {{"columns", attn::vector_of(std::vector<std::string>{"bandwidth", "cv", "exact"})}}}});
}

void join_sums(const Options& o, const Parts& parts, cli::Session& session) {
  double loss = 0;
  std::vector<attn::GradientNode> nodes;
  const std::string before = "part/d/";
  std::size_t last = parts.files().size();
  for (const Piece& piece : parts.pieces()) {
    const cli::PartFile& file = parts.files()[piece.part];
    attn::Source& source = parts.open(piece.part);
    if (piece.part != std::exchange(last, piece.part))
      for (const double of_leaf : attn::elements_of<double>(file.read(source, "part/loss"))) loss += of_leaf;
    std::map<std::string, attn::TensorView> gradients;
    attn::TensorMap map("gradients");
    for (const cli::PartFile::Tensor& tensor : file.tensors()) {
      if (!tensor.has_nodes) continue;
      const std::string name = tensor.info.name.substr(before.size());
      gradients[name] = attn::element(attn::copied(file.read(source, tensor.info.name, piece.node)), 0);
      attn::TensorView place = gradients[name];
      place.owner = nullptr;  // so that the sum alone keeps the memory, and others are added there
      map.add(name, place);
    }
    attn::ParameterGradients sum(map, map.tensors().front().dtype);
    for (const auto& [name, gradient] : gradients) sum.add(map.at(name), gradient);
    append(nodes, {file.head().nodes[piece.node], std::move(sum)}, session.execution());
  }
  const attn::ParameterGradients root = root_of(std::move(nodes), session.execution());
  std::vector<cli::Result> results{{"loss", attn::scalar_of(loss)}};
  for (const auto& [name, gradient] : root.tensors()) results.push_back({"d/" + name, gradient});
  session.write(o.output, results);
}

void join_searches(const Options& o, const Parts& parts, cli::Session& session) {
  attn::SearchResult best;
  for (std::size_t file = 0; file < parts.files().size(); ++file) {
    const cli::PartFile& part = parts.files()[file];
    attn::Source& source = parts.open(file);
    const attn::SearchResult found{part.read(source, "part/scores"), part.read(source, "part/keys")};
    best = file == 0 ? found : attn::best_of(best, found);
  }
  if (o.output.wants("state"))
    return cli::write_part(o.output, parts.joined_head(), {{"part/scores", best.scores}, {"part/keys", best.keys}},
                           session);
  const attn::DType dtype = attn::dtype_from_name(attn::texts_of(parts.head().more, "dtype").at(0));
  session.write(o.output, {{"topk", attn::cast(best.scores, dtype)}, {"topk-keys", best.keys}});
}

void join_states(const Options& o, const Parts& parts, cli::Session& session) {
  const std::string word = cli::finish_word(parts.head());
  attn::AttentionPart merged;
  merged.sizes = cli::sizes_of(parts.model());
  merged.finish = cli::finish_of(parts.model());
  std::vector<attn::Digest> contents(parts.pieces().size());
  attn::Digest database;
  for (std::size_t at = 0; at < parts.pieces().size(); ++at) {
    const Piece& piece = parts.pieces()[at];
    const cli::PartFile& file = parts.files()[piece.part];
    attn::Source& source = parts.open(piece.part);
    attn::append(merged.state, cli::read_state(source, file, piece.node), session.execution().isa);
    if (word == "attention") contents[at] = attn::digests_of(file.read(source, "part/content", piece.node)).front();
    database ^= contents[at];
  }
  if (o.output.wants("state")) {
    for (const attn::StateNode& node : merged.state.nodes) {
      merged.content.emplace_back();
      for (std::size_t at = 0; at < contents.size(); ++at)
        if (parts.pieces()[at].first >= node.place.first_leaf() && parts.pieces()[at].first < node.place.end_leaf())
          merged.content.back() ^= contents[at];
    }
    return cli::write_state(o.output, parts.joined_head(), std::move(merged), word.c_str(), session);
  }
  if (word != "attention") {
    const attn::StateNode root = attn::root_of(std::move(merged.state), merged.sizes, session.execution().isa);
    return (word == "regression" ? finish_regression : finish_criterion)(o, parts.model(), root, session);
  }
  if (merged.state.nodes.empty()) merged.state.nodes.emplace_back(attn::TreeNode{}, merged.sizes);
  const attn::AttendResult result =
      attn::finish(std::move(merged.state), merged.finish, o.output.wants("lse"), session.execution());
  std::vector<cli::Result> results{{"", result.output, {{"database_fingerprint", attn::scalar_of(database.hex())}}}};
  if (result.lse) results.push_back({"lse", *result.lse});
  cli::note_empty_rows(result, merged.finish.empty, session.report);
  session.write(o.output, results);
}

}  // namespace tmerge
