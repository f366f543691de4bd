package dev.cairn.runtime.memory.planner.nnvm;

import java.util.ArrayList;
import java.util.List;

/** Graphs written down node by node; every node's last output is its entry. */
final class NnvmGraphs {
  /** One byte an element, so that a case's bytes are its elements. */
  static final ElementType BYTE = ElementType.of("uint8", 1);

  private final List<NnvmNode> nodes = new ArrayList<>();
  private int entries;

  static NnvmEntry bytes(long bytes) {
    return NnvmEntry.of(BYTE, bytes);
  }

  static NnvmEntry floats(long elements) {
    return NnvmEntry.of(ElementType.FLOAT32, elements);
  }

  /** Adds a node; its last entry's id. */
  int add(NnvmNode node) {
    nodes.add(node);
    entries += node.outputs().size();
    return entries - 1;
  }

  int variable(long bytes) {
    return add(NnvmNode.variable("v" + nodes.size(), bytes(bytes)));
  }

  /** An operator that may not run in place. */
  int operator(long bytes, Integer... inputs) {
    return add(node(bytes, inputs));
  }

  /** An operator whose output may take the place of any of its inputs, the first tried first. */
  int inPlace(long bytes, Integer... inputs) {
    NnvmNode node = node(bytes, inputs);
    for (int i = 0; i < inputs.length; i++) {
      node = node.withInPlace(i, 0);
    }
    return add(node);
  }

  /** An operator whose output is its first input under another shape. */
  int reshape(long bytes, Integer... inputs) {
    return add(node(bytes, inputs).withIdentity(0, 0));
  }

  /** An operator with one output, not added yet. */
  NnvmNode node(long bytes, Integer... inputs) {
    return NnvmNode.operator("n" + nodes.size(), List.of(inputs), List.of(bytes(bytes)));
  }

  NnvmGraph graph(Integer... outputs) {
    return new NnvmGraph(nodes, List.of(outputs));
  }

  /** A variable of the first size, then a chain of operators of the other sizes. */
  static NnvmGraph chain(boolean inPlace, long... sizes) {
    var graph = new NnvmGraphs();
    int last = graph.variable(sizes[0]);
    for (int i = 1; i < sizes.length; i++) {
      last = inPlace ? graph.inPlace(sizes[i], last) : graph.operator(sizes[i], last);
    }
    return graph.graph(last);
  }
}
