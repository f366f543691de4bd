#include "device/warp.h"

#include <algorithm>

#include "shim/cairn_kernel_abi.h"

namespace sim::device {
namespace {

// What a lane reads from one that is not there: not a number in every floating type, so that it can't pass unnoticed.
constexpr uint64_t kUndefined = ~uint64_t{0};

template <class Visit>
void eachLane(unsigned lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(__builtin_ctz(lanes)));
}

uint64_t combine(int meeting, uint64_t a, uint64_t b) {
  const auto x = static_cast<uint32_t>(a), y = static_cast<uint32_t>(b);
  const auto sx = static_cast<int32_t>(x), sy = static_cast<int32_t>(y);
  switch (meeting) {
    case CAIRN_ADD: return x + y;
    case CAIRN_MIN: return static_cast<uint32_t>(std::min(sx, sy));
    case CAIRN_MAX: return static_cast<uint32_t>(std::max(sx, sy));
    case CAIRN_MIN_UNSIGNED: return std::min(x, y);
    case CAIRN_MAX_UNSIGNED: return std::max(x, y);
    case CAIRN_AND: return x & y;
    case CAIRN_OR: return x | y;
    default: return x ^ y;
  }
}

uint64_t reduce(const LaneVisit* visits, unsigned lanes, int meeting) {
  const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
  uint64_t result = visits[first].value;
  eachLane(lanes & (lanes - 1), [&](unsigned lane) { result = combine(meeting, result, visits[lane].value); });
  return result;
}

unsigned lanesWith(const LaneVisit* visits, unsigned lanes, uint64_t value) {
  unsigned same = 0;
  eachLane(lanes, [&](unsigned lane) { same |= visits[lane].value == value ? 1u << lane : 0; });
  return same;
}

}  // namespace

void Warp::start(unsigned lanes) {
  live = lanes >= kWarpLanes ? ~0u : (1u << lanes) - 1;
  waiting = 0;
}

unsigned Warp::complete(unsigned mask) const {
  const unsigned lanes = mask & live;
  if (lanes == 0 || (waiting & lanes) != lanes) return 0;
  unsigned agreed = lanes;
  eachLane(lanes, [&](unsigned lane) { agreed &= visits[lane].mask == mask ? ~0u : ~(1u << lane); });
  return agreed == lanes ? lanes : 0;
}

bool Warp::conclude(unsigned lanes) {
  const int meeting = visits[__builtin_ctz(lanes)].meeting;
  bool same = true;
  eachLane(lanes, [&](unsigned lane) { same &= visits[lane].meeting == meeting; });
  if (!same) return false;
  waiting &= ~lanes;
  uint64_t shared = 0;
  if (meeting == CAIRN_BALLOT) {
    eachLane(lanes, [&](unsigned lane) { shared |= visits[lane].value != 0 ? uint64_t{1} << lane : 0; });
  } else if (meeting == CAIRN_MATCH_ALL) {
    shared = lanesWith(visits, lanes, visits[__builtin_ctz(lanes)].value) == lanes ? lanes : 0;
  } else if (meeting >= CAIRN_ADD) {
    shared = reduce(visits, lanes, meeting);
  }
  eachLane(lanes, [&](unsigned lane) {
    LaneVisit& visit = visits[lane];
    if (meeting == CAIRN_SHUFFLE) {
      visit.result = lanes >> visit.source & 1 ? visits[visit.source].value : kUndefined;
    } else {
      visit.result = meeting == CAIRN_MATCH_ANY ? lanesWith(visits, lanes, visit.value) : shared;
    }
  });
  return true;
}

}  // namespace sim::device
