#include "support/qr.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace support {

Factorisation::Factorisation(std::vector<LongColumn> columns) : columns_(std::move(columns)) {
  const std::size_t count = columns_[0].size();
  LongColumn size(count, 0.0L);
  for (std::size_t r = 0; r < count; ++r)
    for (const LongColumn& column : columns_) size[r] = std::max(size[r], std::abs(column[r]));
  rows_.resize(count);
  order_.resize(columns_.size());
  std::iota(rows_.begin(), rows_.end(), std::size_t{0});
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(rows_.begin(), rows_.end(), [&](std::size_t a, std::size_t b) { return size[a] > size[b]; });
  for (LongColumn& column : columns_) {
    const LongColumn given = column;
    for (std::size_t r = 0; r < count; ++r) column[r] = given[rows_[r]];
  }
  for (std::size_t k = 0; k < columns_.size(); ++k) eliminate(k);
}

LongColumn Factorisation::times(LongColumn z) const {
  z.resize(rows_.size(), 0.0L);
  for (std::size_t k = columns_.size(); k-- > 0;) reflect(k, z);
  LongColumn out(z.size());
  for (std::size_t r = 0; r < z.size(); ++r) out[rows_[r]] = z[r];
  return out;
}

LongColumn Factorisation::solve(const LongColumn& b) const {
  LongColumn z(columns_.size());
  for (std::size_t k = 0; k < z.size(); ++k) {
    z[k] = b[order_[k]];
    for (std::size_t i = 0; i < k; ++i) z[k] -= columns_[k][i] * z[i];
    z[k] /= diagonal_[k];
  }
  return times(z);
}

void Factorisation::eliminate(std::size_t k) {
  const auto length = [&](const LongColumn& column) {
    long double square = 0;
    for (std::size_t r = k; r < column.size(); ++r) square += column[r] * column[r];
    return std::sqrt(square);
  };
  std::size_t longest = k;
  for (std::size_t t = k; t < columns_.size(); ++t)
    if (length(columns_[t]) > length(columns_[longest])) longest = t;
  std::swap(columns_[k], columns_[longest]);
  std::swap(order_[k], order_[longest]);
  const long double norm = length(columns_[k]);
  diagonal_.push_back(columns_[k][k] > 0 ? -norm : norm);
  columns_[k][k] -= diagonal_[k];
  for (std::size_t t = k + 1; t < columns_.size(); ++t) reflect(k, columns_[t]);
}

void Factorisation::reflect(std::size_t k, LongColumn& z) const {
  const LongColumn& v = columns_[k];
  long double square = 0, dot = 0;
  for (std::size_t r = k; r < v.size(); ++r) {
    square += v[r] * v[r];
    dot += v[r] * z[r];
  }
  for (std::size_t r = k; square > 0 && r < v.size(); ++r) z[r] -= 2 * dot / square * v[r];
}

}  // namespace support
