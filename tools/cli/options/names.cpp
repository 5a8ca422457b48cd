#include "cli/options/names.hpp"

#include "cli/literals.hpp"
#include "cli/result.hpp"
#include "cli/selection.hpp"

#include <attn/core/error.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/dates.hpp>
#include <attn/io/input.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace cli {
namespace {

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::vector<Axis> axes_of_part(const attn::Source& source, const std::string& dataset, const attn::Slab& slab) {
  const attn::Shape shape = source.describe(dataset).shape;
  const attn::ResolvedSlab part = attn::resolve(slab, shape, dataset);
  const std::vector<std::string> names = attn::io::axes_of(dataset, source.attributes(dataset));
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (part.is_dropped[i]) continue;
    const auto step = static_cast<std::int64_t>(part.step[i]), first = static_cast<std::int64_t>(part.start[i]),
               last = first + step * (static_cast<std::int64_t>(part.count[i]) - 1);
    axes.push_back({i < names.size() ? last_part(names[i]) : "", i, part.backwards[i] ? last : first,
                    part.backwards[i] ? -step : step});
  }
  return axes;
}

/// The dataset that an input means; none for a table of one for each column.
std::string dataset_of(const attn::io::Operand& operand, const attn::Source& source, const Input& input) {
  const bool is_named = !operand.dataset.empty() || is_of_columns(source);
  return is_named ? operand.dataset : attn::io::default_dataset(source, input.defaults);
}

}  // namespace

Names names_of(const Input& input, const attn::TensorView& tensor, Inputs& inputs) {
  attn::io::Operand operand = inputs.operand_of(input);
  if (operand.literal) {
    Names names;
    names.are_dates = attn::io::columns_of_dates(attributes_of_literal(operand.text), 1);
    return names;
  }
  attn::Source& source = inputs.source(operand);
  attn::io::resolve_ranges(operand, source, input.defaults);
  const std::string dataset = dataset_of(operand, source, input);
  const attn::Attributes attributes = attributes_of(source, dataset, operand.slab, [](const std::string&) {});
  Names names;
  names.dataset = dataset;
  if (!operand.is_standard_stream()) names.file = std::filesystem::path(operand.source).stem();
  const std::size_t columns = tensor.rank() < 2 ? 1 : tensor.shape.back();
  names.columns = attn::io::column_names(attributes, columns);
  names.are_dates = attn::io::columns_of_dates(attributes, columns);
  const bool is_one_column = names.columns.size() == 1 && tensor.rank() < 3;
  names.tensor = is_one_column             ? names.columns.front()
                 : operand.dataset.empty() ? names.file
                                           : last_part(operand.dataset);
  if (dataset.empty()) return names;
  std::vector<Axis> axes = axes_of_part(source, dataset, operand.slab);
  if (axes.size() == tensor.rank()) names.axes = std::move(axes);
  names.rank = source.describe(dataset).shape.size();
  return names;
}

void require_one_time(const Input& a, const Input& b, Session& session) {
  Inputs& inputs = session.inputs;
  // Columns of words and numbers are no tensor and have no units.
  const auto attributes = [&inputs](const Input& input) -> attn::Attributes {
    const attn::io::Operand operand = inputs.operand_of(input);
    if (operand.literal) return attributes_of_literal(operand.text);
    try {
      const attn::Source& source = inputs.source(operand);
      return attributes_of(source, dataset_of(operand, source, input), operand.slab, [](const std::string&) {});
    } catch (const attn::Error& error) {
      if (error.kind() != attn::ErrorKind::data) throw;
      return {};
    }
  };
  const attn::Attributes of_a = attributes(a), of_b = attributes(b);
  const auto scale_a = attn::io::day_scale(of_a), scale_b = attn::io::day_scale(of_b);
  const auto say = [&](const Input& plain, const Input& times, const attn::Attributes& of_times) {
    const attn::io::Operand operand = inputs.operand_of(plain);
    if (operand.literal ? operand.literal->dtype == attn::DType::string : !inputs.source(operand).is_table()) return;
    session.report.note(plain.text + ": numbers without units are taken as '" +
                        attn::texts_of(of_times, "units").front() + "', as " + times.text + " counts");
  };
  if (scale_a && !scale_b) say(b, a, of_a);
  if (scale_b && !scale_a) say(a, b, of_b);
  if (!scale_a || !scale_b || (scale_a->factor == scale_b->factor && scale_a->offset == scale_b->offset)) return;
  const auto units = [](const attn::Attributes& of) { return "'" + attn::texts_of(of, "units").front() + "'"; };
  throw attn::Error(attn::ErrorKind::data, b.text, "counts " + units(of_b) + ", and " + a.text + " " + units(of_a),
                    "write one of them in the units of the other; dates in tables are 'days since 1970-01-01'");
}

Input columns_beside(const std::vector<std::string>& wanted, const std::string& of, Input queries, Session& session) {
  const attn::io::Operand operand = session.inputs.operand_of(queries);
  if (operand.literal || wanted.empty()) return queries;
  const attn::Source& source = session.inputs.source(operand);
  const bool is_table_of_columns = is_of_columns(source);
  const std::string dataset = dataset_of(operand, source, queries);
  const std::vector<std::string> names = names_to_match(source, dataset, operand.slab);
  if (names.empty() || (names == wanted && !is_table_of_columns)) return queries;
  const std::vector<std::size_t> numbers = dataset.empty() ? std::vector<std::size_t>{} : source.columns_in(dataset);
  const auto places = attn::io::places_of(wanted, names);
  const bool may_count = names.size() == wanted.size();
  if (!places && may_count && (attn::io::are_counted(names) || attn::io::are_counted(wanted))) return queries;
  if (!places)
    throw attn::Error(
        attn::ErrorKind::data, source.label(), attn::io::column_difference(wanted, names, of),
        "it has " + attn::listed_near("", names) + "; columns named as in FILE:/NAME,... are taken in their order");
  if (const std::string others = attn::io::missing_columns(names, wanted); !others.empty())
    session.report.note(source.label() + ": not read: " + others + ", which " + of + " has not");
  // Names that an operand cannot contain, or that are not unique, have numbers.
  const auto is_plain = [&](const std::string& name) {
    const auto is_in_word = [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c > 127;
    };
    return !name.empty() && std::all_of(name.begin(), name.end(), is_in_word) &&
           std::count(names.begin(), names.end(), name) == 1;
  };
  const std::string chosen = attn::listed(*places, ",", [&](std::size_t place) {
    const std::string number = std::to_string(numbers.empty() ? place : numbers[place]);
    const bool is_name = std::count(names.begin(), names.end(), number) > 0;  // no column then, rather than another
    return is_plain(names[place]) ? names[place] : is_name ? number + '_' : number;
  });
  const bool is_part = operand.is_part() && queries.slab.empty();
  const std::string slab = is_part ? operand.text.substr(operand.text.rfind('[')) : "";
  const std::string group = numbers.empty() ? dataset + '/' : dataset.substr(0, dataset.rfind('/') + 1);
  queries.text = operand.source + ":/" + (source.is_table() ? "" : group) + chosen + slab;
  return queries;
}

}  // namespace cli
