package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The sweep's step at an {@code If}. Where the condition is known, the other branch is not typed. Otherwise both
 * branches must give the same types, and no run may take a branch that is invalid for the types that it reads.
 */
final class BranchInference {
  private final Node node;
  private final NodeKind.Branch branch;
  private final KnownEntries known;
  private final TypeInference inference;

  BranchInference(Node node, NodeKind.Branch branch, KnownEntries known, TypeInference inference) {
    this.node = node;
    this.branch = branch;
    this.known = known;
    this.inference = inference;
  }

  void infer() {
    Optional<Boolean> condition = condition(node, 0, known);
    if (condition.isPresent()) {
      Graph body = condition.get() ? branch.then() : branch.otherwise();
      KnownEntries chosen = inferred(body);
      known.put(node, types(body, chosen));
      for (int i = 0; i < body.outputs().size(); i++) {
        NodeEntry result = node.entry(i);
        chosen.value(body.outputs().get(i).entry()).ifPresent(value -> known.putValue(result, value));
      }
      return;
    }
    List<TensorType> then = ofBranch(branch.then());
    List<TensorType> otherwise = ofBranch(branch.otherwise());
    for (int i = 0; i < then.size(); i++) {
      if (then.get(i).dtype() != otherwise.get(i).dtype()) {
        throw new InvalidGraph(node.name(), "the branches give different element types: result=%d then=%s else=%s"
          .formatted(i, then.get(i), otherwise.get(i)));
      }
    }
    if (!then.equals(otherwise)) {
      throw new ValueDependentShape(node.name(), 0,
        "branches give different types, and the condition is only known when the model runs: input=0 then=%s else=%s"
          .formatted(then, otherwise));
    }
    known.put(node, then);
  }

  /** Handles a branch that is invalid for these types. It matters if a run takes it, which the condition decides. */
  private List<TensorType> ofBranch(Graph body) {
    try {
      return types(body, inferred(body));
    } catch (ValueDependentShape e) {
      throw e;
    } catch (InvalidGraph e) {
      throw new ValueDependentShape(node.name(), 0,
        "a branch is invalid, and only the condition tells whether it is taken: input=0 branch: " + e.getMessage());
    }
  }

  /** The larger type of both branches, result by result; empty where it has no plan, or their ranks differ. */
  Optional<List<TensorType>> bound() {
    try {
      List<TensorType> then = types(branch.then(), inferred(branch.then()));
      List<TensorType> otherwise = types(branch.otherwise(), inferred(branch.otherwise()));
      List<TensorType> bound = new ArrayList<>();
      for (int i = 0; i < then.size(); i++) {
        Shape first = then.get(i).shape();
        Shape second = otherwise.get(i).shape();
        if (first.rank() != second.rank()) {
          return Optional.empty();
        }
        long[] extents = IntStream.range(0, first.rank()).mapToLong(axis -> Math.max(first.extent(axis), second.extent(
          axis))).toArray();
        bound.add(then.get(i).withShape(Shape.of(extents)));
      }
      return Optional.of(bound);
    } catch (InvalidGraph e) {
      return Optional.empty();
    }
  }

  /** The value of a condition, if it is known: one boolean of any rank. */
  static Optional<Boolean> condition(Node node, int input, KnownEntries known) {
    NodeEntry entry = node.inputs().get(input);
    TensorType type = known.type(entry);
    if (type.dtype() != DType.BOOL || type.shape().elementCount() != 1) {
      throw new InvalidGraph(node.name(), "a condition must be one boolean: condition=" + type);
    }
    return known.value(entry).map(value -> value.longAt(0) != 0);
  }

  private KnownEntries inferred(Graph body) {
    List<NodeEntry> captured = node.inputs().subList(1, node.inputs().size());
    List<TensorType> types = captured.stream().map(known::type).toList();
    List<Optional<TensorView>> values = captured.stream().map(known::value).toList();
    return inference.inferBody(body, types, values);
  }

  static List<TensorType> types(Graph body, KnownEntries inside) {
    return body.outputs().stream().map(output -> inside.type(output.entry())).toList();
  }
}
