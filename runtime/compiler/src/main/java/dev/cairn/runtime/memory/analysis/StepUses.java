package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which buffers of the memory problem each step reads and writes, in the order in which steps are issued. A result
 * written in place is read and written by one step; scratch memory is only written. Indexes from the problem's size on
 * are memory apart: variables, with content from before the run, and after them results.
 */
public record StepUses(List<Step> steps) {
  /** Buffers and variables by index, each once. */
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

  /** The buffers that the steps of an analysed graph use. */
  public static StepUses of(IndexedGraph graph, Storage storage) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < storage.steps().size(); i++) {
      Node node = storage.steps().get(i);
      Set<Integer> reads = new LinkedHashSet<>();
      for (NodeEntry operand : node.operands()) {
        if (!operand.isAbsent()) {
          add(reads, storage.places().get(graph.entryId(operand)), storage);
        }
      }
      Set<Integer> writes = new LinkedHashSet<>();
      for (int output = 0; output < node.kind().outputs(); output++) {
        add(writes, storage.places().get(graph.entryId(node.entry(output))), storage);
      }
      storage.workspaces().get(i).ifPresent(place -> writes.add(place.buffer()));
      steps.add(new Step(List.copyOf(reads), List.copyOf(writes)));
    }
    return new StepUses(steps);
  }

  private static void add(Set<Integer> uses, Place place, Storage storage) {
    switch (place) {
      case Place.Planned(int buffer) -> uses.add(buffer);
      case Place.Variable(int variable) -> uses.add(storage.problem().size() + variable);
      case Place.Result(int output) -> uses.add(storage.problem().size() + storage.variables().variables().size()
        + output);
      case Place.Input input -> {}
      case Place.Constant constant -> {}
    }
  }

  public int size() {
    return steps.size();
  }

  /** One more than the highest index used; 0 when none is. */
  int limit() {
    return steps.stream().flatMap(step -> step.buffers().stream()).mapToInt(buffer -> buffer + 1).max().orElse(0);
  }
}
