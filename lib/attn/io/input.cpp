#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/formats/decoded_source.hpp>
#include <attn/io/formats/foreign.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/hdf5/images.hpp>
#include <attn/io/hdf5/skeleton.hpp>
#include <attn/io/input.hpp>
#include <attn/io/numbers/date.hpp>
#include <attn/io/numbers/parse.hpp>
#include <attn/io/numbers/print.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <sstream>

namespace attn::io {

std::unique_ptr<Source> open_source(const std::string& path, const InputOptions& options) {
  auto input = std::make_unique<ByteInput>(path, options.progress);
  const std::string head(input->peek(16));
  if (head.empty()) throw Error(ErrorKind::input, input->label(), "is empty");
  const auto begins_like = [&](std::string_view signature) {
    const std::size_t common = std::min(head.size(), signature.size());
    return head.compare(0, common, signature, 0, common) == 0;
  };
  // The first bytes of both signatures cannot begin a text, so a few of them are a truncated file.
  if (begins_like(npy_signature)) return open_npy(std::move(input));
  if (hdf5::image_begin(*input)) {
    std::unique_ptr<Source> stored = open_hdf5(std::move(input), options.external_folder);
    return options.raw ? std::move(stored) : decoded_source(std::move(stored), options.note);
  }
  if (looks_like_safetensors(head)) return open_safetensors(std::move(input));
  if (looks_like_picture(head)) return open_picture(std::move(input));
  refuse_other_pictures(head, input->label());
  if (format_from_path(path) == Format::safetensors && head.size() < 16 && head.find('\0') != std::string::npos)
    throw Error(ErrorKind::input, input->label(),
                "is truncated: " + std::to_string(head.size()) + " bytes hold no safetensors header");
  expect_table(*input, path);
  return open_table(std::move(input), options);
}

bool is_scale(const Attributes& attributes) {
  return texts_of(attributes, "CLASS") == std::vector<std::string>{"DIMENSION_SCALE"};
}

namespace {

/// Coordinates of other datasets: dimension scales, and those named by the conventions of netCDF.
std::set<std::string> coordinates_in(const Source& source) {
  std::set<std::string> names;
  for (const TensorInfo& info : source.tensors()) {
    const Attributes attributes = source.attributes(info.name);
    if (is_scale(attributes)) names.insert(info.name);
    for (const char* role : {"coordinates", "bounds", "climatology", "grid_mapping"})
      for (const std::string& text : texts_of(attributes, role)) {
        std::istringstream words(text);
        const std::string group = info.name.substr(0, info.name.rfind('/') + 1);
        for (std::string word; words >> word;) names.insert(group + word);
      }
  }
  return names;
}

}  // namespace

std::string default_dataset(const Source& source, const std::vector<std::string>& defaults) {
  const auto& tensors = source.tensors();
  const auto& others = source.unreadable();
  if (tensors.size() == 1 && others.empty()) return tensors.front().name;
  const std::set<std::string> coordinates = coordinates_in(source);
  const auto is_data = [&](const TensorInfo& info) { return coordinates.count(info.name) == 0; };
  const auto data = std::find_if(tensors.begin(), tensors.end(), is_data);
  if (data != tensors.end() && others.empty() && std::count_if(tensors.begin(), tensors.end(), is_data) == 1)
    return data->name;
  // In a table of several datasets, no column is the default, whatever its name.
  for (const std::string& name : source.is_table() ? std::vector<std::string>{} : defaults) {
    const auto has_name = [&name](const auto& entry) { return entry.name == name; };
    if (coordinates.count(name) == 0 &&
        (std::any_of(tensors.begin(), tensors.end(), has_name) || std::any_of(others.begin(), others.end(), has_name)))
      return name;
  }
  if (tensors.empty() && !others.empty())
    throw Error(ErrorKind::data, source.label() + ":/" + others.front().name, others.front().reason,
                others.front().fix);
  if (tensors.empty()) throw Error(ErrorKind::input, source.label(), "has no datasets");
  throw Error(ErrorKind::input, source.label(), "has several datasets: " + list_tensors(source),
              "name one, as in '" + (source.label() == "standard input" ? "-" : source.label()) + ":/" +
                  tensors.front().name + (tensors.front().name.back() == ']' ? "[]'" : "'"));
}

namespace {

std::string coordinate_text(double value) {
  char buffer[longest_number];
  return {buffer, write_number(buffer, value)};
}

/// The ends of a range as coordinates, or with dates as milliseconds since 1970.
struct Ends {
  double low = -infinity, high = infinity;
  std::optional<TimeUnits> time;
  bool is_period = false;  ///< a single date, such as a year
};

/// Four digits are a year where coordinates are times, and a number elsewhere.
Ends ends_of(const CoordinateRange& range, const TensorView& coordinates, const Attributes& attributes) {
  Ends ends;
  if (is_date(range.first) || is_date(range.last)) ends.time = time_units(attributes, coordinates.name);
  const auto is_year = [](const std::string& text) { return is_date(text) && text.size() == 4; };
  const auto mixes = [&](const std::string& a, const std::string& b) {
    return is_year(a) && !b.empty() && !is_date(b);
  };
  if (ends.time && (mixes(range.first, range.last) || mixes(range.last, range.first)))
    throw Error(ErrorKind::usage, coordinates.name,
                "has no range from " + range.first + " to " + range.last + ", a year and a number",
                "give two dates, or two numbers that are no years of four digits, such as 2000.0");
  const auto take = [&](const std::string& text, bool is_last, double& end) {
    const std::optional<Date> date = is_date(text) ? parse_date(text) : std::nullopt;
    if (ends.time && date) {
      const auto [first, last] = ends.time->period_of(*date, text);
      end = static_cast<double>(is_last ? last : first);
    } else if (double number = 0; parse_number(text, number)) {
      // As the file stores the coordinates, so that 0.1 finds the float 0.1.
      end = coordinates.dtype == DType::f32 ? static_cast<float>(number) : number;
      if (ends.time) end = ends.time->instant_of(end);
    } else if (!text.empty()) {
      const std::string units = attn::listed(texts_of(attributes, "units"));
      throw Error(ErrorKind::input, coordinates.name,
                  "has numbers as coordinates, " + (units.empty() ? "without units" : "in " + units) + ", and " + text +
                      " is a date",
                  "give numbers, or indices as in [start:stop]");
    }
  };
  ends.is_period = ends.time && range.is_value;
  take(range.first, false, ends.low);
  take(ends.is_period ? range.first : range.last, true, ends.high);
  if (range.is_value && !ends.is_period) ends.high = ends.low;
  return ends;
}

/// The part of an axis with coordinates in a range.
AxisSlab part_of(const CoordinateRange& range, const TensorView& coordinates, const Attributes& attributes) {
  const TensorView row = cast(coordinates, DType::f64);
  const auto* const first = row.contiguous_data<double>();
  const double* const last = first + row.size();
  if (std::any_of(first, last, [](double value) { return std::isnan(value); }))
    throw Error(ErrorKind::data, coordinates.name, "has NaN among its coordinates", "give indices, as in [start:stop]");
  if (row.rank() != 1 || (!std::is_sorted(first, last) && !std::is_sorted(first, last, std::greater<>())))
    throw Error(ErrorKind::data, coordinates.name, "has coordinates that neither increase nor decrease",
                "give indices, as in [start:stop]");
  const Ends ends = ends_of(range, coordinates, attributes);
  const auto is_inside = [&](double value) {
    if (ends.time) value = ends.time->instant_of(value);
    return ends.low <= value && value <= ends.high;
  };
  const double* const begin = std::find_if(first, last, is_inside);
  if (begin == last) {
    const auto shown = [](const std::string& text, const char* open) { return text.empty() ? open : text; };
    const std::string units = ends.time ? ", " + texts_of(attributes, "units").front() : "";
    throw Error(
        ErrorKind::input, coordinates.name,
        range.is_value ? "has no coordinate " + range.first
                       : "has no coordinates from " + shown(range.first, "-inf") + " to " + shown(range.last, "inf"),
        row.size() == 0 ? "" : "it has " + coordinate_text(*first) + " to " + coordinate_text(last[-1]) + units);
  }
  const double* const end = std::find_if_not(begin, last, is_inside);
  AxisSlab slab;
  slab.start = begin - first;
  slab.is_index = range.is_value && !ends.is_period;
  if (!slab.is_index) slab.stop = end - first;
  return slab;
}

}  // namespace

void resolve_ranges(Operand& operand, Source& source, const std::vector<std::string>& defaults) {
  if (operand.ranges.empty()) return;
  if (operand.dataset.empty()) operand.dataset = default_dataset(source, defaults);
  const std::string subject = source.label() + ":/" + operand.dataset;
  const Attributes attributes = source.attributes(operand.dataset);
  std::vector<std::string> axes = texts_of(attributes, "DIMENSION_LIST");
  if (axes.empty() && is_scale(attributes)) axes.push_back(operand.dataset);  // coordinates are on their own axis
  operand.slab.resize(axes.size());
  for (const CoordinateRange& range : operand.ranges) {
    const auto is_axis = [&](const std::string& path) { return path.substr(path.rfind('/') + 1) == range.name; };
    const auto axis = std::find_if(axes.begin(), axes.end(), is_axis);
    if (axis == axes.end()) {
      throw Error(ErrorKind::input, subject, "has no axis '" + range.name + "'",
                  axes.empty() ? "its axes have no dimension scales: give indices, as in [start:stop]"
                               : "it has " + listed(axes));
    }
    const Attributes of_axis = source.attributes(*axis);
    const std::vector<std::string> titles = texts_of(of_axis, "NAME");
    if (!titles.empty() && titles.front().rfind(hdf5::name_of_bare_scale, 0) == 0)
      throw Error(ErrorKind::input, source.label() + ":/" + *axis, "is a dimension scale without coordinates",
                  "give indices, as in [start:stop]");
    operand.slab[static_cast<std::size_t>(axis - axes.begin())] = part_of(range, source.read(*axis), of_axis);
  }
  operand.ranges.clear();
}

struct Inputs::State {
  InputOptions options;
  std::map<std::string, Source*> by_path;
  std::vector<std::unique_ptr<Source>> in_order;
  std::set<const Source*> streams;     // those that had more than one batch
  std::set<const Source*> references;  // those that are no inputs
  std::size_t batches = 1;             // that streams have had so far

  bool is_reference(const Source& source) const { return references.count(&source) != 0; }

  Source& open(const Operand& operand, bool rows_may_come = false) {
    if (operand.literal) throw Error(ErrorKind::usage, operand.text, "is a literal, expected a file");
    Source*& known = by_path[operand.source];
    if (known == nullptr) {
      if (has_no_file(operand))
        throw Error(ErrorKind::input, operand.source, "does not exist", operand_hint(operand.text));
      options.rows_may_come = rows_may_come;
      in_order.push_back(open_source(operand.source, options));
      known = in_order.back().get();
    }
    return *known;
  }

  TensorView read(Source& from, const Operand& operand, const std::vector<std::string>& defaults,
                  std::optional<DType> beside) const;
};

Inputs::Inputs(InputOptions options) : state_(std::make_unique<State>()) { state_->options = options; }
Inputs::~Inputs() = default;

Source& Inputs::source(const Operand& operand, bool rows_may_come) {
  Source& source = state_->open(operand, rows_may_come);
  state_->references.erase(&source);
  return source;
}

Source& Inputs::reference(const Operand& operand) {
  const bool is_input = state_->by_path.count(operand.source) != 0;
  Source& source = state_->open(operand);
  if (!is_input) state_->references.insert(&source);
  return source;
}

bool Inputs::is_reference(const Source& source) const { return state_->is_reference(source); }

Inputs::Located Inputs::locate(const Operand& operand, const std::vector<std::string>& defaults) {
  Source& from = source(operand);
  return {&from, from.describe(operand.dataset.empty() ? default_dataset(from, defaults) : operand.dataset)};
}

TensorView Inputs::read(const Operand& operand, const std::vector<std::string>& defaults, std::optional<DType> beside) {
  return operand.literal ? *operand.literal : state_->read(source(operand), operand, defaults, beside);
}

TensorView Inputs::read_reference(const Operand& operand, const std::vector<std::string>& defaults, DType beside) {
  return operand.literal ? *operand.literal : state_->read(reference(operand), operand, defaults, beside);
}

TensorView Inputs::State::read(Source& from, const Operand& operand, const std::vector<std::string>& defaults,
                               std::optional<DType> beside) const {
  if (!operand.ranges.empty()) {
    Operand resolved = operand;
    resolve_ranges(resolved, from, defaults);
    return read(from, resolved, defaults, beside);
  }
  const std::string name = operand.dataset.empty() ? default_dataset(from, defaults) : operand.dataset;
  return beside ? from.read_beside(*beside, name, operand.slab) : from.read(name, operand.slab);
}

bool Inputs::has_next_batch() {
  return std::any_of(state_->in_order.begin(), state_->in_order.end(),
                     [&](const auto& source) { return !state_->is_reference(*source) && source->has_next_batch(); });
}

bool Inputs::next_batch() {
  const Source* moved = nullptr;
  const Source* ended = nullptr;
  for (const auto& source : state_->in_order) {
    if (state_->is_reference(*source)) continue;
    if (source->next_batch()) {
      moved = source.get();
      state_->streams.insert(moved);
    } else if (state_->streams.count(source.get()) != 0) {
      ended = source.get();  // others are files of one batch, which serve every batch of a stream
    }
  }
  if (moved != nullptr && ended != nullptr)
    throw Error(ErrorKind::data, ended->label(),
                "ends after " + std::to_string(state_->batches) + " batches, " + moved->label() + " goes on");
  state_->batches += moved != nullptr;
  return moved != nullptr;
}

std::vector<Source*> Inputs::opened() const {
  std::vector<Source*> sources;
  for (const auto& source : state_->in_order) sources.push_back(source.get());
  return sources;
}

}  // namespace attn::io
