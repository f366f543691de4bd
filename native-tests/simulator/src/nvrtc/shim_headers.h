// The headers of src/shim as texts inside the library; build.sh writes the definition.
#pragma once

namespace sim {

struct ShimHeader {
  const char* name;
  const char* text;
};

extern const ShimHeader kShimHeaders[];  // ends with a null name

}  // namespace sim
