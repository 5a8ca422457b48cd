#include "transformer-run/lines.hpp"
#include "transformer-run/rows_at_once.hpp"
#include "transformer-run/runs.hpp"
#include "transformer-run/text_rules.hpp"

#include <attn/io/byte_output.hpp>

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace transformer_run {
namespace {

/// Rows of bytes in a file without a name beside the output: how many there will be is known when the last line has
/// come, and they may not fit into memory.
class Rows {
 public:
  explicit Rows(const std::string& output) {
    const std::string folder = std::filesystem::path(attn::io::place_of_output(output).file).parent_path().string();
    const int fd = open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    file_.reset(fd >= 0 ? fdopen(fd, "w+b") : std::tmpfile());
    require(file_ != nullptr);
  }

  void add(const std::string& row) {
    require(std::fwrite(row.data(), 1, row.size(), file_.get()) == row.size());
    ++count_;
  }

  std::size_t count() const noexcept { return count_; }

  void read(const attn::ByteConsumer& consume) const {
    std::rewind(file_.get());
    std::array<char, std::size_t{64} << 10> buffer;
    for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), file_.get())) > 0;)
      consume(buffer.data(), got);
    require(std::ferror(file_.get()) == 0);
  }

 private:
  static void require(bool holds) {
    if (!holds)
      throw attn::Error(attn::ErrorKind::io, "the file of finished vectors", std::strerror(errno),
                        "make room on the disk");
  }
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::size_t count_ = 0;
};

std::string bytes_of(const std::vector<double>& vector, std::size_t width, attn::DType dtype) {
  attn::Tensor row = attn::Tensor::zeros(attn::DType::f64, {width});
  std::copy(vector.begin(), vector.end(), row.data_as<double>());
  const attn::TensorView x = cast(row.view(), dtype);
  return {static_cast<const char*>(x.data), x.bytes()};
}

}  // namespace

bool makes_vectors_of_lines(const Options& options, const attn::OpenedModel& opened) {
  const bool reads_text = !options.ids.given() && !options.decoder_ids.given() && !opened.sees();
  const bool is_whole = options.from.empty() && options.to.empty() && options.output.emit.empty();
  return reads_text && is_whole && options.trace.empty() && wants_vectors(options, opened);
}

void run_vectors(const Options& options, const attn::OpenedModel& opened, const Traced& untraced,
                 cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = opened.tokenizer();
  const attn::TextTaskParameters parameters = task_parameters(options, opened, model.dtype(), session);
  const attn::Tensor nothing = attn::Tensor::zeros(model.dtype(), {1, 1, opened.description.width});
  const std::size_t width = text_vectors(nothing.view(), std::nullopt, parameters.vectors).shape[1];
  LineRun run(options, opened, line_window, untraced, session);
  const auto rows = std::make_shared<Rows>(options.output.operand.source);
  run.each(
      [&](const std::vector<std::string>& lines, const std::vector<std::size_t>&) {
        std::vector<LineResult> results;
        for (const attn::LineFindings& line : perform(model, tokenizer, lines, parameters, untraced.execution()))
          results.push_back({bytes_of(line.vector, width, model.dtype()), line.is_cut, line.has_unknown, line.error});
        return results;
      },
      [&](const std::string& row) { rows->add(row); });
  const attn::TensorProducer vectors{
      model.dtype(), {rows->count(), width}, [rows](const attn::ByteConsumer& consume) { rows->read(consume); }};
  session.write(options.output, {{"", {}, {}, vectors}});
}

}  // namespace transformer_run
