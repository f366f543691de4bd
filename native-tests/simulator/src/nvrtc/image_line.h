// The simulated NVRTC's "PTX": one line of text that names the compiled module.
#pragma once

namespace sim {

constexpr const char* kImageLine = "// cairn simulated module: ";

}  // namespace sim
