#include "tdiff/batches.hpp"

#include "cli/standard_text.hpp"

#include <nlohmann/json.hpp>

namespace tdiff {

bool Batches::next() {
  const bool more_a = a_ != nullptr && a_->next_batch();
  const bool more_b = a_ == b_ ? more_a : b_ != nullptr && b_->next_batch();
  if (a_ == nullptr || b_ == nullptr) return more_a || more_b;
  count_a_ += more_a;
  count_b_ += more_b;
  if (more_a && more_b) return true;
  while (more_a && a_->next_batch()) ++count_a_;
  while (more_b && b_->next_batch()) ++count_b_;
  return false;
}

std::string Batches::to_text() const {
  return cli::printable(a_->label() + " and " + b_->label()) + ": numbers of batches " + std::to_string(count_a_) +
         " and " + std::to_string(count_b_) + " differ\n";
}

std::string Batches::to_json() const {
  const nlohmann::ordered_json json = {{"equal", equal()}, {"batches_a", count_a_}, {"batches_b", count_b_}};
  return json.dump(2, ' ') + '\n';
}

}  // namespace tdiff
