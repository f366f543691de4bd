#include "graph_exec.h"

#include "capture.h"
#include "registry.h"

namespace sim {

namespace {

std::vector<WorkPointer> armedWorks(const std::vector<WorkPointer>& works) {
  std::vector<WorkPointer> armed;
  for (auto& work : works) armed.push_back(work->armed(work));
  return armed;
}

// One launch. Its pieces are performed one by one, so that each is in the timeline and is settled even when the context
// is lost half way.
class LaunchedGraph : public Work {
 public:
  LaunchedGraph(std::vector<WorkPointer> works, Mark previous) : works(std::move(works)), previous(previous) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_GRAPH; }
  std::string what() const override { return "graph launch"; }

  Fault run(Stream& stream) const override {
    waitForPrevious(stream);
    for (auto& work : works) perform(stream, *work, Issued{stream.tick, "graph"});
    return {};
  }

  bool runsWhenLost() const override { return true; }

  // A stream that captures notes a launch down as one node, which must be armed each time.
  WorkPointer armed(const WorkPointer&) const override {
    return std::make_shared<LaunchedGraph>(armedWorks(works), Mark{nullptr, 0});
  }

 private:
  void waitForPrevious(Stream& stream) const {
    if (previous.stream && previous.stream.get() != &stream) previous.stream->wait(previous.ticket);
  }

  const std::vector<WorkPointer> works;
  const Mark previous;
};

std::vector<WorkPointer> worksOf(const Graph& graph) {
  std::vector<WorkPointer> works;
  for (auto& node : graph.ordered()) works.push_back(node->work);
  return works;
}

}  // namespace

GraphExec::GraphExec(const Graph& graph) {
  for (auto& node : graph.ordered()) steps.push_back({node->handle, node->work});
}

void GraphExec::launch(const StreamPointer& stream) {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<WorkPointer> works;
  for (auto& step : steps) works.push_back(step.work);
  if (captured(stream, std::make_shared<LaunchedGraph>(works, Mark{nullptr, 0}))) return;
  auto work = std::make_shared<LaunchedGraph>(armedWorks(works), previous);
  previous = {stream, stream->context->enqueue(stream, work)};
}

size_t GraphExec::indexOf(CUgraphNode original) const {
  for (size_t i = 0; i < steps.size(); i++) if (steps[i].original == original) return i;
  fail(CUDA_ERROR_INVALID_VALUE, "the node is not in the graph that was instantiated");
}

WorkPointer GraphExec::workOf(CUgraphNode original) const {
  std::lock_guard<std::mutex> lock(mutex);
  return steps[indexOf(original)].work;
}

void GraphExec::replace(CUgraphNode original, WorkPointer work) {
  std::lock_guard<std::mutex> lock(mutex);
  Step& step = steps[indexOf(original)];
  requireValue(step.work->type() == work->type(), "another type of node");
  step.work = std::move(work);
}

static CUgraph ownedByNode(const GraphPointer& graph) {
  graph->partOfNode = true;
  return registry().graphs.add(graph);
}

ChildGraphWork::ChildGraphWork(const GraphPointer& graph) : graph(graph->clone()), handle(ownedByNode(this->graph)) {}

ChildGraphWork::~ChildGraphWork() { registry().graphs.remove(handle); }

Fault ChildGraphWork::run(Stream& stream) const { return armed(nullptr)->run(stream); }

WorkPointer ChildGraphWork::armed(const WorkPointer&) const {
  return std::make_shared<LaunchedGraph>(armedWorks(worksOf(*graph)), Mark{nullptr, 0});
}

}  // namespace sim
