package dev.cairn.runtime.pass.control;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.SequenceForm;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphCopy;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.operator.ContainerOperators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replaces sequences of a known length by their elements, so that a graph of tensors is left, which can be planned:
 *
 * <pre>
 * s = SequenceConstruct(a, b)      y = b
 * y = SequenceAt(s, 1)          →  z = Concat(a, b)
 * z = ConcatFromSequence(s)
 * </pre>
 *
 * A loop over such a sequence, as {@code SequenceMap} makes one, becomes its trips. Nodes on sequences whose length
 * only a run knows stay as they are.
 */
public final class DissolvedSequences {
  private static final int MOST_ROUNDS = 8;
  private static final int MOST_TRIPS = 16;
  private static final int MOST_NODES = 512;

  private final Map<String, TensorType> types;
  private final NodeNames names;

  private DissolvedSequences(Graph graph, Map<String, TensorType> types) {
    this.types = types;
    this.names = NodeNames.of(graph);
  }

  /**
   * The graph without the sequences that can be dissolved.
   *
   * @param types of the inputs that are tensors, by name
   */
  public static Graph of(Graph graph, Map<String, TensorType> types) {
    Graph current = graph;
    for (int round = 0; round < MOST_ROUNDS && hasContainers(current); round++) {
      var dissolving = new DissolvedSequences(current, types);
      Graph next = GraphRewriter.rewrite(current, (_, node) -> dissolving.rewritten(node));
      if (next == current) {
        return current;
      }
      current = next;
    }
    return current;
  }

  private static boolean hasContainers(Graph graph) {
    return graph.nodes().stream().anyMatch(node -> switch (node.kind()) {
      case NodeKind.Apply apply -> ContainerOperators.find(apply.operator()).isPresent();
      case NodeKind.Control control -> control.bodies().stream().anyMatch(DissolvedSequences::hasContainers);
      default -> false;
    });
  }

  private List<NodeEntry> rewritten(Node node) {
    Optional<List<NodeEntry>> other = switch (node.kind()) {
      case NodeKind.Repeat repeat -> trips(node, repeat);
      case NodeKind.Apply _ -> applied(node).map(List::of);
      default -> Optional.empty();
    };
    return other.orElseGet(() -> node.entries());
  }

  private Optional<NodeEntry> applied(Node node) {
    return switch (node.operator()) {
      case "SequenceAt" -> elements(node.inputs().get(0)).flatMap(all -> position(node, 1, all.size(), all.size() - 1)
        .map(all::get));
      case "SequenceLength" -> elements(node.inputs().get(0)).map(all -> constant(node, TensorView.ofLong(all.size())));
      case "ConcatFromSequence" -> elements(node.inputs().get(0)).filter(all -> !all.isEmpty()).map(
        all -> concatenated(node, all));
      case "SplitToSequence" -> lengths(node).map(lengths -> split(node, lengths));
      case "OptionalGetElement" -> optional(node).filter(it -> !it.isAbsent());
      case "OptionalHasElement" -> optional(node).map(it -> constant(node, TensorView.ofBool(!it.isAbsent())));
      default -> Optional.empty();
    };
  }

  private NodeEntry constant(Node node, TensorView value) {
    return Node.constant(names.unique(node.name() + "/value"), value).entry();
  }

  /** The value from which an {@code Optional} was made; an absent entry where it is empty. */
  private static Optional<NodeEntry> optional(Node node) {
    if (node.inputs().isEmpty() || !node.inputs().get(0).node().operator().equals("Optional")) {
      return Optional.empty();
    }
    List<NodeEntry> made = node.inputs().get(0).node().inputs();
    return Optional.of(made.isEmpty() ? Node.absent() : made.get(0));
  }

  /** The elements of a sequence whose length is known. */
  private static Optional<List<NodeEntry>> elements(NodeEntry sequence) {
    Node node = sequence.node();
    return switch (node.operator()) {
      case "SequenceConstruct" -> Optional.of(node.inputs());
      case "SequenceEmpty" -> Optional.of(List.of());
      case Operators.IDENTITY -> elements(node.inputs().get(0));
      case "SequenceInsert" -> elements(node.inputs().get(0)).flatMap(all -> position(node, 2, all.size(), all.size())
        .map(at -> {
          List<NodeEntry> more = new ArrayList<>(all);
          more.add(at, node.inputs().get(1));
          return List.copyOf(more);
        }));
      case "SequenceErase" -> elements(node.inputs().get(0)).filter(all -> !all.isEmpty()).flatMap(all -> position(node,
        1, all.size(), all.size() - 1).map(at -> {
          List<NodeEntry> fewer = new ArrayList<>(all);
          fewer.remove((int) at);
          return List.copyOf(fewer);
        }));
      default -> Optional.empty();
    };
  }

  /** A position that is known and inside; the last element where it is left out. */
  private static Optional<Integer> position(Node node, int input, int size, int last) {
    if (input >= node.inputs().size() || node.inputs().get(input).isAbsent()) {
      return Optional.of(last);
    }
    if (!(node.inputs().get(input).node().kind() instanceof NodeKind.Constant(TensorView value)) || !value.dtype()
      .isInteger() || value.elementCount() != 1) {
      return Optional.empty();
    }
    long at = value.longAt(0) < 0 ? value.longAt(0) + size : value.longAt(0);
    return at < 0 || at > last ? Optional.empty() : Optional.of((int) at);
  }

  private NodeEntry concatenated(Node node, List<NodeEntry> all) {
    Attributes attributes = node.kind().attributes();
    List<NodeEntry> parts = all;
    if (SequenceForm.of(attributes).addsAxis()) {
      NodeEntry axes = constant(node, TensorView.ofLongs(SequenceForm.of(attributes).axis()));
      parts = all.stream()
        .map(it -> Node.apply(names.unique(node.name() + "/Unsqueeze"), Operators.UNSQUEEZE, Attributes.NONE,
          List.of(it, axes)).entry())
        .toList();
    }
    return Node.apply(node.name(), Operators.CONCAT, SequenceForm.concat(attributes), parts).entry();
  }

  /** The lengths of the pieces, where a constant has them, or the extent of an input. */
  private Optional<long[]> lengths(Node node) {
    NodeEntry split = node.inputs().size() > 1 ? node.inputs().get(1) : Node.absent();
    if (split.isAbsent()) {
      TensorType type = types.get(node.inputs().get(0).node().name());
      boolean isInput = node.inputs().get(0).node().kind() instanceof NodeKind.Input;
      long axis = SequenceForm.of(node.kind().attributes()).axis();
      if (!isInput || type == null || axis < -type.shape().rank() || axis >= type.shape().rank()) {
        return Optional.empty();
      }
      long extent = type.shape().extent((int) axis);
      long[] ones = new long[(int) Math.min(extent, MOST_NODES + 1)];
      Arrays.fill(ones, 1);
      return Optional.of(ones).filter(it -> it.length > 0 && it.length <= MOST_NODES);
    }
    return split.node().kind() instanceof NodeKind.Constant(TensorView value) && value.shape().rank() == 1 && value
      .elementCount() > 0 && value.elementCount() <= MOST_NODES && value.dtype().isInteger()
        ? Optional.of(value.toLongArray())
        : Optional.empty();
  }

  private NodeEntry split(Node node, long[] lengths) {
    Attributes attributes = node.kind().attributes();
    long axis = SequenceForm.of(attributes).axis();
    boolean drops = node.inputs().size() < 2 && !SequenceForm.of(attributes).keepsAxis();
    var kind = new NodeKind.Apply(Operators.SPLIT, Attributes.NONE.with("axis", axis), lengths.length);
    List<NodeEntry> pieces = Node.apply(names.unique(node.name() + "/Split"), kind, List.of(node
      .inputs().get(0), constant(node, TensorView.ofLongs(lengths)))).entries();
    if (drops) {
      NodeEntry axes = constant(node, TensorView.ofLongs(axis));
      pieces = pieces.stream().map(it -> Node.apply(names.unique(node.name() + "/Squeeze"), "Squeeze", Attributes.NONE,
        List.of(it, axes)).entry()).toList();
    }
    return Node.apply(node.name(), "SequenceConstruct", Attributes.NONE, pieces).entry();
  }

  /** The trips of a short loop that handles sequences and ends by its count alone. */
  private Optional<List<NodeEntry>> trips(Node node, NodeKind.Repeat repeat) {
    boolean isPlain = repeat.scanned().isEmpty() && repeat.stacked().isEmpty() && node.inputs().get(1).isAbsent()
      && repeat.body().outputs().get(0).entry().node() == repeat.body().inputs().get(1);
    if (!isPlain || !hasContainers(repeat.body()) || !(node.inputs().get(0).node()
      .kind() instanceof NodeKind.Constant(TensorView count)) || count.elementCount() != 1) {
      return Optional.empty();
    }
    long trips = count.longAt(0);
    if (trips < 0 || trips > MOST_TRIPS || trips * repeat.body().nodes().size() > MOST_NODES) {
      return Optional.empty();
    }
    List<NodeEntry> carried = node.inputs().subList(2, 2 + repeat.carried());
    NodeEntry goesOn = constant(node, TensorView.ofBool(true));
    for (long trip = 0; trip < trips; trip++) {
      String suffix = "[" + trip + "]";
      List<NodeEntry> arguments = new ArrayList<>(List.of(constant(node, TensorView.ofLong(trip)), goesOn));
      arguments.addAll(carried);
      arguments.addAll(node.inputs().subList(repeat.firstCapture(), node.inputs().size()));
      carried = GraphCopy.of(repeat.body(), arguments, name -> names.unique(name + suffix)).subList(1, 1 + repeat
        .carried());
    }
    return Optional.of(carried);
  }
}
