#include "cli/results/json.hpp"

namespace cli {

std::string json_line(const Json& object) { return object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'; }

}  // namespace cli
