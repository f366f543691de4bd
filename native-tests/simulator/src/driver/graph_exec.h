// A graph made ready: its nodes in an order of execution, each of which may be given new parameters. What was launched
// before keeps the old ones.
#pragma once
#include <mutex>

#include "graph.h"
#include "stream.h"

namespace sim {

class GraphExec {
 public:
  explicit GraphExec(const Graph& graph);

  // The work of one launch; `previous` launch is waited for, since no two run at a time.
  void launch(const StreamPointer& stream);

  // The work of the node that a node of the original graph became; CUDA_ERROR_INVALID_VALUE when there is none.
  WorkPointer workOf(CUgraphNode original) const;
  void replace(CUgraphNode original, WorkPointer work);

 private:
  struct Step {
    CUgraphNode original;
    WorkPointer work;
  };
  size_t indexOf(CUgraphNode original) const;

  mutable std::mutex mutex;
  std::vector<Step> steps;
  Mark previous{nullptr, 0};
};

// A graph as one piece of work, and as a node of another graph.
class ChildGraphWork : public Work {
 public:
  explicit ChildGraphWork(const GraphPointer& graph);
  ~ChildGraphWork() override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_GRAPH; }
  std::string what() const override { return "graph"; }
  Fault run(Stream& stream) const override;
  WorkPointer armed(const WorkPointer& self) const override;
  const GraphPointer graph;
  const CUgraph handle;
};

}  // namespace sim
