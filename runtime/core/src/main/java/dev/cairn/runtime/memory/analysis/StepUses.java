package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which buffers of the memory problem each step reads and writes, in the order in which steps are issued. A result
 * written in place is read and written by one step; scratch memory is only written.
 */
public record StepUses(List<Step> steps) {
  /** Buffers by index, each once. */
  public record Step(List<Integer> reads, List<Integer> writes) {
    public Step {
      reads = List.copyOf(reads);
      writes = List.copyOf(writes);
    }

    /** All that the step touches, each once. */
    public Set<Integer> buffers() {
      Set<Integer> buffers = new LinkedHashSet<>(reads);
      buffers.addAll(writes);
      return buffers;
    }
  }

  public StepUses {
    steps = List.copyOf(steps);
  }

  /** What the steps of an analysed graph use. */
  public static StepUses of(IndexedGraph graph, Storage storage) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < storage.steps().size(); i++) {
      Node node = storage.steps().get(i);
      Set<Integer> reads = new LinkedHashSet<>();
      for (NodeEntry input : node.inputs()) {
        if (!input.isAbsent() && storage.places().get(graph.entryId(input)) instanceof Place.Planned(int buffer)) {
          reads.add(buffer);
        }
      }
      Set<Integer> writes = new LinkedHashSet<>();
      for (int output = 0; output < node.kind().outputs(); output++) {
        if (storage.places().get(graph.entryId(node.entry(output))) instanceof Place.Planned(int buffer)) {
          writes.add(buffer);
        }
      }
      Optional<Place.Planned> workspace = storage.workspaces().get(i);
      workspace.ifPresent(place -> writes.add(place.buffer()));
      steps.add(new Step(List.copyOf(reads), List.copyOf(writes)));
    }
    return new StepUses(steps);
  }

  public int size() {
    return steps.size();
  }

  /** One more than the highest buffer index used; 0 when none is. */
  public int buffers() {
    return steps.stream().flatMap(step -> step.buffers().stream()).mapToInt(buffer -> buffer + 1).max().orElse(0);
  }
}
