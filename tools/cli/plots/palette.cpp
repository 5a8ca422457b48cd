// The colours of heat maps.
#include "cli/plots/gnuplot.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace cli {
namespace {

struct Named {
  const char* name;
  bool has_middle;
  std::vector<unsigned> colours;
};

/// Viridis and magma (van der Walt and Smith 2015), cividis (Nunez et al. 2018), ColorBrewer (Brewer and Harrower
/// 2002). All but Greys can be told apart by the colour-blind, and the lightness of all but RdBu is that of the values.
const std::array<Named, 6>& palettes() {
  static const std::array<Named, 6> all{{
      {"viridis", false, {0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C, 0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725}},
      {"magma", false, {0x000004, 0x1D1147, 0x51127C, 0x832681, 0xB73779, 0xE75263, 0xFC8961, 0xFEC488, 0xFCFDBF}},
      {"cividis", false, {0x00224E, 0x1A386F, 0x434E6C, 0x61656F, 0x7D7C78, 0x9B9476, 0xBCAE6C, 0xDEC958, 0xFEE838}},
      {"Greys", false, {0xFFFFFF, 0xF0F0F0, 0xD9D9D9, 0xBDBDBD, 0x959595, 0x727272, 0x515151, 0x242424, 0x000000}},
      {"Blues", false, {0xF7FBFF, 0xDEEBF7, 0xC6DBEF, 0x9DCAE1, 0x6AAED6, 0x4191C6, 0x2070B4, 0x08509B, 0x08306B}},
      {"RdBu",
       true,
       {0x67001F, 0xB1182B, 0xD6604D, 0xF3A481, 0xFDDBC7, 0xF6F7F7, 0xD1E5F0, 0x90C4DD, 0x4393C3, 0x2065AB, 0x053061}},
  }};
  return all;
}

std::array<double, 3> channels_of(unsigned colour) {
  return {static_cast<double>(colour >> 16 & 255), static_cast<double>(colour >> 8 & 255),
          static_cast<double>(colour & 255)};
}

/// A grey among colours would look like a gap.
bool is_grey(const std::array<double, 3>& colour) {
  const auto [least, most] = std::minmax_element(colour.begin(), colour.end());
  return *most - *least < 16;
}

constexpr int first_grey = 232;

/// Number 16 to 255 of a terminal: a cube of six levels a channel, then greys.
std::array<double, 3> colour_of_terminal(int number) {
  if (number >= first_grey) {
    const double grey = 8 + 10 * (number - first_grey);
    return {grey, grey, grey};
  }
  const auto level = [](int step) { return step == 0 ? 0. : 55 + 40. * step; };
  const int place = number - 16;
  return {level(place / 36), level(place / 6 % 6), level(place % 6)};
}

}  // namespace

std::vector<std::string> palette_names() {
  std::vector<std::string> names;
  for (const Named& palette : palettes()) names.emplace_back(palette.name);
  return names;
}

Palette::Palette(const std::string& given) {
  std::string name = given;
  const bool is_reversed = name.size() > 2 && name.compare(name.size() - 2, 2, "_r") == 0;
  if (is_reversed) name.resize(name.size() - 2);
  const auto& all = palettes();
  const auto* const named =
      std::find_if(all.begin(), all.end(), [&](const Named& palette) { return name == palette.name; });
  if (named == all.end())
    throw attn::Error(attn::ErrorKind::usage, "--palette", "'" + given + "' is no palette",
                      "give one of " + attn::listed(palette_names()) + ", reversed by _r behind it");
  colours_ = named->colours;
  has_middle_ = named->has_middle;
  if (is_reversed) std::reverse(colours_.begin(), colours_.end());
  // Every step has another colour, the nearest of those that are left.
  constexpr std::size_t steps = 15;
  for (std::size_t step = 0; step < steps; ++step) {
    const double at = static_cast<double>(step * (colours_.size() - 1)) / (steps - 1);
    const auto low = std::min(static_cast<std::size_t>(at), colours_.size() - 2);
    const std::array<double, 3> from = channels_of(colours_[low]), to = channels_of(colours_[low + 1]);
    double least = std::numeric_limits<double>::infinity();
    int nearest = 16;
    for (int number = 16; number < 256; ++number) {
      const std::array<double, 3> colour = colour_of_terminal(number);
      double distance = 0;
      for (std::size_t c = 0; c < 3; ++c)
        distance += std::pow(from[c] + (at - static_cast<double>(low)) * (to[c] - from[c]) - colour[c], 2);
      const bool is_left = std::find(terminal_.begin(), terminal_.end(), number) == terminal_.end() &&
                           (is_grey(from) || !is_grey(colour));
      if (is_left && distance < least) least = distance, nearest = number;
    }
    terminal_.push_back(nearest);
  }
}

std::string Palette::for_gnuplot() const {
  std::string steps;
  for (std::size_t i = 0; i < colours_.size(); ++i) {
    char step[64];
    std::snprintf(step, sizeof step, "%s%zu '#%06X'", i > 0 ? ", " : "", i, colours_[i]);
    steps += step;
  }
  return "set palette defined (" + steps + ")\n";
}

int Palette::for_terminal(double place) const {
  const double last = static_cast<double>(terminal_.size() - 1);
  return terminal_[static_cast<std::size_t>(std::min(std::floor(place * (last + 1)), last))];
}

}  // namespace cli
