#include "graph.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "device/settings.h"
#include "failure.h"
#include "registry.h"

namespace sim {

bool GraphNode::dependsOn(const NodePointer& other) const {
  std::set<const GraphNode*> seen;
  std::vector<const GraphNode*> open{this};
  while (!open.empty()) {
    const GraphNode* node = open.back();
    open.pop_back();
    if (node == other.get()) return true;
    for (auto& dependency : node->dependencies) {
      if (seen.insert(dependency.get()).second) open.push_back(dependency.get());
    }
  }
  return false;
}

void Graph::dispose() {
  for (auto& node : list) {
    if (registry().nodes.find(node->handle)) registry().nodes.remove(node->handle);
    node->dependencies.clear();
    node->graph = nullptr;
  }
  list.clear();
}

NodePointer Graph::add(WorkPointer work, std::vector<NodePointer> dependencies) {
  for (auto& dependency : dependencies) requireValue(dependency->graph == this, "a dependency of another graph");
  auto node = std::make_shared<GraphNode>();
  node->graph = this;
  node->work = std::move(work);
  node->dependencies = std::move(dependencies);
  node->handle = registry().nodes.add(node);
  list.push_back(node);
  return node;
}

void Graph::remove(const NodePointer& node) {
  registry().nodes.remove(node->handle);
  list.erase(std::find(list.begin(), list.end(), node));
  for (auto& other : list) {
    auto& of = other->dependencies;
    of.erase(std::remove(of.begin(), of.end(), node), of.end());
  }
  node->graph = nullptr;
}

GraphPointer Graph::clone() {
  auto copy = std::make_shared<Graph>();
  for (auto& node : list) copy->clonedFrom[node->handle] = copy->add(node->work, {});
  for (auto& node : list) {
    for (auto& dependency : node->dependencies) {
      copy->clonedFrom[node->handle]->dependencies.push_back(copy->clonedFrom[dependency->handle]);
    }
  }
  return copy;
}

NodePointer Graph::inClone(CUgraphNode original) const {
  auto found = clonedFrom.find(original);
  requireValue(found != clonedFrom.end(), "the node is not in the graph that was cloned");
  return found->second;
}

static size_t choose(const device::Order& order, size_t ready, uint64_t& state) {
  if (order.kind == device::Order::Kind::Reverse) return ready - 1;
  if (order.kind == device::Order::Kind::Forward) return 0;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % ready;
}

std::vector<NodePointer> Graph::ordered() const {
  const device::Order& order = device::deviceSettings().order;
  uint64_t state = order.seed;
  std::vector<NodePointer> done;
  std::set<const GraphNode*> isDone;
  std::vector<NodePointer> left = list;
  while (!left.empty()) {
    std::vector<size_t> ready;
    for (size_t i = 0; i < left.size(); i++) {
      auto& of = left[i]->dependencies;
      if (std::all_of(of.begin(), of.end(), [&](auto& d) { return isDone.count(d.get()) > 0; })) ready.push_back(i);
    }
    requireValue(!ready.empty(), "the dependencies run in a circle");
    size_t next = ready[choose(order, ready.size(), state)];
    isDone.insert(left[next].get());
    done.push_back(left[next]);
    left.erase(left.begin() + static_cast<long>(next));
  }
  return done;
}

}  // namespace sim
