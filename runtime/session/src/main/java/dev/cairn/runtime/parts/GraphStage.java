package dev.cairn.runtime.parts;

import dev.cairn.runtime.compile.CompiledGraph;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a graph that run next, and the rest after them. The lock of its {@link GraphRest} guards the users. */
final class GraphStage {
  private final List<GraphPart> parts;
  private final Done done;
  private final @Nullable GraphRest rest;
  private final Set<String> kept;
  /** Runs that use this stage now. */
  int users;

  /**
   * The results of all stages up to one. They are the same in each run that takes this stage.
   *
   * @param outputs by output of the model, the name of its value
   * @param planned the parts with plans, in their order
   */
  record Done(Map<String, String> outputs, List<CompiledGraph> planned) {
    static final Done NOTHING = new Done(Map.of(), List.of());

    /** The stage with the results of one more stage. */
    Done and(Map<String, String> furtherOutputs, List<GraphPart> parts) {
      Map<String, String> allOutputs = new LinkedHashMap<>(outputs);
      allOutputs.putAll(furtherOutputs);
      List<CompiledGraph> allPlanned = new ArrayList<>(planned);
      for (GraphPart part : parts) {
        if (part instanceof GraphPart.Planned known) {
          allPlanned.add(known.executor().graph());
        }
      }
      return new Done(allOutputs, List.copyOf(allPlanned));
    }
  }

  /** @param done the results of this stage and those before it */
  GraphStage(List<GraphPart> parts, Done done, @Nullable GraphRest rest) {
    this.parts = List.copyOf(parts);
    this.done = done;
    this.rest = rest;
    this.kept = new HashSet<>(done.outputs.values());
    if (rest != null) {
      rest.graph().inputs().forEach(it -> kept.add(it.name()));
    }
  }

  List<GraphPart> parts() {
    return parts;
  }

  Done done() {
    return done;
  }

  /** The names of the values that are read after this stage. */
  Set<String> kept() {
    return kept;
  }

  @Nullable
  GraphRest rest() {
    return rest;
  }

  void close() {
    if (rest != null) {
      rest.close();
    }
    parts.forEach(GraphPart::close);
  }
}
