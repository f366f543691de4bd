// One piece of what a device is given to do: runs once in a stream, or each time its graph is launched. Immutable, so
// that a graph can be changed while an earlier launch of it still runs.
#pragma once
#include <memory>
#include <string>

#include "abi.h"
#include "grid_runner.h"

namespace sim {

class Moment;
class Stream;
struct Issued;

class Work {
 public:
  virtual ~Work() = default;
  virtual CUgraphNodeType type() const = 0;
  virtual std::string what() const = 0;  // for the timeline

  // On the worker of the stream; not called once the context is lost.
  virtual Fault run(Stream& stream) const = 0;

  // After run, and in its place once the context is lost: what others wait for must happen all the same.
  virtual void settle(CUresult status) const {}

  // The moment that it records or waits for; null for all other work.
  virtual const Moment* moment() const { return nullptr; }

  // Work of several pieces runs all the same, and each piece sees for itself.
  virtual bool runsWhenLost() const { return false; }

  // Whether it reads or writes memory by itself, rather than waiting or calling a function of the host.
  virtual bool usesMemory() const {
    return type() == CU_GRAPH_NODE_TYPE_KERNEL || type() == CU_GRAPH_NODE_TYPE_MEMCPY ||
           type() == CU_GRAPH_NODE_TYPE_MEMSET;
  }

  // The piece that a launch of a graph runs for this node: another one where each launch needs a state of its own.
  virtual std::shared_ptr<const Work> armed(const std::shared_ptr<const Work>& self) const { return self; }
};

using WorkPointer = std::shared_ptr<const Work>;

// Runs and settles one piece, and writes it into the timeline; a fault loses the stream's context.
void perform(Stream& stream, const Work& work, const Issued& issued);

}  // namespace sim
