#include "cli/results/moved_times.hpp"

#include <attn/io/dates.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

namespace cli {

std::string moved_times(const attn::TensorView& x, const attn::Attributes& attributes, attn::DType dtype) {
  if (!attn::is_floating(dtype) || dtype == x.dtype || x.dtype == attn::DType::string || x.data == nullptr) return {};
  const std::size_t columns = x.rank() < 2 ? 1 : std::max<std::size_t>(x.shape.back(), 1);
  const std::optional<attn::io::DayScale> scale = attn::io::day_scale(attributes);
  const std::vector<bool> are_days =
      scale ? std::vector<bool>(columns, true) : attn::io::columns_of_dates(attributes, columns);
  if (are_days.empty()) return {};
  const std::vector<double> before = attn::elements_of<double>(attn::cast(x, attn::DType::f64)),
                            after = attn::elements_of<double>(attn::cast(attn::cast(x, dtype), attn::DType::f64));
  double seconds = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (are_days[i % columns] && std::isfinite(before[i]))
      seconds = std::max(seconds, std::abs(after[i] - before[i]) * (scale ? scale->factor : 1) * 86400);
  if (seconds < 0.001) return {};
  const auto [unit, length] = seconds < 120      ? std::pair("seconds", 1.)
                              : seconds < 7200   ? std::pair("minutes", 60.)
                              : seconds < 172800 ? std::pair("hours", 3600.)
                                                 : std::pair("days", 86400.);
  char amount[32];
  std::snprintf(amount, sizeof amount, "%.2g", seconds / length);
  return std::string(attn::name_of(dtype)) + " moves its times by up to " + amount + ' ' + unit + ", which f64 keeps";
}

}  // namespace cli
