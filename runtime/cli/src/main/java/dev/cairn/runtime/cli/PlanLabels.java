package dev.cairn.runtime.cli;

import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.analysis.Place;
import dev.cairn.runtime.memory.analysis.Storage;
import dev.cairn.runtime.report.plan.BufferLabel;
import dev.cairn.runtime.train.IterationPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What each buffer of a model's plan is for: the node that writes it first, and the tensors that lie in it. */
final class PlanLabels {
  private static final int MOST_TENSORS = 4;

  private PlanLabels() {}

  /** For each buffer index. */
  static List<BufferLabel> of(CompiledGraph compiled) {
    Storage storage = compiled.storage();
    List<List<NodeEntry>> entries = entries(compiled.graph(), storage);
    List<BufferLabel> labels = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      labels.add(entries.get(i).isEmpty()
        ? BufferLabel.named(storage.problem().buffer(i).name())
        : label(compiled, entries.get(i)));
    }
    for (int step = 0; step < storage.steps().size(); step++) {
      Node node = storage.steps().get(step);
      storage.workspaces().get(step).ifPresent(it -> labels.set(it.buffer(), new BufferLabel(node.name(), node
        .operator(), "scratch memory of the kernel", true)));
    }
    return List.copyOf(labels);
  }

  /** The same of an iteration of training, coloured by phase instead of operator. */
  static List<BufferLabel> byPhase(CompiledGraph compiled) {
    return of(compiled).stream().map(it -> it.scratch()
      ? it
      : new BufferLabel(it.owner(), IterationPhase.of(it.owner()).toString(), it.tensors(), false)).toList();
  }

  private static List<List<NodeEntry>> entries(IndexedGraph graph, Storage storage) {
    List<List<NodeEntry>> entries = new ArrayList<>();
    for (int i = 0; i < storage.problem().size(); i++) {
      entries.add(new ArrayList<>());
    }
    for (Node node : graph.graph().nodes()) {
      for (int output = 0; output < node.kind().outputs(); output++) {
        NodeEntry entry = node.entry(output);
        if (storage.places().get(graph.entryId(entry)) instanceof Place.Planned(int buffer)) {
          entries.get(buffer).add(entry);
        }
      }
    }
    return entries;
  }

  private static BufferLabel label(CompiledGraph compiled, List<NodeEntry> entries) {
    String tensors = entries.stream().limit(MOST_TENSORS)
      .map(it -> it + " " + compiled.types().type(it)).collect(Collectors.joining(", then "));
    int more = entries.size() - MOST_TENSORS;
    Node first = entries.getFirst().node();
    return new BufferLabel(first.name(), first.operator(), more > 0
      ? tensors + " and %d more".formatted(more)
      : tensors, false);
  }
}
