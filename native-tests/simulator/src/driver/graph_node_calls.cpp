// Nodes of graphs by type: added, and their parameters read and set.
#include "copy.h"
#include "entry.h"
#include "event.h"
#include "fill.h"
#include "graph_exec.h"
#include "host_function.h"
#include "launch.h"
#include "node_work.h"
#include "registry.h"

using namespace sim;

static void addNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count, WorkPointer work) {
  requireValue(node && (dependencies || count == 0), "null");
  std::vector<NodePointer> before;
  for (size_t i = 0; i < count; i++) before.push_back(registry().nodes.at(dependencies[i]));
  *node = registry().graphs.at(graph)->add(std::move(work), std::move(before))->handle;
}

static void setWork(CUgraphNode node, WorkPointer work) {
  auto found = registry().nodes.at(node);
  requireValue(found->work->type() == work->type(), "another type of node");
  found->work = std::move(work);
}

#define ADD_NODE(symbol, name, needs, parameter, work)                                                             \
  SIM_EXPORT CUresult symbol(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,      \
                             parameter) {                                                                          \
    return entry(name, needs, [&] { addNode(node, graph, dependencies, count, work); });                           \
  }

ADD_NODE(cuGraphAddKernelNode_v2, "cuGraphAddKernelNode", kWell, const CUDA_KERNEL_NODE_PARAMS* launch,
         checkedLaunch(*launch))
ADD_NODE(cuGraphAddMemsetNode, "cuGraphAddMemsetNode", kWell, const CUDA_MEMSET_NODE_PARAMS* shape, checkedFill(*shape))
ADD_NODE(cuGraphAddHostNode, "cuGraphAddHostNode", kInitialized, const CUDA_HOST_NODE_PARAMS* call,
         std::make_shared<HostWork>(*call))
ADD_NODE(cuGraphAddChildGraphNode, "cuGraphAddChildGraphNode", kInitialized, CUgraph child,
         std::make_shared<ChildGraphWork>(registry().graphs.at(child)))
ADD_NODE(cuGraphAddEventRecordNode, "cuGraphAddEventRecordNode", kInitialized, CUevent event,
         eventNode(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event))
ADD_NODE(cuGraphAddEventWaitNode, "cuGraphAddEventWaitNode", kInitialized, CUevent event,
         eventNode(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event))

SIM_EXPORT CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                        size_t count) {
  return entry("cuGraphAddEmptyNode", kInitialized,
               [&] { addNode(node, graph, dependencies, count, waitWork(nullptr)); });
}

SIM_EXPORT CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                         size_t count, const CUDA_MEMCPY3D* shape, CUcontext) {
  return entry("cuGraphAddMemcpyNode", kWell, [&] {
    addNode(node, graph, dependencies, count, std::make_shared<CopyWork>(checkedCopy(*shape)));
  });
}

SIM_EXPORT CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* answer) {
  return entry("cuGraphKernelNodeGetParams", kInitialized, [&] {
    *answer = kernelParameters(*workOfType<KernelWork>(node, CU_GRAPH_NODE_TYPE_KERNEL));
  });
}

SIM_EXPORT CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* launch) {
  return entry("cuGraphKernelNodeSetParams", kWell, [&] { setWork(node, checkedLaunch(*launch)); });
}

SIM_EXPORT CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* answer) {
  return entry("cuGraphMemcpyNodeGetParams", kInitialized, [&] {
    *answer = workOfType<CopyWork>(node, CU_GRAPH_NODE_TYPE_MEMCPY)->shape;
  });
}

SIM_EXPORT CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* shape) {
  return entry("cuGraphMemcpyNodeSetParams", kWell,
               [&] { setWork(node, std::make_shared<CopyWork>(checkedCopy(*shape))); });
}

SIM_EXPORT CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* answer) {
  return entry("cuGraphMemsetNodeGetParams", kInitialized, [&] {
    *answer = workOfType<FillWork>(node, CU_GRAPH_NODE_TYPE_MEMSET)->shape;
  });
}

SIM_EXPORT CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* shape) {
  return entry("cuGraphMemsetNodeSetParams", kWell, [&] { setWork(node, checkedFill(*shape)); });
}

SIM_EXPORT CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* answer) {
  return entry("cuGraphHostNodeGetParams", kInitialized, [&] {
    *answer = workOfType<HostWork>(node, CU_GRAPH_NODE_TYPE_HOST)->call;
  });
}

SIM_EXPORT CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* call) {
  return entry("cuGraphHostNodeSetParams", kInitialized, [&] { setWork(node, std::make_shared<HostWork>(*call)); });
}

SIM_EXPORT CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return entry("cuGraphChildGraphNodeGetGraph", kInitialized, [&] {
    *graph = workOfType<ChildGraphWork>(node, CU_GRAPH_NODE_TYPE_GRAPH)->handle;
  });
}

#define EVENT_NODE(type, getter, getterName, setter, setterName)                                                   \
  SIM_EXPORT CUresult getter(CUgraphNode node, CUevent* event) {                                                   \
    return entry(getterName, kInitialized, [&] { *event = workOfType<EventNodeWork>(node, type)->handle; });       \
  }                                                                                                                \
  SIM_EXPORT CUresult setter(CUgraphNode node, CUevent event) {                                                    \
    return entry(setterName, kInitialized, [&] { setWork(node, eventNode(type, event)); });                        \
  }

EVENT_NODE(CU_GRAPH_NODE_TYPE_EVENT_RECORD, cuGraphEventRecordNodeGetEvent, "cuGraphEventRecordNodeGetEvent",
           cuGraphEventRecordNodeSetEvent, "cuGraphEventRecordNodeSetEvent")
EVENT_NODE(CU_GRAPH_NODE_TYPE_WAIT_EVENT, cuGraphEventWaitNodeGetEvent, "cuGraphEventWaitNodeGetEvent",
           cuGraphEventWaitNodeSetEvent, "cuGraphEventWaitNodeSetEvent")
