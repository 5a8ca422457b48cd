// The search for one width for each coordinate.
#include <attn/regression/selection/trials.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace attn {
namespace {

using Place = BandwidthTrials::Place;

constexpr double lambdas[] = {0, 0.1, 0.25, 0.5, 0.75, 1};  // places where searches begin

double highest(const BandwidthTrials& trials, std::size_t j) {
  return j < trials.free_widths() ? trials.range().highest : 1;
}

struct Start {
  Place at;
  double value;
};
void sort_by_value(std::vector<Start>& starts) {
  std::stable_sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) { return a.value < b.value; });
}

// A simplex that stays in the range and starts inwards where its steps would leave it: the best it finds.
Start descend(BandwidthTrials& trials, const Start& start, double tolerance, double first_side = 0.3) {
  Start best = start;
  const auto evaluate = [&](Place at) {
    for (std::size_t j = 0; j < at.size(); ++j) {
      at[j] = std::min(at[j], highest(trials, j));
      if (j >= trials.free_widths()) at[j] = std::max(at[j], 0.0);
    }
    const double value = trials.evaluate(at);
    if (value < best.value) best = {at, value};
    return value;
  };
  Place sides(start.at.size());
  for (std::size_t j = 0; j < sides.size(); ++j) {
    const double side = j < trials.free_widths() ? first_side : first_side / 3;
    sides[j] = start.at[j] + side > highest(trials, j) ? -side : side;
  }
  minimise_by_simplex(evaluate, start.at, start.value, sides, tolerance);
  return best;
}

// Those that have not come to the same minimum as a better one. Sorted by value.
std::vector<Start> apart(const std::vector<Start>& starts) {
  constexpr double near = 0.1, alike = 1e-3;
  std::vector<Start> kept;
  for (const Start& start : starts) {
    const auto is_same = [&](const Start& better) {
      double farthest = 0;
      for (std::size_t j = 0; j < start.at.size(); ++j)
        farthest = std::max(farthest, std::abs(start.at[j] - better.at[j]));
      return farthest < near && start.value - better.value <= alike * std::abs(better.value);
    };
    if (std::none_of(kept.begin(), kept.end(), is_same)) kept.push_back(start);
  }
  return kept;
}

// All descend roughly, the best few to the end. Often an end of the range is best, and the simplex, flat by then,
// begins anew.
void refine(BandwidthTrials& trials, std::vector<Start> starts) {
  constexpr double rough = 0.02;
  constexpr std::size_t few = 3;
  for (Start& start : starts) start = descend(trials, start, std::max(rough, trials.tolerance()));
  sort_by_value(starts);
  starts = apart(starts);
  if (starts.size() > few) starts.resize(few);
  const bool is_estimate = trials.is_thinned();
  trials.use_all();
  if (is_estimate) {
    constexpr double close = 1e-3;
    for (Start& start : starts) start.value = trials.evaluate(start.at);
    sort_by_value(starts);
    while (starts.size() > 1 && starts.back().value > (1 + close) * starts[0].value) starts.pop_back();
  }
  for (const Start& start : starts) descend(trials, start, trials.tolerance(), is_estimate ? 0.1 : 0.3);
  constexpr int most = 4;
  for (int again = 0; again < most && trials.free() > trials.free_widths() && trials.has_best(); ++again) {
    const double before = trials.best_value();
    descend(trials, {trials.best(), before}, trials.tolerance());
    if (is_no_better(trials.best_value(), before)) break;
  }
}

// A simplex comes close to an end of the range; the end itself is taken where nothing is better.
void try_ends(BandwidthTrials& trials) {
  const double before = trials.best_value();
  for (std::size_t j = 0; j < trials.free(); ++j)
    for (const bool is_last : {false, true}) {
      Place at = trials.best();
      if (j < trials.free_widths() && (!is_last || at[j] < trials.range().highest - 1)) continue;
      at[j] = is_last ? highest(trials, j) : 0;
      const double value = trials.evaluate(at);
      if (is_no_better(trials.best_value(), value)) trials.prefer(at);
    }
  if (trials.best_value() < before && !trials.is_large()) refine(trials, {{trials.best(), trials.best_value()}});
}

/// Evenly spaced places in all coordinates, of lambdas at `lambdas`.
struct Grid {
  std::size_t widths, free, count, total;
  double low, span;
  std::size_t count_of(std::size_t j) const { return j < widths ? count : std::size(lambdas); }
  Place place(std::size_t cell) const {
    Place at;
    for (std::size_t j = 0; j < free; cell /= count_of(j++)) {
      const std::size_t along = cell % count_of(j);
      at.push_back(j < widths ? low + span * static_cast<double>(along) / static_cast<double>(count - 1)
                              : lambdas[along]);
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
      std::pow(static_cast<double>(std::size(lambdas)), static_cast<double>(trials.free()) - widths);
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
  std::vector<Start> minima;
  for (std::size_t cell = 0; cell < grid.total; ++cell)
    if (grid.is_minimum(values, cell)) minima.push_back({grid.place(cell), values[cell]});
  sort_by_value(minima);
  const double affordable = BandwidthTrials::budget / trials.cost() / refinement;
  const auto most = static_cast<std::size_t>(std::clamp(affordable, 2.0, most_minima));
  if (minima.size() > most) minima.resize(most);
  refine(trials, std::move(minima));
}

// Scans along each coordinate in turn while that helps.
Start descend_by_coordinates(BandwidthTrials& trials, Start best, const std::vector<double>& steps) {
  for (int round = 0; round < 4; ++round) {
    const double before = best.value;
    for (std::size_t j = 0; j < best.at.size(); ++j) {
      Place trial = best.at;
      const auto look = [&](double place) {
        trial[j] = place;
        const double here = trials.evaluate(trial);
        if (here < best.value) best = {trial, here};
      };
      if (j < trials.free_widths())
        for (std::size_t i = (steps.size() - 1) % 2; i < steps.size(); i += 2) look(steps[i]);
      else
        for (const double lambda : lambdas) look(lambda);
    }
    if (!(best.value < before)) break;
  }
  return best;
}

constexpr std::size_t most_descents = 6;

// From the minima of scans with one factor for all widths and one place for all lambdas.
void search_by_coordinates(BandwidthTrials& trials, const std::vector<double>& steps) {
  const std::size_t most = trials.is_large() ? 2 : most_descents;
  trials.plan(4 * trials.free() * steps.size());
  std::vector<Start> starts;
  for (const double lambda : lambdas) {
    std::vector<double> values;
    for (const double step : steps) values.push_back(trials.evaluate(trials.place(step, lambda)));
    for (const std::size_t i : minima_of(values)) starts.push_back({trials.place(steps[i], lambda), values[i]});
    if (trials.free() == trials.free_widths()) break;
  }
  sort_by_value(starts);
  if (starts.size() > most) starts.resize(most);
  for (Start& start : starts) start = descend_by_coordinates(trials, start, steps);
  refine(trials, std::move(starts));
}

}  // namespace

FoundWidths search_in_space(BandwidthTrials& trials) {
  const SearchRange& range = trials.range();
  const std::vector<double> steps = trials.steps(trials.is_large() ? 1 : 4);
  trials.use_some();
  if (is_grid_affordable(trials))
    search_grid(trials, static_cast<std::size_t>(affordable_side(trials)));
  else
    search_by_coordinates(trials, steps);
  if (!trials.has_best()) return {};
  if (is_no_better(trials.best_value(), trials.evaluate(trials.place(range.highest, 1)))) return widest(trials);
  try_ends(trials);
  const double margin = 0.5 * (steps[1] - steps[0]);
  const Place& best = trials.best();
  FoundWidths found = rounded_best(trials, 7);
  bool is_narrowest = false;
  for (std::size_t j = 0; j < trials.free_widths(); ++j) {
    if (best[j] == range.highest) found.smoothed_away.push_back(trials.samples().column(j));
    is_narrowest = is_narrowest || best[j] < range.lowest + margin;
  }
  found.is_widest = found.smoothed_away.size() == best.size();
  if (found.is_widest) found.smoothed_away.clear();
  found.at_border = found.is_widest || is_narrowest;
  return found;
}

}  // namespace attn
