// safetensors: the length of a JSON header in 8 bytes, the header, then the elements of all tensors without gaps.

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/formats/collecting_sink.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/tensor_json.hpp>
#include <attn/json/builder.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace attn::io {
namespace {

using Json = nlohmann::ordered_json;  // as it is written
using ReadJson = nlohmann::json;      // finds each name at once, of which there may be very many

constexpr std::size_t length_bytes = 8;
constexpr const char* metadata_field = "__metadata__";
constexpr std::uint64_t header_limit = 100'000'000;  // limit of the reference reader

struct StoredType {
  DType dtype;
  const char* name;
};
constexpr StoredType stored_types[] = {
    {DType::f64, "F64"}, {DType::f32, "F32"}, {DType::f16, "F16"},     {DType::bf16, "BF16"}, {DType::i64, "I64"},
    {DType::i32, "I32"}, {DType::i16, "I16"}, {DType::i8, "I8"},       {DType::u64, "U64"},   {DType::u32, "U32"},
    {DType::u16, "U16"}, {DType::u8, "U8"},   {DType::boolean, "BOOL"}};

std::uint64_t little_endian(std::string_view text) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = length_bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[i]);
  return value;
}

struct Entry {
  TensorInfo info;
  std::size_t begin = 0, end = 0;  // in the data after the header
  bool is_readable = false;        // its dtype is one of ours
  std::string stored_dtype;        // as the header calls it
};

/// Position of a tensor: in the list of all, and in the data after the header.
struct Place {
  std::size_t index = 0, begin = 0, end = 0;
};

[[noreturn]] void refuse_header(const std::string& label, const std::string& what) {
  throw Error(ErrorKind::data, label, "has a damaged safetensors header: " + what);
}

/// As the safetensors package does, takes the last of tensors of one name, and of texts of the metadata, and refuses
/// what describes a tensor twice.
class HeaderBuilder final : public JsonBuilder {
 public:
  using JsonBuilder::JsonBuilder;

  bool key(string_t& field) override {
    if (depth() == 1) {
      fields_.clear();
      if (field == metadata_field && std::exchange(has_metadata_, true))
        refuse_header(file(), "__metadata__ occurs twice");
    }
    const bool is_read = field == "dtype" || field == "shape" || field == "data_offsets";
    if (depth() == 2 && key_at(1) != metadata_field && is_read && !fields_.insert(field).second)
      refuse_header(file(), "tensor '" + key_at(1) + "' has " + field + " twice");
    return take_key(field);
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    refuse_header(file(), "it is not a JSON object");
  }

 private:
  std::set<std::string> fields_;  // of the tensor
  bool has_metadata_ = false;
};

class SafetensorsSource final : public Source {
 public:
  explicit SafetensorsSource(std::unique_ptr<ByteInput> input) : label_(input->label()), input_(std::move(input)) {
    const std::uint64_t header_bytes = little_endian(input_->take(length_bytes).text());
    if (header_bytes > header_limit)
      throw Error(ErrorKind::data, label_,
                  "claims a safetensors header of " + std::to_string(header_bytes) + " bytes, more than " +
                      std::to_string(header_limit));
    const Bytes header = input_->take(header_bytes);
    std::vector<Entry> entries = parse(header.text());
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      // One without elements comes first.
      return std::tie(a.begin, a.end, a.info.name) < std::tie(b.begin, b.end, b.info.name);
    });
    std::size_t end = 0;
    for (const Entry& entry : entries) {
      if (entry.begin != end) damaged("tensor '" + entry.info.name + "' does not begin where the one before it ends");
      end = entry.end;
    }
    data_ = input_->take_arriving(end);
    if (data_.arrival == nullptr) has_next_batch();
    const Operands operands = operands_of(entries);
    for (const Entry& entry : entries) {
      const std::string_view operand = without_slashes(entry.info.name);
      if (!entry.is_readable) {
        unreadable_.push_back({entry.info.name, "has dtype '" + entry.stored_dtype + "', which is not read",
                               "store it as F16, BF16 or F32 with what made the file"});
      } else if (entry.info.name.empty() && entries.size() > 1) {
        unreadable_.push_back({entry.info.name, "has no name, and beside others no operand means it",
                               "give it one with what made the file"});
      } else if (operands.at(operand) != &entry || (operand.empty() && entries.size() > 1)) {
        unreadable_.push_back(
            {entry.info.name, "has a name that no operand tells from another", "rename it with what made the file"});
      } else {
        places_.emplace(operand, Place{tensors_.size(), entry.begin, entry.end});
        tensors_.push_back(entry.info);
      }
    }
  }

  const std::string& label() const noexcept override { return label_; }
  const std::vector<TensorInfo>& tensors() const noexcept override { return tensors_; }
  const TensorInfo* find(const std::string& name) const override {
    const auto found = places_.find(without_slashes(name));
    if (found == places_.end()) return is_ascii(name) ? nullptr : Source::find(name);
    const TensorInfo& info = tensors_[found->second.index];
    return info.name == name ? &info : nullptr;
  }
  std::size_t rows_together(const std::string&) const override { return 1; }
  bool has_next_batch() override {
    if (!input_->peek(1).empty()) damaged("there are bytes after the last tensor");
    return false;
  }
  bool next_batch() override { return has_next_batch(); }
  /// An operand has lost the slashes around its dataset, which a name may have.
  TensorInfo describe(const std::string& name) const override {
    const auto found = places_.find(name);
    return found == places_.end() ? Source::describe(name) : tensors_[found->second.index];
  }
  const std::vector<Unreadable>& unreadable() const noexcept override { return unreadable_; }

  TensorView read(const std::string& name, const Slab& part) override {
    const TensorInfo info = describe(name);
    const Place& place = places_.find(without_slashes(info.name))->second;
    return view_stored(data_.part(place.begin, place.end - place.begin), {info.dtype, info.shape, {}, false}, part,
                       label_ + ":/" + name);
  }

  void release(const TensorView& part) const noexcept override { data_.release(span_of(part)); }
  void discard(const TensorView& part) const noexcept override { data_.discard(span_of(part)); }
  bool reads_again() const noexcept override { return data_.arrival == nullptr; }

  Attributes attributes(const std::string& name) const override {
    if (name.empty()) return metadata_;
    describe(name);
    return {};
  }

 private:
  [[noreturn]] void damaged(const std::string& what) const { refuse_header(label_, what); }

  /// Tensors by the names in operands: if names differ only in slashes around them, the one without slashes, else the
  /// first.
  using Operands = std::unordered_map<std::string_view, const Entry*>;
  static Operands operands_of(const std::vector<Entry>& entries) {
    Operands operands;
    for (const Entry& entry : entries) {
      const std::string_view operand = without_slashes(entry.info.name);
      const Entry*& meant = operands.emplace(operand, &entry).first->second;
      if (meant->info.name != operand && (entry.info.name == operand || entry.info.name < meant->info.name))
        meant = &entry;
    }
    return operands;
  }

  std::vector<Entry> parse(std::string_view text) {
    const ReadJson json = text.empty() ? ReadJson() : HeaderBuilder(text, label_).run();
    if (!json.is_object()) damaged("it is not a JSON object");
    std::vector<Entry> entries;
    for (const auto& [name, value] : json.items()) {
      if (name == metadata_field)
        parse_metadata(value);
      else
        entries.push_back(parse_entry(name, value));
    }
    return entries;
  }

  /// The safetensors package reads null as none.
  void parse_metadata(const ReadJson& json) {
    if (json.is_null()) return;
    if (!json.is_object()) damaged("__metadata__ is not an object");
    for (const auto& [name, value] : json.items()) {
      if (!value.is_string()) damaged("__metadata__ holds something that is not a string");
      metadata_[name] = scalar_of(value.get<std::string>());
    }
  }

  std::size_t whole_number(const ReadJson& json, const std::string& name) const {
    if (!json.is_number_unsigned()) damaged("tensor '" + name + "' has an extent or offset that is not a whole number");
    return json.get<std::size_t>();
  }

  Entry parse_entry(const std::string& name, const ReadJson& json) const {
    if (!json.is_object() || !json.contains("dtype") || !json.contains("shape") || !json.contains("data_offsets"))
      damaged("tensor '" + name + "' lacks dtype, shape or data_offsets");
    const ReadJson &dtype = json["dtype"], &shape = json["shape"], &offsets = json["data_offsets"];
    if (!dtype.is_string() || !shape.is_array() || !offsets.is_array() || offsets.size() != 2)
      damaged("tensor '" + name + "' has a dtype, shape or data_offsets of the wrong kind");
    Entry entry;
    entry.info.name = name;
    entry.stored_dtype = dtype.get<std::string>();
    const auto* known = std::find_if(std::begin(stored_types), std::end(stored_types),
                                     [&](const StoredType& n) { return dtype == n.name; });
    if (shape.size() > most_axes) damaged("tensor '" + name + "' has more than " + std::to_string(most_axes) + " axes");
    for (const ReadJson& extent : shape) entry.info.shape.push_back(whole_number(extent, name));
    entry.begin = whole_number(offsets[0], name);
    entry.end = whole_number(offsets[1], name);
    if (entry.end < entry.begin) damaged("tensor '" + name + "' ends before it begins");
    entry.is_readable = known != std::end(stored_types);
    if (!entry.is_readable) return entry;
    entry.info.dtype = known->dtype;
    const std::size_t bytes = stored_bytes(entry.info.shape, element_size(entry.info.dtype), label_ + ":/" + name);
    if (entry.end - entry.begin != bytes)
      damaged("tensor '" + name + "' has data_offsets that do not fit its shape " + to_string(entry.info.shape));
    return entry;
  }

  std::string label_;
  std::unique_ptr<ByteInput> input_;
  Bytes data_;
  std::vector<TensorInfo> tensors_;
  std::map<std::string, Place, std::less<>> places_;  // by names without slashes around them, of tensors_
  std::vector<Unreadable> unreadable_;
  Attributes metadata_;
};

std::string metadata_text(const TensorView& value) {
  const Json json = json_of(value);
  return json.is_string() ? json.get<std::string>() : json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class SafetensorsSink final : public CollectingSink {
 public:
  using CollectingSink::CollectingSink;

 private:
  std::string obstacle_to_batches() const override { return "as safetensors"; }
  std::string stored_name(const std::string& name) const override { return utf8_name(name, "safetensors"); }

  void require_fit(const std::vector<TensorInfo>& batch) const override {
    for (const TensorInfo& tensor : batch) {
      if (tensor.dtype == DType::string)
        throw Error(ErrorKind::usage, output().label(),
                    "cannot hold the strings of '" + tensor.name + "' as safetensors", "write CSV or HDF5");
    }
  }

  void write_batch(const OutgoingBatch& batch) override {
    // Widest elements first: then every tensor is aligned without padding, which the format has no room for.
    std::vector<const OutgoingTensor*> tensors;
    for (const OutgoingTensor& tensor : batch.tensors) tensors.push_back(&tensor);
    std::stable_sort(tensors.begin(), tensors.end(), [](const OutgoingTensor* a, const OutgoingTensor* b) {
      return element_size(a->dtype()) > element_size(b->dtype());
    });
    Json header = Json::object();
    if (const auto of_batch = batch.attributes.find(""); of_batch != batch.attributes.end())
      for (const auto& [name, value] : of_batch->second) header[metadata_field][name] = metadata_text(value);
    std::size_t offset = 0;
    for (const OutgoingTensor* tensor : tensors) {
      const auto* known = std::find_if(std::begin(stored_types), std::end(stored_types),
                                       [&](const StoredType& n) { return n.dtype == tensor->dtype(); });
      const std::size_t end = offset + tensor->bytes();
      // At the end, as no name is there twice: prediction one takes a look at all of them.
      Json entry = {{"dtype", known->name}, {"shape", tensor->shape()}, {"data_offsets", {offset, end}}};
      header.get_ref<Json::object_t&>().emplace_back(tensor->name, std::move(entry));
      offset = end;
    }
    std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize((text.size() + 7) / 8 * 8, ' ');
    std::string start;
    for (std::size_t i = 0; i < length_bytes; ++i) start += static_cast<char>(text.size() >> (8 * i) & 0xff);
    start += text;
    output().write(start.data(), start.size());
    for (const OutgoingTensor* tensor : tensors)
      tensor->produce([this](const void* data, std::size_t bytes) { output().write(data, bytes); });
  }
};

}  // namespace

bool looks_like_safetensors(std::string_view head) noexcept {
  // No text begins so: the upper bytes of the length are zero.
  return head.size() > length_bytes && head[length_bytes] == '{' && little_endian(head) < (std::uint64_t{1} << 40);
}

std::unique_ptr<Source> open_safetensors(std::unique_ptr<ByteInput> input) {
  return std::make_unique<SafetensorsSource>(std::move(input));
}

std::unique_ptr<Sink> safetensors_sink(std::unique_ptr<ByteOutput> output) {
  return std::make_unique<SafetensorsSink>(std::move(output));
}

}  // namespace attn::io
