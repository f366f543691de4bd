package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.List;
import java.util.Optional;

/**
 * Where everything in a graph lies, but for the addresses.
 *
 * @param steps the nodes that run, in order; aliases and direct assigns do not
 * @param places by entry id of the indexed graph
 * @param workspaces by step, the buffer of the kernel's scratch memory, if it wants any
 * @param constants all constants of the graph, each once; only aliases read some of them, such as the shape of a
 *   reshape
 * @param variables what outlives the run
 * @param problem one buffer for each group of entries that share bytes, and one for each workspace
 * @param separateBytes what the run would take if every result and every workspace had bytes of its own: nothing
 *   shared, nothing in place; without bytes in variables
 * @param inPlace how many results are written over an input
 */
public record Storage(List<Node> steps, List<Place> places, List<Optional<Place.Planned>> workspaces,
  List<Node> constants, VariableUse variables, MemoryProblem problem, long separateBytes, int inPlace) {
  public Storage {
    steps = List.copyOf(steps);
    places = List.copyOf(places);
    workspaces = List.copyOf(workspaces);
    constants = List.copyOf(constants);
  }

  /** The same storage with another statement of the problem, on the same buffers. */
  public Storage with(MemoryProblem other) {
    return new Storage(steps, places, workspaces, constants, variables, other, separateBytes, inPlace);
  }
}
