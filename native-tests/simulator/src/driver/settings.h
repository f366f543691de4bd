// What the environment says, read once when the library is first asked for anything.
#pragma once
#include <cstddef>
#include <string>

namespace sim {

struct Settings {
  size_t memoryBytes;      // CAIRN_SIM_MEMORY: memory of each device; K, M and G may follow the number
  int devices;             // CAIRN_SIM_DEVICES; 0: cuInit finds none
  bool peers;              // CAIRN_SIM_PEERS=0: no device reaches another's memory
  int driverVersion;       // CAIRN_SIM_VERSION: what cuDriverGetVersion answers
  bool poison;             // CAIRN_SIM_POISON=0: fresh memory is zero and not NaN
  unsigned lateMicros;     // CAIRN_SIM_LATE: each piece of a stream's work starts up to so much later
  std::string trace;       // CAIRN_SIM_TRACE: file for the log of calls and the timeline; empty: none
  std::string faults;      // CAIRN_SIM_FAIL: call:nth:code, more after commas; as by cairn_sim_fail
};

const Settings& settings();

}  // namespace sim
