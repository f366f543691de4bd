#pragma once
#include <string>

namespace sim {

// What ptxas would say of functions that a module calls and no device has; empty when there are none. The C library is
// there when a module is linked and loaded, and `exit` would end the process.
std::string outsideCalls(const std::string& module);

}  // namespace sim
