#include <attn/core/error.hpp>

#include <utility>

namespace attn {
namespace {

std::string one_line(const std::string& subject, const std::string& detail, const std::string& fix) {
  std::string line = subject;
  if (!line.empty() && !detail.empty()) line += ": ";
  line += detail;
  if (!fix.empty()) line += "; " + fix;
  return line;
}

}  // namespace

Error::Error(ErrorKind kind, std::string subject, std::string detail, std::string fix)
    : std::runtime_error(one_line(subject, detail, fix)),
      kind_(kind),
      subject_(std::move(subject)),
      detail_(std::move(detail)),
      fix_(std::move(fix)) {}

Error shape_error(std::string_view tensor, const Shape& actual, std::string_view expected, std::string fix) {
  return Error(ErrorKind::data, std::string(tensor),
               "has shape " + to_string(actual) + ", expected " + std::string(expected), std::move(fix));
}

}  // namespace attn
