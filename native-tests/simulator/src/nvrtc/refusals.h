// What g++ takes, and a compiler for devices does not: found in the tokens of a source.
#pragma once
#include <string>
#include <vector>

#include "nvrtc/tokens.h"

namespace sim {

struct Refusal {
  int line;
  std::string what;
};

// In the order of the source. Calls of kernels as functions; types that devices don't have; functions that would run
// when a module is loaded or unloaded, in the process of who loads it.
std::vector<Refusal> refusals(const std::vector<Token>& tokens);

}  // namespace sim
