#include "transformer-run/lines.hpp"

#include "cli/exit_codes.hpp"
#include "cli/selection.hpp"
#include "cli/signals.hpp"
#include "cli/standard_text.hpp"

#include <attn/core/error.hpp>
#include <attn/core/hash.hpp>
#include <attn/io/operand.hpp>
#include <attn/io/output.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace transformer_run {
namespace {

using attn::Error;
using attn::ErrorKind;

std::uint64_t hash_of(const std::string& bytes) {
  attn::Hash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.value().low;
}

void append(std::string& block, std::uint64_t number) {
  block.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// The next number of a block; 0 at its end.
std::uint64_t number_at(const std::string& block, std::size_t& at) {
  std::uint64_t number = 0;
  if (at + sizeof number <= block.size()) std::memcpy(&number, block.data() + at, sizeof number);
  at += sizeof number;
  return number;
}

/// "DIRECTORY/.NAME.partial".
std::string partial_path(const std::string& output) {
  const std::filesystem::path path(output);
  return (path.parent_path() / ("." + path.filename().string() + ".partial")).string();
}

bool read_at(int fd, std::uint64_t at, std::size_t bytes, std::string& into) {
  into.resize(bytes);
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t got = pread(fd, into.data() + done, bytes - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

bool wants_vectors(const Options& options, const attn::OpenedModel& opened) {
  const bool asked = options.pooling || options.normalize || options.dimensions;
  return opened.makes_vectors() || (asked && opened.description.task == attn::Task::embed);
}

attn::TextTaskParameters vector_rules(const Options& options, const attn::OpenedModel& opened, attn::DType compute) {
  attn::TextTaskParameters rules = opened.text_parameters(compute, options.pooling, options.prompt);
  if (options.prompt_text) rules.vectors.prompt = *options.prompt_text;
  std::vector<attn::VectorStep>& steps = rules.vectors.steps;
  const auto scales = [&] { return !steps.empty() && steps.back().scales(); };
  if (options.normalize && !scales()) steps.emplace_back();
  if (options.dimensions) {
    attn::VectorStep cut;
    cut.dimensions = *options.dimensions;
    steps.insert(scales() ? steps.end() - 1 : steps.end(), std::move(cut));  // what is scaled is what is left
    if (opened.description.task == attn::Task::embed) width_of_vectors(opened, compute, rules.vectors);
  }
  return rules;
}

std::size_t width_of_vectors(const attn::OpenedModel& opened, attn::DType compute,
                             const attn::TextVectorParameters& vectors) {
  const auto& head = opened.description.head;
  const bool projects = head && head->is_vector && head->outputs > 0;
  const attn::Tensor nothing =
      attn::Tensor::zeros(compute, {1, 1, projects ? head->outputs : opened.description.width});
  return text_vectors(nothing.view(), std::nullopt, vectors).shape[1];
}

std::optional<std::size_t> max_length_of(const Options& options, const attn::OpenedModel& opened) {
  const attn::Task task = opened.description.task;
  const bool is_of_sentences = task == attn::Task::embed || task == attn::Task::classify;
  const bool by_folder = !options.max_length && opened.sentences && is_of_sentences;
  return by_folder ? opened.sentences->max_length : options.max_length;
}

void LineNotes::count(std::size_t line, bool is_cut, bool has_unknown) {
  if (is_cut) cut_.add(line);
  if (has_unknown) unknown_.add(line);
}

void LineNotes::say(const Options& options, const attn::OpenedModel& opened, cli::Report& report) const {
  if (unknown_.count > 0)
    report.note(unknown_.text("has", "have") +
                " characters that the tokenizer does not know: the model reads the unknown token in their place");
  if (cut_.count == 0) return;
  const std::size_t positions = opened.description.max_positions;
  const std::size_t most = max_length_of(options, opened).value_or(positions);
  if (options.max_length && most < positions) return;  // as requested
  const std::string to = most < positions ? std::to_string(most) + " tokens, as its folder specifies"
                                          : "the " + std::to_string(positions) + " positions of the model";
  report.note(cut_.text("was", "were") + " cut to " + to + "; --max-length N cuts to N tokens, " +
              (most < positions ? "0 cuts none" : "0 makes a longer text an error"));
}

Traced::Traced(const Options& options, const attn::Execution& execution)
    : execution_(execution), filter_(options.trace_filter) {
  if (options.trace.empty()) return;
  const attn::io::Operand operand = attn::io::parse_operand(options.trace);
  if (operand.literal || operand.is_part() || operand.is_standard_stream())
    throw Error(ErrorKind::usage, "--trace", options.trace + " is not a file", "give FILE or FILE:/group");
  if (!operand.dataset.empty()) group_ = operand.dataset + "/";
  attn::io::OutputOptions like_result;
  like_result.overwrite = options.output.options.overwrite;
  like_result.append = options.output.options.append;
  like_result.keeps_rest = !group_.empty() && !options.output.replaces_file;
  sink_ = attn::io::create_sink(operand.source, like_result);
  execution_.trace = [this](const std::string& name, const attn::TensorView& tensor) {
    if (std::none_of(filter_.begin(), filter_.end(), [&](const auto& glob) { return cli::matches_glob(glob, name); }))
      return;
    sink_->add(group_ + name, tensor);
    ++tensors_;
  };
}

void Traced::commit() {
  if (!is_traced() || execution_.dry_run != nullptr) return;
  if (tensors_ == 0)
    throw Error(ErrorKind::usage, "--trace-filter", "no tensor's name matches " + attn::listed(filter_),
                "names look like encoder/0/self_attn/q");
  sink_->commit();
}

/// .NAME.partial beside the output NAME. Lines are added in blocks, each with its length and hash; a block that is torn
/// is dropped, and so is a file of another model or of other options.
class FinishedLines {
 public:
  using Entry = std::pair<std::string, std::string>;  ///< line and result

  /// identity: model and options. Throws Error(create) if the file cannot be made or another run writes it, Error(io).
  FinishedLines(const std::string& output, const std::string& identity);
  ~FinishedLines();
  FinishedLines(const FinishedLines&) = delete;
  FinishedLines& operator=(const FinishedLines&) = delete;

  std::optional<std::string> find(const std::string& line) const;
  /// Is the line that find() found one of an earlier run?
  bool is_earlier(const std::string& line) const { return places_.at(line).at < earlier_end_; }
  /// Adds a block and waits until it is on the disk.
  void add(const std::vector<Entry>& entries);
  /// Deletes the file: the output is there.
  void remove();

 private:
  struct Place {
    std::uint64_t at;
    std::size_t bytes;
  };
  bool take_block();
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  int fd_;
  std::uint64_t end_ = 0;          ///< of the last whole block
  std::uint64_t earlier_end_ = 0;  ///< the same when this run began
  std::unordered_map<std::string, Place> places_;
};

/// The files of a folder, with sizes and a hash of their contents: the model that made a result.
std::string identity_of_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::follow_directory_symlink))
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder).string());
  std::sort(files.begin(), files.end());
  std::string identity;
  std::vector<char> buffer(std::size_t{1} << 20);
  for (const std::string& name : files) {
    std::ifstream file(fs::path(folder) / name, std::ios::binary);
    attn::Hash hash;
    std::size_t size = 0;
    while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), file.gcount() > 0) {
      hash.add(buffer.data(), static_cast<std::size_t>(file.gcount()));
      size += static_cast<std::size_t>(file.gcount());
    }
    identity += name + ' ' + std::to_string(size) + ' ' + hash.value().hex() + '\n';
  }
  return identity;
}

FinishedLines::FinishedLines(const std::string& output, const std::string& identity)
    : path_(partial_path(output)), fd_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  using attn::Error;
  using attn::ErrorKind;
  if (fd_ < 0) throw Error(ErrorKind::create, path_, std::string("cannot be made: ") + std::strerror(errno));
  if (flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    close(fd_);
    throw Error(ErrorKind::create, path_, "is being written by another run", "wait for it, or name another output");
  }
  std::string head = "attnutils lines 3\n", there;
  append(head, hash_of(identity));
  if (read_at(fd_, 0, head.size(), there) && there == head) {
    end_ = head.size();
    while (take_block()) {
    }
    earlier_end_ = end_;
  }
  if (ftruncate(fd_, static_cast<off_t>(end_)) != 0) fail("cannot be cut");
  if (end_ > 0) return;
  if (pwrite(fd_, head.data(), head.size(), 0) != static_cast<ssize_t>(head.size())) fail("cannot be written");
  end_ = head.size();
}

FinishedLines::~FinishedLines() { close(fd_); }

void FinishedLines::fail(const std::string& what) const {
  throw attn::Error(attn::ErrorKind::io, path_, what + ": " + std::strerror(errno));
}

/// A block is its size, its hash, and for each entry two sizes and the two texts.
bool FinishedLines::take_block() {
  std::string head, block;
  if (!read_at(fd_, end_, 2 * sizeof(std::uint64_t), head)) return false;
  std::size_t at = 0;
  const std::uint64_t size = number_at(head, at), hash = number_at(head, at);
  const off_t length = lseek(fd_, 0, SEEK_END);
  const std::uint64_t begin = end_ + head.size();
  if (length < 0 || size > static_cast<std::uint64_t>(length) - begin) return false;
  if (!read_at(fd_, begin, size, block) || hash_of(block) != hash) return false;
  for (at = 0; at < block.size();) {
    const std::size_t line = number_at(block, at), result = number_at(block, at);
    places_[block.substr(at, line)] = {begin + at + line, result};
    at += line + result;
  }
  end_ = begin + size;
  return true;
}

std::optional<std::string> FinishedLines::find(const std::string& line) const {
  const auto found = places_.find(line);
  if (found == places_.end()) return std::nullopt;
  std::string result;
  if (!read_at(fd_, found->second.at, found->second.bytes, result)) fail("cannot be read");
  return result;
}

void FinishedLines::add(const std::vector<Entry>& entries) {
  if (entries.empty()) return;
  std::string block, whole;
  for (const auto& [line, result] : entries) {
    append(block, line.size());
    append(block, result.size());
    block += line + result;
  }
  append(whole, block.size());
  append(whole, hash_of(block));
  whole += block;
  if (pwrite(fd_, whole.data(), whole.size(), static_cast<off_t>(end_)) != static_cast<ssize_t>(whole.size()) ||
      fdatasync(fd_) != 0)
    fail("cannot be written");
  take_block();
}

void FinishedLines::remove() { unlink(path_.c_str()); }

namespace {

bool is_file(const std::string& text) {
  std::error_code none;
  return text != "-" && std::filesystem::exists(text, none) && !std::filesystem::is_directory(text, none);
}

/// The name of what FILE:/NAME means in an existing file.
std::optional<std::string> name_in_file(const std::string& text) {
  const std::size_t colon = text.find(":/");
  if (colon == std::string::npos || !is_file(text.substr(0, colon))) return std::nullopt;
  return text.substr(colon + 2);
}

/// Throws Error(usage) for a text that is meant as an operand, a column of a table.
void expect_no_operand(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const std::optional<std::string> name = name_in_file(text);
    if (!name) continue;
    const std::string rename = *name == "text" ? "" : " --rename " + cli::shell_quoted(*name + "=text");
    throw Error(ErrorKind::usage, text, "is a part of a file, and TEXT is the text itself",
                name->empty() ? "tconv FILE:/COLUMN -O jsonl | transformer-run --json-lines reads a column"
                              : "tconv " + cli::shell_quoted(text) + rename +
                                    " -O jsonl | transformer-run --json-lines reads it line by line");
  }
}

}  // namespace

cli::TextLines texts_of(const Options& options, cli::Session& session) {
  const bool are_files = !options.text.empty() && std::all_of(options.text.begin(), options.text.end(), is_file);
  expect_no_operand(options.text);
  if (are_files) {
    const std::string names = attn::listed(options.text, " ", cli::shell_quoted);
    throw Error(ErrorKind::usage, options.text.front(), "is a file, and TEXT is the text itself",
                options.text.size() == 1 ? "<" + names + " reads its lines"
                                         : "cat " + names + " | transformer-run reads the lines of all");
  }
  for (const std::string& text : options.text)
    if (is_file(text))
      session.report.note(text + " is taken as the text, not as the file of that name; < " + text + " gives its lines");
  std::vector<std::string> texts = options.text;
  if (const auto pipe = std::find(texts.begin(), texts.end(), "-"); pipe != texts.end()) {
    if (std::find(pipe + 1, texts.end(), "-") != texts.end())
      throw attn::Error(attn::ErrorKind::usage, "-", "is given twice: standard input can be read once");
    std::vector<std::string> behind(pipe + 1, texts.end());
    texts.erase(pipe, texts.end());
    if (!texts.empty() || !behind.empty()) {  // else they are read as they arrive
      for (std::string& line : cli::TextLines(std::vector<std::string>(), session.inputs).all())
        texts.push_back(std::move(line));
      texts.insert(texts.end(), behind.begin(), behind.end());
    }
  }
  cli::TextLines lines(std::move(texts), session.inputs);
  if (options.shard) lines.take(*options.shard);
  if (options.json_lines) lines.are_json(session.report);
  return lines;
}

LineRun::LineRun(const Options& options, const attn::OpenedModel& opened, std::size_t most, const Traced& traced,
                 cli::Session& session)
    : options_(options),
      opened_(opened),
      session_(session),
      source_(texts_of(options, session)),
      is_traced_(traced.is_traced()),
      most_(most) {
  if (is_traced_) {
    lines_ = source_.all();
    if (lines_.empty()) throw attn::Error(attn::ErrorKind::input, "standard input", "has no line to trace");
  }
  if (!options.resume || session.execution().dry_run != nullptr) return;
  most_ = std::min(most, options.parameters.batch_rows * session.execution().threads());
  const cli::RunRecord record = session.record();
  finished_ = std::make_shared<FinishedLines>(
      options.output.operand.source,
      record.version + '\n' + record.instruction_set + '\n' + record.text() + identity_of_folder(opened.folder.path()));
  cli::stop_at_signals();
}

std::vector<std::string> LineRun::next() { return is_traced_ ? std::exchange(lines_, {}) : source_.next(most_); }

std::vector<LineResult> LineRun::results_of(const std::vector<std::string>& lines, const Compute& compute) {
  std::vector<LineResult> results(lines.size());
  std::vector<std::string> fresh;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto known = finished_ ? finished_->find(lines[i]) : std::nullopt;
    if (known) {
      results[i].text = *known;
      if (finished_->is_earlier(lines[i])) ++known_;
    } else {
      fresh.push_back(lines[i]);
      numbers.push_back(source_.skipped() + done_ + i + 1);
    }
  }
  if (fresh.empty()) return results;
  std::vector<LineResult> computed = compute(fresh, numbers);
  std::vector<FinishedLines::Entry> entries;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (finished_ && !computed[i].error) entries.emplace_back(fresh[i], computed[i].text);
    results[numbers[i] - source_.skipped() - done_ - 1] = std::move(computed[i]);
  }
  if (finished_) finished_->add(entries);
  return results;
}

void LineRun::each(const Compute& compute, const std::function<void(const std::string& result)>& take) {
  for (auto lines = next(); !lines.empty(); lines = next()) {
    for (const LineResult& result : results_of(lines, compute)) {
      const std::size_t number = source_.skipped() + ++done_;
      notes_.count(number, result.is_cut, result.has_unknown);
      if (result.error) handle(*result.error, number, options_, session_.report);
      take(result.text);
    }
    if (!finished_ || !cli::is_asked_to_stop()) continue;
    session_.report.note("stopped after line " + std::to_string(done_) + "; the same command goes on from there");
    throw cli::Finished{cli::stopped};
  }
  notes_.say(options_, opened_, session_.report);
  if (!finished_) return;
  if (known_ > 0)
    session_.report.note(std::to_string(known_) + " of " + std::to_string(done_) + " lines were finished before");
  session_.results.when_visible([finished = finished_] { finished->remove(); });
}

void handle(const attn::Error& cause, std::size_t line, const Options& options, cli::Report& report) {
  const attn::Error error(cause.kind(), "line " + std::to_string(line), cause.what());
  if (options.on_error == OnError::stop) throw error;
  report.note(error.what());
  report.say_no();
}

}  // namespace transformer_run
