package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Chooses the kernel of a node by its operator and the types around it. */
final class KernelChoice {
  /** What an assign runs, where it runs: a copy. */
  private static final String COPY = "Identity";

  private final KernelCatalog catalog;

  KernelChoice(KernelCatalog catalog) {
    this.catalog = catalog;
  }

  /** Empty when no kernel serves these types. */
  Optional<KernelRow> choose(Node node, GraphTypes types) {
    String operator = node.kind() instanceof NodeKind.Assign ? COPY : node.operator();
    return catalog.find(operator, signature(node, types));
  }

  static KernelSignature signature(Node node, GraphTypes types) {
    List<Optional<TensorType>> inputs = new ArrayList<>();
    for (NodeEntry entry : node.operands()) {
      inputs.add(entry.isAbsent() ? Optional.empty() : Optional.of(types.type(entry)));
    }
    List<TensorType> outputs = new ArrayList<>();
    for (int i = 0; i < node.kind().outputs(); i++) {
      outputs.add(types.type(node.entry(i)));
    }
    return new KernelSignature(inputs, outputs, node.kind().attributes());
  }

  /** For a gap: which types no kernel serves. */
  static String typesOf(Node node, GraphTypes types) {
    return node.operands().stream().map(e -> e.isAbsent() ? "_" : types.type(e).toString()).toList().toString();
  }
}
