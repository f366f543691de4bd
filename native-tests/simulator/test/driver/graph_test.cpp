// Graphs: order, changed parameters, clones and children.
#include <mutex>
#include <random>
#include <set>

#include "api.h"

using namespace test;

namespace {

// What ran, in order; each node notes its number.
struct Journal {
  std::mutex mutex;
  std::vector<int> entries;
};

struct Note {
  Journal* journal;
  int number;
};

CUDA_HOST_NODE_PARAMS noteParameters(Note* note) {
  return {[](void* data) {
            auto* mine = static_cast<Note*>(data);
            std::lock_guard<std::mutex> lock(mine->journal->mutex);
            mine->journal->entries.push_back(mine->number);
          },
          note};
}

CUgraphNode add(CUgraph graph, const std::vector<CUgraphNode>& after, Note* note) {
  CUgraphNode node = nullptr;
  CUDA_HOST_NODE_PARAMS parameters = noteParameters(note);
  OK(cuGraphAddHostNode(&node, graph, after.data(), after.size(), &parameters));
  return node;
}

CUgraphExec instantiate(CUgraph graph) {
  CUgraphExec exec = nullptr;
  OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  return exec;
}

}  // namespace

TEST_CASE(randomGraphsRunInAnOrderThatTheirEdgesAllow) {
  Bench bench;
  TestStream stream;
  std::mt19937 random(11);
  for (int round = 0; round < 40; round++) {
    Journal journal;
    CUgraph graph = nullptr;
    OK(cuGraphCreate(&graph, 0));
    int count = 1 + static_cast<int>(random() % 30);
    std::vector<Note> notes;
    for (int i = 0; i < count; i++) notes.push_back({&journal, i});
    std::vector<CUgraphNode> nodes;
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < count; i++) {
      std::set<int> before;
      for (int k = 0; i && k < 3; k++) before.insert(static_cast<int>(random() % static_cast<unsigned>(i)));
      std::vector<CUgraphNode> after;
      for (int b : before) after.push_back(nodes[static_cast<size_t>(b)]), edges.push_back({b, i});
      nodes.push_back(add(graph, after, &notes[static_cast<size_t>(i)]));
    }
    CUgraphExec exec = instantiate(graph);
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    std::vector<int> place(static_cast<size_t>(count), -1);
    CHECK(journal.entries.size() == static_cast<size_t>(count));
    int position = 0;
    for (int number : journal.entries) place[static_cast<size_t>(number)] = position++;
    for (auto& edge : edges) CHECK(place[static_cast<size_t>(edge.first)] < place[static_cast<size_t>(edge.second)]);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
  }
}

TEST_CASE(aCircleIsRefused) {
  Bench bench;
  Journal journal;
  Note note{&journal, 0};
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  OK(cuGraphCreate(&graph, 0));
  CUgraphNode one = add(graph, {}, &note), two = add(graph, {one}, &note);
  OK(cuGraphAddDependencies(graph, &two, &one, 1));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(cuGraphDestroy(graph));
}

TEST_CASE(newParametersReachLaterLaunchesOnly) {
  Bench bench;
  TestStream stream;
  Journal journal;
  Note first{&journal, 1}, second{&journal, 2};
  CUgraph graph = nullptr;
  OK(cuGraphCreate(&graph, 0));
  CUgraphNode node = add(graph, {}, &first);
  CUgraphExec exec = instantiate(graph);
  Gate gate;
  gate.closeIn(stream);
  OK(cuGraphLaunch(exec, stream));
  CUDA_HOST_NODE_PARAMS changed = noteParameters(&second);
  OK(cuGraphExecHostNodeSetParams(exec, node, &changed));
  OK(cuGraphLaunch(exec, stream));
  gate.open();
  OK(cuStreamSynchronize(stream));
  CHECK((journal.entries == std::vector<int>{1, 2}));
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
}

TEST_CASE(launchesOfOneGraphOnTwoStreamsDoNotOverlap) {
  Bench bench;
  TestStream one, two;
  Journal journal;
  Note note{&journal, 1};
  CUgraph graph = nullptr;
  OK(cuGraphCreate(&graph, 0));
  add(graph, {}, &note);
  CUgraphExec exec = instantiate(graph);
  Gate gate;
  gate.closeIn(one);
  OK(cuGraphLaunch(exec, one));
  OK(cuGraphLaunch(exec, two));
  ANSWERS(CUDA_ERROR_NOT_READY, cuStreamQuery(two));
  CHECK(journal.entries.empty());
  gate.open();
  OK(cuCtxSynchronize());
  CHECK(journal.entries.size() == 2);
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
}

TEST_CASE(clonesAndChildrenStandOnTheirOwn) {
  Bench bench;
  TestStream stream;
  Journal journal;
  Note inner{&journal, 1}, outer{&journal, 2};
  CUgraph child = nullptr, parent = nullptr, clone = nullptr;
  OK(cuGraphCreate(&child, 0));
  OK(cuGraphCreate(&parent, 0));
  CUgraphNode innerNode = add(child, {}, &inner), childNode = nullptr, found = nullptr;
  OK(cuGraphAddChildGraphNode(&childNode, parent, nullptr, 0, child));
  add(parent, {childNode}, &outer);
  OK(cuGraphClone(&clone, child));
  OK(cuGraphNodeFindInClone(&found, innerNode, clone));
  CHECK(found != innerNode);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGraphNodeFindInClone(&found, childNode, clone));
  OK(cuGraphDestroy(child));
  OK(cuGraphDestroy(clone));
  CUgraphExec exec = instantiate(parent);
  OK(cuGraphDestroy(parent));
  OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));
  CHECK((journal.entries == std::vector<int>{1, 2}));
  OK(cuGraphExecDestroy(exec));
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuGraphLaunch(exec, stream));
}
