// Functions of the host that run in a stream's order, on its worker.
#pragma once
#include "work.h"

namespace sim {

class HostWork : public Work {
 public:
  explicit HostWork(const CUDA_HOST_NODE_PARAMS& call) : call(call) {}
  const CUDA_HOST_NODE_PARAMS call;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_HOST; }
  std::string what() const override { return "host function"; }
  Fault run(Stream&) const override;
};

// cuStreamAddCallback: told of the stream's state, and so called even when the context is lost.
class CallbackWork : public Work {
 public:
  CallbackWork(CUstream handle, CUstreamCallback callback, void* data)
      : handle(handle), callback(callback), data(data) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_HOST; }
  std::string what() const override { return "callback"; }
  Fault run(Stream&) const override { return {}; }
  void settle(CUresult status) const override;

 private:
  const CUstream handle;
  const CUstreamCallback callback;
  void* const data;
};

}  // namespace sim
