// Graphs as structures: made, cloned, walked, changed.
#include <algorithm>

#include "entry.h"
#include "event.h"
#include "graph.h"
#include "registry.h"

using namespace sim;

SIM_EXPORT CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return entry("cuGraphCreate", kInitialized, [&] {
    requireValue(graph && flags == 0, "flags must be 0");
    *graph = registry().graphs.add(std::make_shared<Graph>());
  });
}

SIM_EXPORT CUresult cuGraphDestroy(CUgraph graph) {
  return entry("cuGraphDestroy", kInitialized, [&] {
    auto found = registry().graphs.at(graph);
    requireValue(!found->partOfNode, "the graph belongs to a node");
    registry().graphs.remove(graph)->dispose();
  });
}

SIM_EXPORT CUresult cuGraphClone(CUgraph* clone, CUgraph original) {
  return entry("cuGraphClone", kInitialized, [&] {
    *clone = registry().graphs.add(registry().graphs.at(original)->clone());
  });
}

SIM_EXPORT CUresult cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original, CUgraph clone) {
  return entry("cuGraphNodeFindInClone", kInitialized, [&] {
    *node = registry().graphs.at(clone)->inClone(original)->handle;
  });
}

// The two-step answer of the API: the count alone, or as many as there is room for. The real driver also puts null
// behind them; JCuda 12.6.0 gives a count that it never set, so that this would write past its array.
template <class Handle>
static void answer(const std::vector<Handle>& all, Handle* places, size_t* count) {
  requireValue(count != nullptr, "no place for the count");
  if (!places) { *count = all.size(); return; }
  *count = std::min(*count, all.size());
  std::copy_n(all.begin(), *count, places);
}

static std::vector<CUgraphNode> handles(const std::vector<NodePointer>& nodes) {
  std::vector<CUgraphNode> list;
  for (auto& node : nodes) list.push_back(node->handle);
  return list;
}

SIM_EXPORT CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return entry("cuGraphGetNodes", kInitialized, [&] {
    answer(handles(registry().graphs.at(graph)->nodes()), nodes, count);
  });
}

SIM_EXPORT CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return entry("cuGraphGetRootNodes", kInitialized, [&] {
    std::vector<CUgraphNode> roots;
    for (auto& node : registry().graphs.at(graph)->nodes()) {
      if (node->dependencies.empty()) roots.push_back(node->handle);
    }
    answer(roots, nodes, count);
  });
}

SIM_EXPORT CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return entry("cuGraphGetEdges", kInitialized, [&] {
    std::vector<CUgraphNode> sources, targets;
    for (auto& node : registry().graphs.at(graph)->nodes()) {
      for (auto& dependency : node->dependencies) {
        sources.push_back(dependency->handle);
        targets.push_back(node->handle);
      }
    }
    requireValue(!from == !to, "both arrays or none");
    size_t room = count ? *count : 0;
    answer(sources, from, count);
    if (to) answer(targets, to, &room);
  });
}

SIM_EXPORT CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return entry("cuGraphNodeGetType", kInitialized, [&] { *type = registry().nodes.at(node)->work->type(); });
}

SIM_EXPORT CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* dependencies, size_t* count) {
  return entry("cuGraphNodeGetDependencies", kInitialized, [&] {
    answer(handles(registry().nodes.at(node)->dependencies), dependencies, count);
  });
}

SIM_EXPORT CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* dependents, size_t* count) {
  return entry("cuGraphNodeGetDependentNodes", kInitialized, [&] {
    auto self = registry().nodes.at(node);
    std::vector<CUgraphNode> list;
    for (auto& other : self->graph->nodes()) {
      auto& of = other->dependencies;
      if (std::find(of.begin(), of.end(), self) != of.end()) list.push_back(other->handle);
    }
    answer(list, dependents, count);
  });
}

SIM_EXPORT CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                           size_t count) {
  return entry("cuGraphAddDependencies", kInitialized, [&] {
    auto owner = registry().graphs.at(graph);
    for (size_t i = 0; i < count; i++) {
      auto first = registry().nodes.at(from[i]), then = registry().nodes.at(to[i]);
      requireValue(first->graph == owner.get() && then->graph == owner.get(), "a node of another graph");
      auto& of = then->dependencies;
      requireValue(std::find(of.begin(), of.end(), first) == of.end(), "the dependency is there already");
      of.push_back(first);
    }
  });
}

SIM_EXPORT CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                              size_t count) {
  return entry("cuGraphRemoveDependencies", kInitialized, [&] {
    registry().graphs.at(graph);
    for (size_t i = 0; i < count; i++) {
      auto& of = registry().nodes.at(to[i])->dependencies;
      auto found = std::find(of.begin(), of.end(), registry().nodes.at(from[i]));
      requireValue(found != of.end(), "no such dependency");
      of.erase(found);
    }
  });
}

SIM_EXPORT CUresult cuGraphDestroyNode(CUgraphNode node) {
  return entry("cuGraphDestroyNode", kInitialized, [&] {
    auto found = registry().nodes.at(node);
    found->graph->remove(found);
  });
}
