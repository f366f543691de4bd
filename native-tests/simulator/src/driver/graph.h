// A graph: nodes of work and what each must come after. Not safe for several threads at once, as CUDA's are not.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "work.h"

namespace sim {

class Graph;
struct GraphNode;
using NodePointer = std::shared_ptr<GraphNode>;

struct GraphNode {
  CUgraphNode handle = nullptr;
  Graph* graph = nullptr;
  WorkPointer work;
  std::vector<NodePointer> dependencies;

  bool dependsOn(const NodePointer& other) const;
};

class Graph {
 public:
  ~Graph() { dispose(); }

  // The handles of the graph's nodes are no longer valid; events of the capture may keep the nodes themselves.
  void dispose();

  NodePointer add(WorkPointer work, std::vector<NodePointer> dependencies);
  void remove(const NodePointer& node);
  const std::vector<NodePointer>& nodes() const { return list; }

  // The same nodes again; the map says which became which.
  std::shared_ptr<Graph> clone();
  NodePointer inClone(CUgraphNode original) const;

  // An order that respects all dependencies: where several nodes could come next, CAIRN_SIM_ORDER chooses, so that a
  // missing dependency shows. CUDA_ERROR_INVALID_VALUE when they run in a circle.
  std::vector<NodePointer> ordered() const;

  bool partOfNode = false;  // lives in a child graph node, and is not the user's to destroy

 private:
  std::vector<NodePointer> list;
  std::map<CUgraphNode, NodePointer> clonedFrom;
};

using GraphPointer = std::shared_ptr<Graph>;

}  // namespace sim
