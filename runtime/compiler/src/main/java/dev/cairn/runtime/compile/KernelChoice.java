package dev.cairn.runtime.compile;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.custom.CustomOperatorFailed;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** Chooses the kernel of a node by its operator and the types around it. */
final class KernelChoice {
  private final KernelCatalog catalog;

  KernelChoice(KernelCatalog catalog) {
    this.catalog = catalog;
  }

  /** The kernel; empty when none serves these types, or only one that reads values on the host that are not there. */
  Optional<KernelRow> choose(Node node, GraphTypes types) {
    return find(node, types).filter(row -> unreadable(node, row).isEmpty());
  }

  /** Whether a kernel serves an operator with these types, wherever it reads them. */
  boolean serves(String operator, KernelSignature signature) {
    return find(operator, signature).isPresent();
  }

  /** Whether a kernel that is not written in Java serves an operator with these types. */
  boolean servesByProvider(String operator, KernelSignature signature) {
    return find(operator, signature).filter(row -> row.twin().compareTo(Twin.ONEDNN) >= 0).isPresent();
  }

  /** Whether products of a type run on instructions for it, and not on numbers that are widened first. */
  boolean multiplies(DType dtype) {
    return catalog.rows(Operators.MATMUL).stream()
      .anyMatch(row -> row.twin().compareTo(Twin.ONEDNN) >= 0 && row.dtypes()
        .contains(dtype));
  }

  Optional<KernelRow> find(String operator, KernelSignature signature) {
    return catalog.find(operator, signature);
  }

  private Optional<KernelRow> find(Node node, GraphTypes types) {
    // An assign runs as a copy.
    return find(node.kind() instanceof NodeKind.Assign ? Operators.IDENTITY : node.operator(), signature(node, types));
  }

  /**
   * The scratch memory of a node.
   *
   * @param bytes how the kernel counts it
   * @throws UnsupportedOperators when extents are larger than the kernel can count
   */
  static long workspaceBytes(Node node, GraphTypes types, ToLongFunction<KernelSignature> bytes) {
    try {
      return bytes.applyAsLong(signature(node, types));
    } catch (ArithmeticException e) {
      throw new UnsupportedOperators(List.of(new UnsupportedOperators.Gap(node.name(), node.operator(),
        "no kernel for extents this large: " + typesOf(node, types))));
    } catch (CustomOperatorFailed e) {
      var fault = new InvalidGraph(node.name(), String.valueOf(e.getMessage()));
      fault.initCause(e.getCause());
      throw fault;
    }
  }

  /** The first input that the kernel reads on the host and that is no constant. */
  private static OptionalInt unreadable(Node node, KernelRow row) {
    return IntStream.range(0, node.operands().size()).filter(input -> {
      NodeEntry entry = node.operands().get(input);
      return !entry.isAbsent() && row.kernel().readsOnHost(input)
        && !(entry.node().kind() instanceof NodeKind.Constant);
    }).findFirst();
  }

  /** Whether the product runs by a kernel that also takes an epilogue: a device's own, or oneDNN's. */
  boolean takesEpilogue(Node product, GraphTypes types, KernelSignature fused) {
    Optional<Twin> alone = choose(product, types).map(KernelRow::twin).filter(it -> it == Twin.CUDA
      || it == Twin.ONEDNN);
    return alone.isPresent() && alone.equals(find(FusedProduct.OPERATOR, fused).map(KernelRow::twin));
  }

  /** Says which kernel is missing, for the list of gaps. */
  String lackFor(Node node, GraphTypes types) {
    OptionalInt input = find(node, types).map(row -> unreadable(node, row)).orElse(OptionalInt.empty());
    String which = "no kernel for " + typesOf(node, types);
    Optional<String> lack = catalog.rows(node.operator()).stream().flatMap(row -> row.kernel().lack().stream())
      .findFirst();
    if (lack.isPresent()) {
      return which + ": " + lack.get();
    }
    return input.isEmpty() ? which : which + " unless input %d is a constant".formatted(input.getAsInt());
  }

  static KernelSignature signature(Node node, GraphTypes types) {
    List<Optional<TensorType>> inputs = new ArrayList<>();
    for (NodeEntry entry : node.operands()) {
      inputs.add(entry.isAbsent() ? Optional.empty() : Optional.of(types.type(entry)));
    }
    return new KernelSignature(inputs, node.entries().stream().map(types::type).toList(), node.kind().attributes());
  }

  private static String typesOf(Node node, GraphTypes types) {
    return node.operands().stream().map(e -> e.isAbsent() ? "_" : types.type(e).toString()).toList().toString();
  }
}
