// The text that is put behind a rewritten source: the table of its kernels, by which the driver knows a module.
#pragma once
#include <string>
#include <vector>

#include "nvrtc/source_rewriter.h"

namespace sim {

constexpr const char* kNamedSymbol = "cairn_sim_named";

std::string moduleTable(const RewrittenSource& source, const std::vector<std::string>& nameExpressions);

}  // namespace sim
