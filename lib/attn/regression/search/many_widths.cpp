// The search for one width for each coordinate.
#include <attn/regression/search/minimise.hpp>
#include <attn/regression/search/trials.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

using Place = BandwidthTrials::Place;

// A simplex whose steps start inwards where they would leave the range.
void refine(BandwidthTrials& trials, const Place& at, double value, double highest) {
  Place sides(at.size());
  for (std::size_t j = 0; j < at.size(); ++j) sides[j] = at[j] + 0.3 > highest ? -0.3 : 0.3;
  const auto evaluate = [&](const Place& trial) {
    const bool is_within = *std::max_element(trial.begin(), trial.end()) <= highest;
    return is_within ? trials.evaluate(trial) : std::numeric_limits<double>::infinity();
  };
  minimise_by_simplex(evaluate, at, value, sides, trials.tolerance());
}

// The criterion of a column without influence decreases for ever, by less and less.
void smooth_away(BandwidthTrials& trials) {
  const SearchRange& range = trials.range();
  bool is_better = false;
  for (std::size_t j = 0; j < trials.free(); ++j) {
    Place at = trials.best();
    if (at[j] < range.highest - 1) continue;
    at[j] = range.farthest;
    const double before = trials.best_value();
    is_better = trials.evaluate(at) < before || is_better;
  }
  if (is_better && !trials.is_large()) refine(trials, trials.best(), trials.best_value(), range.farthest);
}

/// Evenly spaced places in all coordinates.
struct Grid {
  std::size_t free, count, total;
  double low, span;
  Place place(std::size_t cell) const {
    Place at;
    for (std::size_t j = 0; j < free; ++j, cell /= count)
      at.push_back(low + span * static_cast<double>(cell % count) / static_cast<double>(count - 1));
    return at;
  }
  // No neighbour along a coordinate is better.
  bool is_minimum(const std::vector<double>& values, std::size_t cell) const {
    bool is_least = values[cell] < std::numeric_limits<double>::infinity();
    for (std::size_t j = 0, stride = 1; j < free; ++j, stride *= count) {
      const std::size_t along = cell / stride % count;
      if (along > 0 && values[cell - stride] < values[cell]) is_least = false;
      if (along + 1 < count && values[cell + stride] <= values[cell]) is_least = false;
    }
    return is_least;
  }
};

// The affordable number of evaluations along each coordinate of a grid.
double affordable_side(const BandwidthTrials& trials) {
  constexpr double most_per_octave = 6;
  const double span = trials.range().highest - trials.range().lowest;
  const double affordable = BandwidthTrials::budget / trials.cost();
  return std::min(std::pow(affordable, 1 / static_cast<double>(trials.free())), most_per_octave * span);
}

// Has it a place an octave or more?
bool is_grid_affordable(const BandwidthTrials& trials) {
  return affordable_side(trials) >= trials.range().highest - trials.range().lowest + 1;
}

constexpr double most_minima = 16;

// The grid, and its local minima refined.
void search_grid(BandwidthTrials& trials, std::size_t count) {
  constexpr double refinement = 100;  // evaluations
  const SearchRange& range = trials.range();
  Grid grid{trials.free(), count, 1, range.lowest, range.highest - range.lowest};
  for (std::size_t j = 0; j < grid.free; ++j) grid.total *= count;
  trials.plan(grid.total);
  std::vector<double> values(grid.total);
  for (std::size_t cell = 0; cell < grid.total; ++cell) values[cell] = trials.evaluate(grid.place(cell));
  std::vector<std::size_t> minima;
  for (std::size_t cell = 0; cell < grid.total; ++cell)
    if (grid.is_minimum(values, cell)) minima.push_back(cell);
  std::sort(minima.begin(), minima.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  const double affordable = BandwidthTrials::budget / trials.cost() / refinement;
  const auto most = static_cast<std::size_t>(std::clamp(affordable, 2.0, most_minima));
  if (minima.size() > most) minima.resize(most);
  for (const std::size_t cell : minima) refine(trials, grid.place(cell), values[cell], range.highest);
}

// Scans along each coordinate in turn while that helps, then a simplex.
void descend(BandwidthTrials& trials, Place at, const std::vector<double>& steps) {
  double value = trials.evaluate(at);
  for (int round = 0; round < 4; ++round) {
    const double before = value;
    for (std::size_t j = 0; j < at.size(); ++j) {
      Place trial = at;
      for (std::size_t i = 0; i < steps.size(); i += 2) {
        trial[j] = steps[i];
        const double here = trials.evaluate(trial);
        if (here < value) {
          value = here;
          at = trial;
        }
      }
    }
    if (!(value < before)) break;
  }
  refine(trials, at, value, trials.range().highest);
}

constexpr std::size_t most_descents = 6;

// From the minima of a scan with one factor for all coordinates.
void search_by_coordinates(BandwidthTrials& trials, const std::vector<double>& steps) {
  const std::size_t most = trials.is_large() ? 2 : most_descents;
  trials.plan(4 * trials.free() * steps.size());
  std::vector<double> values;
  for (const double step : steps) values.push_back(trials.evaluate(Place(trials.free(), step)));
  std::vector<std::size_t> minima = minima_of(values);
  if (minima.size() > most) minima.resize(most);
  for (const std::size_t i : minima) descend(trials, Place(trials.free(), steps[i]), steps);
}

}  // namespace

FoundWidths search_in_space(BandwidthTrials& trials) {
  const SearchRange& range = trials.range();
  const std::vector<double> steps = trials.steps(trials.is_large() ? 1 : 4);
  if (is_grid_affordable(trials))
    search_grid(trials, static_cast<std::size_t>(affordable_side(trials)));
  else
    search_by_coordinates(trials, steps);
  if (!trials.has_best()) return {};
  if (is_no_better(trials.best_value(), trials.evaluate(Place(trials.free(), range.highest)))) return widest(trials);
  smooth_away(trials);
  const double margin = 0.5 * (steps[1] - steps[0]);
  const Place& best = trials.best();
  FoundWidths found = rounded_best(trials, 7);
  for (std::size_t j = 0; j < best.size(); ++j)
    if (best[j] > range.highest - margin) found.smoothed_away.push_back(j);
  found.is_widest = found.smoothed_away.size() == best.size();
  if (found.is_widest) found.smoothed_away.clear();
  found.at_border =
      found.is_widest || std::any_of(best.begin(), best.end(), [&](double at) { return at < range.lowest + margin; });
  return found;
}

}  // namespace attn
