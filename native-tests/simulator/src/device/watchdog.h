// Ends kernels that never end: threads that wait for each other in a loop never do here, where no thread is preempted.
#pragma once

namespace sim::device {

// While it lives, the calling thread's kernel is interrupted after CAIRN_SIM_TIMEOUT seconds of processor time (0:
// never). A machine that is busy with other work takes no time away from a kernel.
class Watched {
 public:
  Watched();
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
};

// For tests: acts as if every kernel that runs now had computed so many seconds longer.
void passSeconds(unsigned seconds);

}  // namespace sim::device
