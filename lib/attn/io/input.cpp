#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/io/bytes/zip.hpp>
#include <attn/io/formats/decoded_source.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/hdf5/file_bytes.hpp>
#include <attn/io/input.hpp>
#include <attn/io/numbers/numbers.hpp>
#include <attn/io/output.hpp>
#include <attn/io/table/parser.hpp>
#include <attn/json/node.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace attn::io {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

/// A format that is not read, by the start of its files.
struct OtherFormat {
  std::string_view signature;
  const char* is;
  const char* fix;
  std::string_view also = {};  ///< if all of it may be text: what else is in its first 4096 bytes, and in no table
};

constexpr const char* convert = "convert it to HDF5, NPY or CSV";
constexpr const char* from_model = "take the model's safetensors files";
constexpr const char* to_netcdf4 = "write it as netCDF-4, as in nccopy -k nc4 FILE NEW.nc";
constexpr const char* from_r = "write a table with write.csv, or arrays with rhdf5";

constexpr OtherFormat other_formats[] = {
    {"PAR1"sv, "is a Parquet file", convert},
    {"ARROW1"sv, "is an Arrow (Feather) file", convert},
    {"FEA1"sv, "is a Feather file", convert},
    {"SQLite format 3\0"sv, "is an SQLite database", "write a table as CSV, as sqlite3 -header -csv FILE QUERY does"},
    {"\xd0\xcf\x11\xe0"sv, "is an old Office file, as .xls files are", "save the sheet as CSV"},
    {"Obj\x01"sv, "is an Avro file", convert},
    {"ORC"sv, "is an ORC file", convert},
    {"BZh"sv, "is compressed by bzip2", "expand it, as in bzip2 -dc FILE | TOOL"},
    {"\xfd\x37zXZ\0"sv, "is compressed by xz", "expand it, as in xz -dc FILE | TOOL"},
    {"\x28\xb5\x2f\xfd"sv, "is compressed by zstd", "expand it, as in zstd -dc FILE | TOOL"},
    {"\x80\x02"sv, "is a Python pickle", "save the array, as in numpy.save(FILE, a)"},
    {"\x80\x03"sv, "is a Python pickle", "save the array, as in numpy.save(FILE, a)"},
    {"\x80\x04"sv, "is a Python pickle", "save the array, as in numpy.save(FILE, a)"},
    {"\x80\x05"sv, "is a Python pickle", "save the array, as in numpy.save(FILE, a)"},
    {"MATLAB 5.0 MAT-file"sv, "is a MATLAB file older than version 7.3",
     "write it with save -v7.3, or numpy.save what scipy.io.loadmat reads"},
    {"CDF\x01"sv, "is a netCDF-3 file", to_netcdf4},
    {"CDF\x02"sv, "is a netCDF-3 file", to_netcdf4},
    {"CDF\x05"sv, "is a netCDF-3 file", to_netcdf4},
    {"\x0e\x03\x13\x01"sv, "is an HDF4 file", "write it as HDF5, as in h4toh5convert FILE NEW.h5"},
    {"SIMPLE  ="sv, "is a FITS file", "numpy.save what astropy.io.fits.getdata reads", "                    T"sv},
    {"GRIB"sv, "is a GRIB file", "write it as netCDF-4, as in cdo -f nc4 copy FILE NEW.nc"},
    {"GGUF"sv, "is a GGUF file", from_model},
    {"\x08\x06\x12"sv, "is an ONNX model", from_model},
    {"\x08\x07\x12"sv, "is an ONNX model", from_model},
    {"\x08\x08\x12"sv, "is an ONNX model", from_model},
    {"\x08\x09\x12"sv, "is an ONNX model", from_model},
    {"\x08\x0a\x12"sv, "is an ONNX model", from_model},
    {"RDX2\n"sv, "is an R workspace", from_r},
    {"RDX3\n"sv, "is an R workspace", from_r},
    {"X\n\0\0\0"sv, "is an R object, as .rds files are", from_r},
    {"7z\xbc\xaf\x27\x1c"sv, "is a 7-Zip archive", "unpack it and name one of its files"},
    {"%PDF-"sv, "is a PDF document", "save its tables as CSV", " obj"sv},
    {"version https://git-lfs.github.com/spec/"sv, "is a Git LFS pointer and not the file itself",
     "fetch the file with git lfs pull", "\noid "sv},
};

bool begins_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

/// In any case; `start` is in small letters.
bool begins_with_word(std::string_view text, std::string_view start) {
  return text.size() >= start.size() && std::equal(start.begin(), start.end(), text.begin(), [](char a, char b) {
           return a == b || (b >= 'A' && b <= 'Z' && a == b - 'A' + 'a');
         });
}

/// Does it begin as JSON does, with objects and lists alone, as far as it goes? [0],[1] and {"a",b are names of
/// columns.
bool looks_like_json(std::string_view text) {
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return false;
  std::string open;  // the brackets around the next token
  enum class Next { value, key, colon, comma } next = Next::value;
  bool may_close = false;  // nothing is in the brackets yet
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t\r\n", at)) < text.size();) {
    const char c = text[at];
    if (c == '"' && (next == Next::key || (next == Next::value && !open.empty()))) {
      for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
        if (text[at] == '\\') ++at;
      if (at < text.size() && text[at] != '"') return false;
      ++at;
      next = next == Next::key ? Next::colon : Next::comma;
    } else if ((c == '{' || c == '[') && next == Next::value) {
      open += c;
      next = c == '{' ? Next::key : Next::value;
      may_close = true;
      ++at;
      continue;
    } else if ((c == '}' || c == ']') && !open.empty() && open.back() == (c == '}' ? '{' : '[') &&
               (next == Next::comma || may_close)) {
      open.pop_back();
      next = open.empty() ? Next::value : Next::comma;  // another one may follow, on a line of its own
      ++at;
    } else if (c == ':' && next == Next::colon) {
      next = Next::value;
      ++at;
    } else if (c == ',' && next == Next::comma) {
      next = open.back() == '{' ? Next::key : Next::value;
      ++at;
    } else if (next == Next::value && !open.empty()) {
      const std::size_t end = std::min(text.find_first_of(",:]} \t\r\n", at), text.size());
      const std::string_view word = text.substr(at, end - at);
      const bool is_value = is_number(word) || word == "true" || word == "false" || word == "null";
      if (!is_value && end < text.size()) return false;
      at = end;
      next = Next::comma;
    } else {
      return false;
    }
    may_close = false;
  }
  return true;
}

/// A tag of HTML or XML, and another one behind it: <?xml,b and <html>,<body> are names of columns.
bool looks_like_markup(std::string_view start) {
  constexpr std::string_view tags[] = {"<!doctype html", "<html", "<table", "<?xml"};
  const auto begins = [start](std::string_view tag) { return begins_with_word(start, tag); };
  const std::size_t end = start.find('>');
  if (end == start.npos || std::none_of(std::begin(tags), std::end(tags), begins)) return false;
  const std::size_t next = start.find_first_not_of(" \t\r\n", end + 1);
  return next == start.npos || start[next] == '<' || start.find("</") != start.npos;
}

/// The encoding of text that is not UTF-8, by its mark or by the zero bytes of its first characters; else null.
const char* wide_encoding(std::string_view start) {
  const std::string_view two = start.substr(0, 2), four = start.substr(0, 4);
  if (four == "\xff\xfe\0\0"sv || four == "\0\0\xfe\xff"sv) return "UTF-32";
  if (two == "\xff\xfe" || two == "\xfe\xff") return "UTF-16";
  if (four.size() < 4 || start.find('\n') == start.npos) return nullptr;
  const auto is_zero = [four](std::size_t i) { return four[i] == 0; };
  if (is_zero(1) && is_zero(3) && !is_zero(0) && !is_zero(2)) return "UTF-16LE";
  if (is_zero(0) && is_zero(2) && !is_zero(1) && !is_zero(3)) return "UTF-16BE";
  return nullptr;
}

/// The format of a suffix, if it is not text.
const char* promised_by(const std::string& path) {
  constexpr std::pair<std::string_view, const char*> names[] = {
      {".nc", "an HDF5 file"},  {".hdf", "an HDF5 file"}, {".he5", "an HDF5 file"}, {".h5ad", "an HDF5 file"},
      {".mat", "an HDF5 file"}, {".png", "a picture"},    {".jpg", "a picture"},    {".jpeg", "a picture"}};
  for (const auto& [suffix, what] : names)
    if (path.size() > suffix.size() && ends_with(path, suffix)) return what;
  switch (format_from_path(path).value_or(Format::csv)) {
    case Format::hdf5: return "an HDF5 file";
    case Format::npy: return "an NPY file";
    case Format::npz: return "an NPZ file";
    case Format::safetensors: return "a safetensors file";
    case Format::csv:
    case Format::tsv:
    case Format::jsonl: break;
  }
  return nullptr;
}

/// Pickles of PyTorch before 1.6 are no ZIP archives.
bool is_name_of_torch(const std::string& path) {
  return ends_with(path, ".pt") || ends_with(path, ".pth") || ends_with(path, ".bin");
}

/// Throws Error(data) for binary data, and for text that is not a table: a Git LFS pointer, a page of HTML, JSON, text
/// that is not UTF-8, and any text in a file with the suffix of another format.
void expect_table(ByteInput& input, const std::string& path) {
  const char* const promised = promised_by(path);
  const auto refuse = [&](const std::string& what, const std::string& fix) {
    throw Error(ErrorKind::data, input.label(),
                what + (promised == nullptr ? "" : std::string(", and not ") + promised + " as its name says"), fix);
  };
  std::string_view start = input.peek(4096);
  const bool has_control = find_control(start) < start.size();
  for (const OtherFormat& other : other_formats)
    if (begins_with(start, other.signature) &&
        (has_control || (!other.also.empty() && start.find(other.also) != start.npos)))
      refuse(other.is,
             starts_with(other.signature, "\x80") && is_name_of_torch(path) ? how_to_convert_torch(path) : other.fix);
  constexpr std::size_t mark_of_tar = 257;  // offset in the header of the first file
  if (has_control && start.size() > mark_of_tar && begins_with(start.substr(mark_of_tar), "ustar"))
    refuse("is a tar archive", "unpack it and name one of its files");
  if (const char* const encoding = wide_encoding(start))
    refuse(std::string("begins as text in ") + encoding + " does, expected UTF-8",
           std::string("convert it, for example with iconv -f ") + encoding + " -t UTF-8");
  constexpr const char* unknown = "is neither HDF5, NPY, safetensors nor text";
  const bool is_binary =
      start.find('\0') != std::string_view::npos || (promised != nullptr && find_invalid_utf8(start));
  if (is_binary) throw Error(ErrorKind::data, input.label(), unknown);
  if (begins_with(start, byte_order_mark)) start.remove_prefix(byte_order_mark.size());
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  if (looks_like_markup(start))
    refuse("is a page of HTML or XML", "look into it: a download may have failed; save a table in it as CSV");
  if (looks_like_json(start)) refuse("is JSON", "write it as CSV, a line for each row");
  if (promised != nullptr) refuse("is text", "look into it: a download may have failed; if it is a table, rename it");
}

/// Weights in several files with an index.
class ShardedSource final : public Source {
 public:
  explicit ShardedSource(std::string index) : label_(std::move(index)) {}

  /// Adds a file; `listed` are the tensors that the index expects in it.
  void add(std::unique_ptr<Source> shard, const std::set<std::string>& listed) {
    const auto has = [&shard](const std::string& name) {
      const auto& others = shard->unreadable();
      return shard->find(name) != nullptr ||
             std::any_of(others.begin(), others.end(), [&name](const Unreadable& other) { return other.name == name; });
    };
    for (const std::string& name : listed)
      if (!has(name))
        throw Error(ErrorKind::data, label_, "lists " + name + " in " + shard->label() + ", which does not contain it",
                    "do the files belong together?");
    if (shard->tensors().size() + shard->unreadable().size() != listed.size())
      for (const TensorInfo& tensor : shard->tensors())
        if (listed.count(tensor.name) == 0)
          throw Error(ErrorKind::data, label_,
                      "does not list " + tensor.name + ", which " + shard->label() + " contains",
                      "do the files belong together?");
    for (const TensorInfo& tensor : shard->tensors()) {
      tensors_.push_back(tensor);
      owners_[tensor.name] = shard.get();
    }
    for (const Unreadable& other : shard->unreadable()) unreadable_.push_back(other);
    shards_.push_back(std::move(shard));
  }

  const std::string& label() const noexcept override { return label_; }
  const std::vector<TensorInfo>& tensors() const noexcept override { return tensors_; }
  const std::vector<Unreadable>& unreadable() const noexcept override { return unreadable_; }
  const TensorInfo* find(const std::string& name) const override {
    const auto owner = owners_.find(name);
    return owner == owners_.end() ? nullptr : owner->second->find(name);
  }
  TensorView read(const std::string& name, const Slab& part) override {
    return owners_.at(describe(name).name)->read(name, part);
  }
  Attributes attributes(const std::string& name) const override {
    return name.empty() ? Attributes{} : owners_.at(describe(name).name)->attributes(name);
  }

 private:
  std::string label_;
  std::vector<std::unique_ptr<Source>> shards_;
  std::vector<TensorInfo> tensors_;
  std::vector<Unreadable> unreadable_;
  std::map<std::string, Source*> owners_;
};

}  // namespace

/// An index that names the file of each tensor, as published weights in several files have it?
static bool is_index(std::string_view start) {
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  return looks_like_json(start) && start.front() == '{' && start.find("\"weight_map\"") != start.npos;
}

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
  if (starts_with(head, zip_signature) || starts_with(head, empty_zip_signature)) return open_npz(std::move(input));
  if (hdf5::image_begin(*input)) {
    const std::string writer =
        starts_with(input->peek(64), "HDF5-based Julia") || starts_with(input->peek(64), "Julia data file") ? "Julia"
                                                                                                            : "";
    std::unique_ptr<Source> stored = open_hdf5(std::move(input), options.external_folder, options.note);
    return options.raw ? std::move(stored) : decoded_source(std::move(stored), options.note, writer);
  }
  if (looks_like_safetensors(head)) return open_safetensors(std::move(input));
  if (looks_like_picture(head)) return open_picture(std::move(input));
  if (find_control(head) < head.size()) refuse_other_pictures(head, input->label());
  if (looks_like_matrix_market(head)) return open_matrix_market(std::move(input));
  if (format_from_path(path) == Format::safetensors && head.size() < 16 && head.find('\0') != std::string::npos)
    throw Error(ErrorKind::input, input->label(),
                "is truncated: " + std::to_string(head.size()) + " bytes hold no safetensors header");
  if (is_index(input->peek(4096))) {
    if (path != "-") return open_shards(path);
    throw Error(ErrorKind::data, input->label(), "is the index of tensors in several files, which are beside it",
                "name the index, or one of its files");
  }
  expect_table(*input, path);
  return open_table(std::move(input), options);
}

std::string default_dataset(const Source& source, const std::vector<std::string>& defaults) {
  const auto& tensors = source.tensors();
  const auto& others = source.unreadable();
  if (tensors.size() == 1 && others.empty()) return tensors.front().name;
  std::set<std::string> coordinates;
  for (const TensorInfo& info : tensors) {
    const Attributes attributes = source.attributes(info.name);
    if (is_scale(attributes)) coordinates.insert(info.name);
    const std::vector<std::string> named = named_coordinates(info.name, attributes);
    coordinates.insert(named.begin(), named.end());
  }
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
  const std::string operand = (source.label() == "standard input" ? "-" : source.label()) + ":/";
  std::string range;
  if (source.is_table()) {  // the last columns of numbers, if several are side by side
    const auto is_text = [](const TensorInfo& column) { return column.dtype == DType::string; };
    const auto last = std::find_if_not(tensors.rbegin(), tensors.rend(), is_text);
    const auto before =
        std::find_if(last, tensors.rend(), [&](const TensorInfo& column) { return column.dtype != last->dtype; });
    if (before - last > 1) range = ", or columns as in '" + operand + before[-1].name + "-" + last->name + "'";
  }
  throw Error(ErrorKind::input, source.label(), "has several datasets: " + list_tensors(source),
              "name one, as in '" + operand + tensors.front().name +
                  (tensors.front().name.back() == ']' ? "[]'" : "'") + range);
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
      InputOptions way = options;
      way.rows_may_come = rows_may_come;
      if (!rows_may_come && !operand.is_standard_stream()) way.rows.reset();
      in_order.push_back(open_source(operand.source, way));
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
  Source& from = operand.in_numbers ? source(operand).in_numbers() : source(operand);
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
  Source& wanted = operand.in_numbers ? from.in_numbers() : from;
  return beside ? wanted.read_beside(*beside, name, operand.slab) : wanted.read(name, operand.slab);
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

std::unique_ptr<Source> open_shards(const std::string& index_path) {
  std::ifstream stream(index_path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw Error(ErrorKind::input, index_path, "cannot be read");
  const JsonNode index(std::string_view(text), index_path);
  std::map<std::string, std::set<std::string>> listed;  // by file
  for (const auto& [tensor, file] : index.object("weight_map").items()) {
    listed[file.path_inside()].insert(tensor);
  }
  const auto path_of = [&](const std::string& file) { return (fs::path(index_path).parent_path() / file).string(); };
  std::vector<std::string> missing;
  for (const auto& [file, tensors] : listed) {
    std::error_code ignored;
    if (!fs::exists(path_of(file), ignored)) missing.push_back(file);
  }
  if (!missing.empty()) {
    const std::string count = std::to_string(missing.size()) + " of the " + std::to_string(listed.size());
    throw Error(ErrorKind::input, path_of(missing.front()),
                missing.size() == 1 ? "no such file" : "no such file: " + count + " files of the index are missing",
                "download the model again, with the same command: what is there stays");
  }
  auto whole = std::make_unique<ShardedSource>(index_path);
  for (const auto& [file, tensors] : listed) {
    if (is_index(ByteInput(path_of(file)).peek(4096)))
      throw Error(ErrorKind::data, index_path, "names " + file + ", which is an index itself");
    whole->add(open_source(path_of(file)), tensors);
  }
  return whole;
}

}  // namespace attn::io
