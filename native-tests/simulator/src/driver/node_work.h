// From nodes' handles to their work of a certain kind, and from parameters to work.
#pragma once
#include "event.h"
#include "failure.h"
#include "graph.h"
#include "launch.h"
#include "registry.h"

namespace sim {

template <class Kind>
std::shared_ptr<const Kind> workOfType(CUgraphNode node, CUgraphNodeType type) {
  auto work = registry().nodes.at(node)->work;
  auto fitting = std::dynamic_pointer_cast<const Kind>(work);
  requireValue(fitting && work->type() == type, "the node is of another type");
  return fitting;
}

inline WorkPointer eventNode(CUgraphNodeType type, CUevent event) {
  return std::make_shared<EventNodeWork>(type, event, registry().events.at(event));
}

// The arrays in the answer belong to the node.
inline CUDA_KERNEL_NODE_PARAMS kernelParameters(const KernelWork& kernel) {
  const LaunchShape& s = kernel.shape;
  return {kernel.handle, s.gridX, s.gridY, s.gridZ, s.blockX, s.blockY, s.blockZ, static_cast<unsigned>(s.sharedBytes),
          kernel.arguments.pointers(), nullptr, nullptr, nullptr};
}

}  // namespace sim
