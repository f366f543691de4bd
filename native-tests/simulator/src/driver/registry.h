// All that has a handle.
#pragma once
#include "abi.h"
#include "handle_table.h"

namespace sim {

class Context;
class Stream;
class Event;
class Graph;
class GraphExec;
struct GraphNode;
struct ContextModule;
struct Function;
struct Physical;
struct Pool;

struct Registry {
  HandleTable<CUcontext, Context> contexts;
  HandleTable<CUstream, Stream> streams;
  HandleTable<CUevent, Event> events;
  HandleTable<CUmodule, ContextModule> modules;
  HandleTable<CUfunction, Function> functions;
  HandleTable<CUgraph, Graph> graphs;
  HandleTable<CUgraphNode, GraphNode> nodes;
  HandleTable<CUgraphExec, GraphExec> graphExecs;
  HandleTable<CUmemoryPool, Pool> pools;
  HandleTable<void*, Physical> physical;
};

inline Registry& registry() {
  static Registry& all = *new Registry;
  return all;
}

}  // namespace sim
