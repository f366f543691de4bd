// A warp: 32 lanes that can meet. A lane waits until all living lanes of its mask have come with the same mask.
#pragma once
#include <cstdint>

namespace sim::device {

constexpr unsigned kWarpLanes = 32;

// What one lane brought to a meeting, and what it took from there.
struct LaneVisit {
  unsigned mask = 0;
  int meeting = 0;          // a CairnMeeting
  unsigned source = 0;      // the lane that a shuffle reads
  uint64_t value = 0;
  uint64_t result = 0;
};

struct Warp {
  unsigned live = 0;        // lanes that have not returned
  unsigned waiting = 0;     // lanes that have come and wait
  LaneVisit visits[kWarpLanes];

  void start(unsigned lanes);

  // The lanes that may go on because all of `mask` are there; 0 when a lane is missing.
  unsigned complete(unsigned mask) const;

  // Lets the lanes of a complete meeting go, each with its result. False: they came for different things.
  bool conclude(unsigned lanes);
};

}  // namespace sim::device
