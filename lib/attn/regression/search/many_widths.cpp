// The search for one width for each coordinate.
#include <attn/regression/search/minimise.hpp>
#include <attn/regression/search/trials.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace attn {
namespace {

using Place = BandwidthTrials::Place;

constexpr double shares[] = {0, 0.5, 1};  // of lambdas, where searches begin

// A simplex whose steps start inwards where they would leave the range. Lambdas stay within theirs: often an end is
// best, and the simplex, flat by then, begins anew.
void refine(BandwidthTrials& trials, const Place& at, double value, double highest) {
  const std::size_t widths = trials.free_widths();
  const auto evaluate = [&](Place trial) {
    for (std::size_t j = 0; j < trial.size(); ++j) {
      if (j < widths && trial[j] > highest) return std::numeric_limits<double>::infinity();
      if (j >= widths) trial[j] = std::clamp(trial[j], 0.0, 1.0);
    }
    return trials.evaluate(trial);
  };
  const auto descend = [&](const Place& start, double first) {
    Place sides(start.size());
    for (std::size_t j = 0; j < start.size(); ++j) {
      const double side = j < widths ? 0.3 : 0.1;
      sides[j] = start[j] + side > (j < widths ? highest : 1) ? -side : side;
    }
    minimise_by_simplex(evaluate, start, first, sides, trials.tolerance());
  };
  descend(at, value);
  constexpr int most = 4;
  for (int again = 0; again < most && trials.free() > widths && trials.has_best(); ++again) {
    const double before = trials.best_value();
    descend(Place(trials.best()), before);
    if (is_no_better(trials.best_value(), before)) break;
  }
}

// The criterion of a column without influence decreases for ever, by less and less.
void smooth_away(BandwidthTrials& trials) {
  const SearchRange& range = trials.range();
  bool is_better = false;
  for (std::size_t j = 0; j < trials.free_widths(); ++j) {
    Place at = trials.best();
    if (at[j] < range.highest - 1) continue;
    at[j] = range.farthest;
    const double before = trials.best_value();
    is_better = trials.evaluate(at) < before || is_better;
  }
  if (is_better && !trials.is_large()) refine(trials, trials.best(), trials.best_value(), range.farthest);
}

/// Evenly spaced places in all coordinates, of lambdas at `shares`.
struct Grid {
  std::size_t widths, free, count, total;
  double low, span;
  std::size_t count_of(std::size_t j) const { return j < widths ? count : std::size(shares); }
  Place place(std::size_t cell) const {
    Place at;
    for (std::size_t j = 0; j < free; cell /= count_of(j++)) {
      const std::size_t along = cell % count_of(j);
      at.push_back(j < widths ? low + span * static_cast<double>(along) / static_cast<double>(count - 1)
                              : shares[along]);
    }
    return at;
  }
  // No neighbour along a coordinate is better.
  bool is_minimum(const std::vector<double>& values, std::size_t cell) const {
    bool is_least = values[cell] < std::numeric_limits<double>::infinity();
    for (std::size_t j = 0, stride = 1; j < free; stride *= count_of(j++)) {
      const std::size_t along = cell / stride % count_of(j);
      if (along > 0 && values[cell - stride] < values[cell]) is_least = false;
      if (along + 1 < count_of(j) && values[cell + stride] <= values[cell]) is_least = false;
    }
    return is_least;
  }
};

// The affordable number of evaluations along each coordinate of a grid.
double affordable_side(const BandwidthTrials& trials) {
  constexpr double most_per_octave = 6;
  const double span = trials.range().highest - trials.range().lowest;
  const auto widths = static_cast<double>(trials.free_widths());
  const double affordable =
      BandwidthTrials::budget / trials.cost() /
      std::pow(static_cast<double>(std::size(shares)), static_cast<double>(trials.free()) - widths);
  if (widths == 0) return affordable >= 1 ? 1 : 0;
  return std::min(std::pow(affordable, 1 / widths), most_per_octave * span);
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
  Grid grid{trials.free_widths(), trials.free(), count, 1, range.lowest, range.highest - range.lowest};
  for (std::size_t j = 0; j < grid.free; ++j) grid.total *= grid.count_of(j);
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
      const auto look = [&](double place) {
        trial[j] = place;
        const double here = trials.evaluate(trial);
        if (here < value) {
          value = here;
          at = trial;
        }
      };
      if (j < trials.free_widths())
        for (std::size_t i = 0; i < steps.size(); i += 2) look(steps[i]);
      else
        for (const double share : shares) look(share);
    }
    if (!(value < before)) break;
  }
  refine(trials, at, value, trials.range().highest);
}

constexpr std::size_t most_descents = 6;

// From the minima of scans with one factor for all widths and one share for all lambdas.
void search_by_coordinates(BandwidthTrials& trials, const std::vector<double>& steps) {
  const std::size_t most = trials.is_large() ? 2 : most_descents;
  trials.plan(4 * trials.free() * steps.size());
  struct Start {
    Place at;
    double value;
  };
  std::vector<Start> starts;
  for (const double share : shares) {
    std::vector<double> values;
    for (const double step : steps) values.push_back(trials.evaluate(trials.place(step, share)));
    for (const std::size_t i : minima_of(values)) starts.push_back({trials.place(steps[i], share), values[i]});
    if (trials.free() == trials.free_widths()) break;
  }
  std::stable_sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) { return a.value < b.value; });
  if (starts.size() > most) starts.resize(most);
  for (const Start& start : starts) descend(trials, start.at, steps);
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
  if (is_no_better(trials.best_value(), trials.evaluate(trials.place(range.highest, 1)))) return widest(trials);
  smooth_away(trials);
  const double margin = 0.5 * (steps[1] - steps[0]);
  const Place& best = trials.best();
  FoundWidths found = rounded_best(trials, 7);
  bool is_narrowest = false;
  for (std::size_t j = 0; j < trials.free_widths(); ++j) {
    if (best[j] > range.highest - margin) found.smoothed_away.push_back(trials.samples().column(j));
    is_narrowest = is_narrowest || best[j] < range.lowest + margin;
  }
  found.is_widest = found.smoothed_away.size() == best.size();
  if (found.is_widest) found.smoothed_away.clear();
  found.at_border = found.is_widest || is_narrowest;
  return found;
}

}  // namespace attn
