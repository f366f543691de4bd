// A context: what belongs together on one device, and dies together. Lost for good after a fault on the device: then
// every call in it answers the fault's code, until it is destroyed.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "abi.h"
#include "work.h"

namespace sim {

class Device;
class Stream;

class Context : public std::enable_shared_from_this<Context> {
 public:
  static CUcontext make(Device& device, unsigned flags, bool primary);

  // Waits for its streams, then everything that it owns goes; what a healthy one still owned is noted as abandoned.
  static void destroy(CUcontext handle);

  Context(Device& device, unsigned flags, bool primary, uint64_t id);

  Device& device;
  const unsigned flags;
  const bool primary;
  const uint64_t id;

  void lose(CUresult code, const std::string& why);
  CUresult lost() const { return code.load(); }  // CUDA_SUCCESS while it is well
  void requireAlive() const;

  // Gives work to a stream of this context, behind what the rules of the legacy default stream put before it.
  uint64_t enqueue(const std::shared_ptr<Stream>& stream, WorkPointer work);

  // Waits for all that was enqueued so far, then fails if the context is lost.
  void synchronize();
  void drain();  // the same without the failure

  std::shared_ptr<Stream> legacyStream();
  std::shared_ptr<Stream> streamOfThread();
  std::vector<std::shared_ptr<Stream>> streams();

  // Destroyed by its owner, with work that still runs.
  void keepUntilDrained(const std::shared_ptr<Stream>& stream);

 private:
  void release();

  std::atomic<CUresult> code{CUDA_SUCCESS};
  std::mutex submitting;  // the order of submission is one over all streams, as the default stream's rules need it
  std::mutex mutex;       // guards what follows
  std::shared_ptr<Stream> legacy;
  std::map<std::thread::id, std::shared_ptr<Stream>> ofThreads;
  std::vector<std::weak_ptr<Stream>> draining;
};

using ContextPointer = std::shared_ptr<Context>;

// The words of the latest fault, of any context.
std::string lastFault();

}  // namespace sim
