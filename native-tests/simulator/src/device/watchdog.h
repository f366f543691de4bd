// Ends kernels that never end: threads that wait for each other in a loop never do here, where no thread is preempted.
#pragma once

namespace sim::device {

// While it lives, the calling thread's kernel is interrupted CAIRN_SIM_TIMEOUT seconds after its beginning (0: never).
class Watched {
 public:
  Watched();
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
};

}  // namespace sim::device
