// Executable graphs: instantiated, given other parameters, launched.
#include "copy.h"
#include "entry.h"
#include "fill.h"
#include "graph_exec.h"
#include "host_function.h"
#include "node_work.h"
#include "registry.h"
#include "stream.h"

using namespace sim;

SIM_EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  return entry("cuGraphInstantiateWithFlags", kWell, [&] {
    requireValue(exec && (flags & ~0xfull) == 0, "unknown flags");
    *exec = registry().graphExecs.add(std::make_shared<GraphExec>(*registry().graphs.at(graph)));
  });
}

SIM_EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return entry("cuGraphLaunch", kWell, [&] { registry().graphExecs.at(exec)->launch(streamOf(stream)); });
}

SIM_EXPORT CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return entry("cuGraphUpload", kWell, [&] {
    registry().graphExecs.at(exec);
    streamOf(stream);
  });
}

// Launches that are under way are finished all the same.
SIM_EXPORT CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return entry("cuGraphExecDestroy", kInitialized, [&] { registry().graphExecs.remove(exec); });
}

static void replace(CUgraphExec exec, CUgraphNode node, WorkPointer work) {
  registry().graphExecs.at(exec)->replace(node, std::move(work));
}

SIM_EXPORT CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                                      const CUDA_KERNEL_NODE_PARAMS* launch) {
  return entry("cuGraphExecKernelNodeSetParams", kWell, [&] { replace(exec, node, checkedLaunch(*launch)); });
}

SIM_EXPORT CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D* shape,
                                                   CUcontext) {
  return entry("cuGraphExecMemcpyNodeSetParams", kWell, [&] {
    replace(exec, node, std::make_shared<CopyWork>(checkedCopy(*shape)));
  });
}

SIM_EXPORT CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                   const CUDA_MEMSET_NODE_PARAMS* shape, CUcontext) {
  return entry("cuGraphExecMemsetNodeSetParams", kWell, [&] { replace(exec, node, checkedFill(*shape)); });
}

SIM_EXPORT CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                 const CUDA_HOST_NODE_PARAMS* call) {
  return entry("cuGraphExecHostNodeSetParams", kWell, [&] { replace(exec, node, std::make_shared<HostWork>(*call)); });
}

SIM_EXPORT CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
  return entry("cuGraphExecChildGraphNodeSetParams", kWell, [&] {
    replace(exec, node, std::make_shared<ChildGraphWork>(registry().graphs.at(child)));
  });
}

SIM_EXPORT CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return entry("cuGraphExecEventRecordNodeSetEvent", kWell, [&] {
    replace(exec, node, eventNode(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event));
  });
}

SIM_EXPORT CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return entry("cuGraphExecEventWaitNodeSetEvent", kWell, [&] {
    replace(exec, node, eventNode(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
  });
}
