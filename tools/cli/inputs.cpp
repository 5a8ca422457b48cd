#include "cli/inputs.hpp"

#include "cli/exit_codes.hpp"
#include "cli/gradient_check.hpp"
#include "cli/help.hpp"
#include "cli/literals.hpp"
#include "cli/report.hpp"
#include "cli/result.hpp"
#include "cli/selection.hpp"
#include "cli/shared_options.hpp"
#include "cli/standard_text.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/module.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/io/dates.hpp>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <utility>

namespace cli {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

namespace {

attn::io::InputOptions way_to_read(const SharedOptions& shared, attn::ThreadPool& pool, Report& report) {
  attn::io::InputOptions way = shared.input;
  way.pool = &pool;
  way.progress = report.progress_bar.hook();
  way.note = report.notes();
  return way;
}

/// If there is no file of that name, suggests another form of operand, an option, a text, or a part of a file.
void expect_no_word(const attn::io::Operand& operand, const Input& input, const std::vector<OptionEntry>& known) {
  const std::string& word = operand.text;
  const auto of_words = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
  const bool is_word =
      std::isalpha(static_cast<unsigned char>(word.front())) != 0 && std::all_of(word.begin(), word.end(), of_words);
  if (!attn::starts_with(input.option, "-") || !attn::io::has_no_file(operand)) return;
  const auto refuse = [&](const std::string& fix) {
    throw Error(ErrorKind::input, input.option + " " + word, "does not exist", fix);
  };
  const bool names_file = word.find('/') != std::string::npos || attn::io::format_from_path(word);
  if (const std::string form = attn::io::operand_hint(word); !form.empty()) refuse(form);
  if (input.takes_text && !names_file) refuse("write text as " + shell_quoted("str=" + word));
  if (!is_word) return;
  if (input.option == "--bandwidth") refuse("give a number, or one for each coordinate");
  if (word == "none" || word == "None" || word == "off" || word == "True" || word == "true")
    refuse("leave " + input.option + " out");
  std::string name = attn::starts_with(word, "is-") || attn::starts_with(word, "is_") ? word.substr(3) : word;
  std::replace(name.begin(), name.end(), '_', '-');
  for (const auto& [other, ours] : {std::pair{"tril", "causal"}, {"local", "window"}, {"sliding", "window"}})
    if (name == other) name = ours;
  const OptionEntry* meant = name.size() > 2 ? option_called(name, known) : nullptr;
  if (meant == nullptr && name == "padding") meant = option_called("valid-lens", known);
  if (meant == nullptr && input.option == "--mask")
    refuse("a mask is a tensor; attend(1) has --causal, --window and --valid-lens");
  if (meant == nullptr || display_name(meant->names) == input.option)
    refuse("name a column or a dataset as FILE:/" + word);
  refuse("did you mean " + display_name(meant->names) + (meant->metavariable.empty() ? "" : " ") + meant->metavariable +
         "?");
}

attn::TensorInfo info_of(const TensorView& tensor) { return {tensor.name, tensor.dtype, tensor.shape}; }

std::string role_of(const Input& input) {
  return !input.role.empty() ? input.role : !input.option.empty() ? input.option : "INPUT";
}

}  // namespace

Inputs::Inputs(const Command& command, const SharedOptions& shared, attn::ThreadPool& pool, Report& report,
               Origins& origins, GradientCheck* check)
    : command_(command),
      report_(report),
      origins_(origins),
      check_(check),
      keeps_input_(shared.keep_input),
      is_dry_run_(shared.dry_run),
      inputs_(way_to_read(shared, pool, report)) {
  origins.inputs = &inputs_;
}

const attn::io::Operand& Inputs::parse(const std::string& text) {
  auto found = operands_.find(text);
  if (found == operands_.end()) {
    attn::io::Operand operand = attn::io::parse_operand(text);
    // A date alone is a literal only here: for an output, it is a name.
    const auto days = has_no_file(operand) ? attn::io::days_of_date(text) : std::nullopt;
    if (days) operand.literal = attn::renamed(attn::scalar_of(*days), text);
    if (!operand.ranges.empty()) attn::io::resolve_ranges(operand, source(operand));
    found = operands_.emplace(text, std::move(operand)).first;
  }
  return found->second;
}

attn::io::Operand Inputs::operand_of(const Input& input) {
  if (input.text.empty() && !input.option.empty())
    throw Error(ErrorKind::usage, all_names(input.option, command_.help().options), "is required",
                "see " + command_.help().tool + " --help");
  origins_.options.insert(input.option);
  attn::io::Operand operand = parse(input.text.empty() ? "-" : input.text);
  expect_data(operand);
  expect_no_word(operand, input, command_.help().options);
  if (!input.slab.empty()) {
    if (!operand.slab.empty())
      throw Error(ErrorKind::usage, operand.text, "has a slab, and --slab gives another", "leave one out");
    if (operand.literal)
      throw Error(ErrorKind::usage, "--slab " + input.slab, "is part of " + operand.text + ", which is a literal",
                  "leave it out, and write the part");
    operand.slab = attn::parse_slab(input.slab, "--slab " + input.slab);
  }
  operand.in_numbers = !input.keeps_dates || !input.keeps_dates();
  return operand;
}

/// Standard input must not be a terminal: prints a short help and ends the run.
void Inputs::expect_data(const attn::io::Operand& operand) const {
  if (!operand.is_standard_stream() || isatty(STDIN_FILENO) == 0) return;
  std::fputs(short_help(command_.help()).c_str(), stderr);
  throw Finished{usage};
}

attn::Source& Inputs::source(const attn::io::Operand& operand, bool rows_may_come) {
  expect_data(operand);
  attn::Source& source = inputs_.source(operand, rows_may_come);
  std::vector<attn::Source*>& sources = origins_.sources;
  if (std::find(sources.begin(), sources.end(), &source) == sources.end()) sources.push_back(&source);
  return operand.in_numbers ? source.in_numbers() : source;
}

/// --slab with the name of a dataset applies only to that dataset.
void Inputs::expect_dataset(const attn::io::Operand& operand, const Input& input) {
  const std::string name =
      operand.dataset.empty() ? attn::io::default_dataset(source(operand), input.defaults) : operand.dataset;
  if (name != input.slab_of)
    throw Error(ErrorKind::usage, "--slab " + input.slab_of + "=" + input.slab,
                "is part of dataset " + input.slab_of + ", and INPUT is " + operand.source + ":/" + name,
                "--slab input=" + input.slab + " is part of INPUT, whatever its name");
}

/// The columns of a table that inputs name, in the order of their options.
std::vector<attn::TensorInfo> Inputs::columns_of(const std::string& table) {
  std::vector<attn::TensorInfo> columns;
  for (const Input* input : command_.inputs()) {
    if (input->text.empty()) continue;
    const attn::io::Operand& operand = parse(input->text);
    if (operand.source == table && !operand.dataset.empty()) columns.push_back({operand.dataset, {}, {}});
  }
  return columns;
}

/// A result of nothing is nothing, but of no samples, keys or weights it is nonsense.
void Inputs::expect_rows(const attn::Source& from, const attn::Shape& shape, const Input& input) {
  if (!from.is_table() || shape.empty() || shape[0] > 0) return;
  if (input.takes_no_rows || !attn::starts_with(input.option, "--")) return;
  throw Error(ErrorKind::input, from.label(), "has no rows, and " + input.option + " needs some",
              "--no-header makes a row of a header");
}

TensorView Inputs::read(const Input& input, std::optional<attn::DType> beside) {
  if (is_by_rows(input)) {
    const attn::io::Operand operand = operand_of(input);
    const TensorView rows =
        read_unmoved(part_of(operand, input, *block_->blocks, block_->at), input, operand, {}, false);
    block_->read.emplace_back(input, rows);
    return block_->is_first() ? rows : attn::renamed(rows, rows.name + block_->blocks->text_of(block_->at));
  }
  return for_all_blocks(input, "", [&] {
    const attn::io::Operand operand = operand_of(input);
    const TensorView tensor = read_unmoved(operand, input, operand, beside);
    return check_ == nullptr ? tensor : check_->moved(input, tensor);
  });
}

/// What `read` gives; in a run by blocks of rows it is read for the first one only.
TensorView Inputs::for_all_blocks(const Input& input, const std::string& name,
                                  const std::function<TensorView()>& read) {
  if (!block_) return read();
  const std::string key = input.option + '\n' + input.text + '\n' + input.slab + '\n' + name;
  const auto found = whole_.find(key);
  return found != whole_.end() ? found->second : whole_.emplace(key, read()).first->second;
}

/// `whole`: what the operand of the input names, of which this one may be a block.
TensorView Inputs::read_unmoved(const attn::io::Operand& operand, const Input& input, const attn::io::Operand& whole,
                                std::optional<attn::DType> beside, bool is_whole) {
  attn::Source* const from = operand.literal ? nullptr : &source(operand);
  if (!input.slab_of.empty()) expect_dataset(operand, input);
  if (from != nullptr && from->is_table()) {
    from->will_read(columns_of(operand.source));
    expect_rows(*from, stored_shape(operand, input), input);
  }
  const TensorView tensor = inputs_.read(operand, input.defaults, beside);
  log(input, info_of(tensor), is_whole ? &tensor : nullptr);
  // The stage's input: INPUT, or the first input of a tool without INPUT.
  std::optional<MainInput>& main = origins_.main_input;
  if (main && (!input.option.empty() || main->is_positional)) return tensor;
  main = MainInput{tensor};
  main->is_positional = input.option.empty();
  if (from == nullptr || !keeps_input_) return tensor;
  main->source = &inputs_.source(operand);
  main->name = operand.dataset.empty() ? attn::io::default_dataset(*from, input.defaults) : operand.dataset;
  main->is_whole = whole.slab.empty();
  main->attributes = attributes_of(*from, main->name, whole.slab, report_.notes());
  main->coordinates = coordinates_of(*from, main->name, whole.slab);
  if (block_) main->in_blocks = in_blocks(*from, from->describe(main->name), whole.slab);
  return tensor;
}

/// Without the slab of the operand.
attn::Shape Inputs::stored_shape(const attn::io::Operand& operand, const Input& input) {
  if (operand.literal) return operand.literal->shape;
  source(operand);
  return inputs_.locate(operand, input.defaults).info.shape;
}

attn::Shape Inputs::shape(const Input& input) {
  const attn::io::Operand operand = operand_of(input);
  return attn::resolve(operand.slab, stored_shape(operand, input), operand.text).shape;
}

TensorView Inputs::read_rows(const Input& input, std::size_t axis, std::size_t first, std::size_t last) {
  attn::io::Operand operand = operand_of(input);
  operand.slab = rows_within(operand.slab, stored_shape(operand, input), axis, first, last, operand.text);
  if (operand.literal) operand.literal = attn::slice(*operand.literal, operand.slab);
  return read_unmoved(operand, input, operand, {}, false);
}

void Inputs::release(const Input& input, const TensorView& rows) {
  const attn::io::Operand operand = operand_of(input);
  if (!operand.literal) source(operand).release(rows);
}

std::optional<attn::TensorProducer> Inputs::in_blocks(attn::Source& source, const attn::TensorInfo& stored,
                                                      const attn::Slab& part, bool do_rows_come) {
  const attn::Shape shape = attn::resolve(part, stored.shape, source.label() + ":/" + stored.name).shape;
  RowBlocks of_all(shape, RowBlocks::usual_bytes() / attn::element_size(stored.dtype));
  if (!of_all.align(source, stored.name, part)) return std::nullopt;
  if (do_rows_come) of_all.coming = attn::StoredTensor{&source, stored};
  const auto produce = [&source, stored, part, of_all](const attn::ByteConsumer& consume) {
    RowBlocks blocks = of_all;
    blocks.each([&](const RowBlocks::Block& block) {
      const attn::Shape& here = part.empty() ? blocks.shape : stored.shape;
      const TensorView read = source.read(stored.name, blocks.slab_of(block, part, here, stored.name));
      const TensorView rows = attn::contiguous(read);
      consume(rows.data, rows.bytes());
      source.discard(read);
    });
  };
  return attn::TensorProducer{stored.dtype, shape, produce, !do_rows_come};
}

/// The operand with the slab of a block of what it names.
attn::io::Operand Inputs::part_of(attn::io::Operand operand, const Input& input, const RowBlocks& blocks,
                                  const RowBlocks::Block& block) {
  operand.slab = blocks.slab_of(block, operand.slab, stored_shape(operand, input), operand.text);
  if (operand.literal) operand.literal = attn::slice(*operand.literal, operand.slab);
  return operand;
}

std::optional<RowBlocks> Inputs::row_blocks(const Output& output) {
  const std::optional<RowInput> first = rows_of(*output.rows_of, true);
  if (!first) return std::nullopt;
  // Whoever reads it as a whole counts on all of its rows.
  const auto whole = [&] {
    first->source->await_rows(every_row);
    return std::nullopt;
  };
  const std::optional<RowRule> rule = output.by_rows(first->shape.size());
  if (!rule || first->shape.size() <= rule->whole_axes) return whole();
  for (const Input* input : rule->whole)
    if (!input->text.empty() && shape(*input).size() > first->shape.size()) return whole();
  // A result may have many times the bytes of its rows, such as the vectors of ids.
  const std::size_t bytes = std::max<std::size_t>(RowBlocks::usual_bytes() / 8, std::size_t{64} << 10);
  RowBlocks blocks(first->shape, bytes / attn::element_size(first->info.dtype), rule->whole_axes);
  if (!blocks.align(*first->source, first->info.name, first->part)) return whole();
  if (!first->source->await_rows(0)) blocks.coming = attn::StoredTensor{first->source, first->info};
  by_rows_ = {{output.rows_of->option, blocks.shape.size()}};
  std::vector<const Input*> beside = rule->beside;
  if (rule->lengths != nullptr) beside.push_back(rule->lengths);
  for (const Input* input : beside) {
    const std::size_t rank = input == rule->lengths ? 0 : blocks.shape.size();
    by_rows_.emplace(input->option, rank);
    if (input->text.empty()) continue;
    blocks.await();
    const std::optional<RowInput> other = rows_of(*input, false);
    if (!other || !blocks.has_rows_of(other->shape) || (rank != 0 && other->shape.size() != rank) ||
        !blocks.align(*other->source, other->info.name, other->part))
      return std::nullopt;
  }
  const bool are_several = blocks.before > 1 || blocks.rows > blocks.rows_at_once || blocks.coming;
  return are_several ? std::optional(blocks) : std::nullopt;
}

/// The dataset of an input that may be read by rows; none if it is no dataset, or if its rows are needed again when
/// they are gone.
std::optional<Inputs::RowInput> Inputs::rows_of(const Input& input, bool rows_may_come) {
  const attn::io::Operand operand = operand_of(input);
  if (operand.literal || !input.slab_of.empty()) return std::nullopt;
  const auto reads_it = [&](const Input* other) {
    return other->option != input.option && !other->text.empty() && parse(other->text).source == operand.source;
  };
  const std::vector<Input*>& inputs = command_.inputs();
  const bool is_read_again = keeps_input_ || std::any_of(inputs.begin(), inputs.end(), reads_it);
  attn::Source& from = source(operand, rows_may_come && operand.slab.empty() && !is_read_again);
  if (is_read_again && !from.reads_again()) return std::nullopt;
  if (from.is_table() && from.tensors().size() > 1) from.await_rows(every_row);
  const attn::TensorInfo info = inputs_.locate(operand, input.defaults).info;
  return RowInput{&from, info, operand.slab, attn::resolve(operand.slab, info.shape, operand.text).shape};
}

bool Inputs::is_by_rows(const Input& input) {
  const auto found = block_ ? by_rows_.find(input.option) : by_rows_.end();
  if (found == by_rows_.end()) return false;
  const attn::Shape shape = this->shape(input);
  return block_->blocks->has_rows_of(shape) && (found->second == 0 || found->second == shape.size());
}

void Inputs::move_to(std::shared_ptr<const RowBlocks> blocks, const RowBlocks::Block& block) {
  if (block_)
    for (const auto& [input, rows] : block_->read) source(operand_of(input)).discard(rows);
  block_ = CurrentBlock{std::move(blocks), block};
}

void Inputs::shorten(const RowBlocks::Block& block) {
  block_->at = block;
  block_->read.clear();
}

void Inputs::end_blocks() {
  block_.reset();
  whole_.clear();
}

std::vector<Input> Inputs::columns_by_kind(const Input& input) {
  const attn::io::Operand operand = operand_of(input);
  const std::string& names = operand.dataset;
  if (operand.literal || names.empty() || !is_of_columns(source(operand))) return {input};
  const attn::Source& table = source(operand);
  const std::string slab = operand.text.substr(operand.text.rfind(names) + names.size());
  std::vector<Input> columns;
  bool has_words = false, has_numbers = false;
  for (const std::size_t place : table.columns_in(names)) {
    const attn::TensorInfo& info = table.tensors()[place];
    Input column = input;
    column.text = operand.source + ":/" + info.name + (slab.empty() && info.name.back() == ']' ? "[]" : slab);
    (info.dtype == attn::DType::string ? has_words : has_numbers) = true;
    columns.push_back(column);
  }
  return has_words && has_numbers ? columns : std::vector<Input>{input};
}

std::optional<TensorView> Inputs::read(const OptionalInput& input) {
  if (!input.given()) return std::nullopt;
  return read(static_cast<const Input&>(input));
}

TensorView Inputs::read(const std::string& text, const std::vector<std::string>& defaults) {
  Input input(defaults);
  input.text = input.option = text;
  return read(input);
}

TensorView Inputs::read(const Input& input, const std::string& name) {
  return for_all_blocks(input, name, [&] {
    attn::Source& from = inputs_.source(operand_of(input));
    expect_rows(from, from.describe(name).shape, input);
    const TensorView tensor = from.read(name);
    Input part;
    part.role = role_of(input);
    log(part, info_of(tensor), &tensor);
    return check_ == nullptr ? tensor : check_->moved(input, tensor);
  });
}

TensorView Inputs::read(attn::Source& source, const std::string& name, const attn::Slab& part) {
  TensorView tensor = source.read(name, part);
  log(Input{}, info_of(tensor), &tensor);
  return tensor;
}

void Inputs::log(const Input& input, attn::TensorInfo info, const TensorView* whole, bool is_shown) {
  if (block_ && !block_->is_first()) return;
  RunLog& log = origins_.log;
  ReadTensor read{role_of(input), std::move(info), Input{}, {}, is_shown};
  if (log.is_kept) read.input = input;
  if (log.is_kept && whole != nullptr && !is_split(read.role)) {
    attn::Hash hash;
    if (!is_dry_run_) hash.add(*whole);
    read.content = hash.value();
  }
  log.read.push_back(std::move(read));
}

bool Inputs::is_split(const std::string& role) const {
  const std::vector<std::string>& split = origins_.log.split;
  return std::find(split.begin(), split.end(), role) != split.end();
}

void Inputs::keep_record(const std::vector<std::string>& split) {
  origins_.log.is_kept = true;
  origins_.log.split = split;
}

void Inputs::settle(const std::string& name, const std::string& value) {
  RecordEntries& settled = origins_.log.settled;
  const auto known =
      std::find_if(settled.begin(), settled.end(), [&](const auto& entry) { return entry.first == name; });
  if (known == settled.end())
    settled.emplace_back(name, value);
  else
    known->second = value;
}

/// The hash of the whole tensor that read() takes, in blocks of consecutive elements.
attn::Digest Inputs::digest(const Input& input, const std::function<void(const TensorView& block)>& look) {
  const attn::io::Operand operand = operand_of(input);
  const attn::Shape shape = attn::resolve(operand.slab, stored_shape(operand, input), operand.text).shape;
  RowBlocks blocks(shape, std::size_t{1} << 17);
  attn::Hash hash;
  if (is_dry_run_ || attn::element_count(shape) == 0) return hash.value();
  blocks.each([&](const RowBlocks::Block& block) {
    const attn::io::Operand part = part_of(operand, input, blocks, block);
    const TensorView x = inputs_.read(part, input.defaults);
    hash.add(x);
    if (look) look(x);
    if (!part.literal) source(part).release(x);
  });
  return hash.value();
}

void Inputs::look_at(const Input& input, const std::function<void(const TensorView& block)>& look) {
  attn::TensorInfo info{input.text, {}, shape(input)};
  const attn::Digest content = digest(input, [&](const TensorView& block) {
    info.dtype = block.dtype;
    look(block);
  });
  log(input, info, nullptr, false);
  origins_.log.read.back().content = content;
}

/// What was read for an option; empty if nothing was.
std::string Inputs::recorded(const std::string& role) {
  std::vector<const ReadTensor*> tensors;  // each operand once, if possible with its hash
  for (const ReadTensor& read : origins_.log.read) {
    if (read.role != role) continue;
    const auto same = std::find_if(tensors.begin(), tensors.end(), [&](const ReadTensor* other) {
      return other->input.text == read.input.text && other->input.slab == read.input.slab &&
             (!read.input.text.empty() || other->info.name == read.info.name);
    });
    if (same == tensors.end())
      tensors.push_back(&read);
    else if (read.content)
      *same = &read;
  }
  return attn::listed(tensors, ", ", [&](const ReadTensor* read) {
    const std::string dtype(attn::name_of(read->info.dtype));
    if (is_split(role)) return dtype;
    if (read->content) return attn::to_string(read->info.shape) + ' ' + dtype + ' ' + read->content->hex();
    return attn::to_string(shape(read->input)) + ' ' + dtype + ' ' + digest(read->input).hex();
  });
}

RunRecord Inputs::record() {
  RunRecord record{attn::version(), {}, command_.record()};
  const auto enter = [&](const std::string& name, const std::string& value) {
    for (auto& entry : record.entries)
      if (entry.first == name) {
        entry.second = value;
        return;
      }
    record.entries.emplace_back(name, value);
  };
  for (auto& [option, value] : record.entries)
    if (const std::string read = recorded(option); !read.empty()) value = read;
  for (const auto& [name, value] : origins_.log.settled) enter(name, value);
  for (const Input* input : command_.inputs()) {
    const std::string read = recorded(role_of(*input));
    if (!read.empty() || !input->option.empty()) enter(role_of(*input), read.empty() ? "none" : read);
  }
  return record;
}

attn::Attributes Inputs::attributes(const Input& input) {
  const attn::io::Operand operand = operand_of(input);
  if (operand.literal) return attributes_of_literal(operand.text);
  const attn::Source& from = source(operand);
  return from.attributes(operand.dataset.empty() ? attn::io::default_dataset(from, input.defaults) : operand.dataset);
}

void Inputs::take_as_input(const MainInput& input) { origins_.main_input = input; }

void Inputs::has_read(const TensorView& tensor) {
  const std::vector<ReadTensor>& read = origins_.log.read;
  if (std::none_of(read.begin(), read.end(), [&](const ReadTensor& each) { return each.info.name == tensor.name; }))
    origins_.log.read.push_back({{}, info_of(tensor), Input{}});
}

bool Inputs::was_read(const attn::TensorInfo& tensor) const {
  const std::vector<ReadTensor>& read = origins_.log.read;
  return std::any_of(read.begin(), read.end(),
                     [&](const ReadTensor& each) { return attn::ends_with(each.info.name, ":/" + tensor.name); });
}

std::optional<attn::io::Inputs::Located> Inputs::locate(const Input& input) {
  const attn::io::Operand operand = operand_of(input);
  if (operand.literal || !operand.slab.empty()) return std::nullopt;
  source(operand);
  const attn::io::Inputs::Located located = inputs_.locate(operand, input.defaults);
  log(input, located.info, nullptr, false);
  return located;
}

Inputs::Group Inputs::open(const Input& input) {
  const attn::io::Operand operand = operand_of(input);
  if (!input.slab.empty())
    throw Error(ErrorKind::usage, "--slab " + input.slab,
                "is a part of a tensor, and " + input.text + " is taken whole", "leave it out");
  if (operand.literal || !operand.slab.empty())
    throw Error(ErrorKind::usage, input.text, "names no group of tensors", "give FILE or FILE:/prefix");
  attn::Source& source = inputs_.source(operand);
  return {check_ == nullptr ? &source : &check_->moved(source), operand.dataset};
}

std::istream& Inputs::text(const Input& input) {
  if (!input.slab.empty())
    throw Error(ErrorKind::usage, "--slab " + input.slab, "is a part of a tensor, and the input is lines of text",
                "leave it out");
  origins_.options.insert(input.option);
  if (input.text.empty() || input.text == "-") {
    operand_of(input);
    return standard_lines();
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(input.text, ignored))
    throw Error(ErrorKind::input, input.text, std::strerror(EISDIR));
  if (!text_file_.is_open()) text_file_.open(input.text, std::ios::binary);
  if (!text_file_) throw Error(attn::io::kind_of_failed_open(errno), input.text, std::strerror(errno));
  return text_file_;
}

}  // namespace cli
