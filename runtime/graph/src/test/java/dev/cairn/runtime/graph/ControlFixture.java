package dev.cairn.runtime.graph;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Builds graphs with bodies for tests; every node has the name that the test gives it. */
public final class ControlFixture {
  private final String name;
  private final List<Node> parameters = new ArrayList<>();

  /** @param name of a body, with which the names of its nodes begin */
  public ControlFixture(String name) {
    this.name = name;
  }

  public static TensorView bool(boolean value) {
    return new TensorView(TensorType.of(DType.BOOL), MemorySegment.ofArray(new byte[] {(byte) (value ? 1 : 0)}));
  }

  public static TensorView floats(float... values) {
    return TensorView.ofFloats(Shape.of(values.length), values);
  }

  public NodeEntry parameter(String own) {
    parameters.add(Node.parameter(name + "/" + own, Optional.empty()));
    return parameters.getLast().entry();
  }

  public NodeEntry constant(String own, TensorView value) {
    return Node.constant(name + "/" + own, value).entry();
  }

  public NodeEntry apply(String own, String operator, NodeEntry... reads) {
    return Node.apply(name + "/" + own, operator, Attributes.NONE, List.of(reads)).entry();
  }

  /** The body of all parameters so far. */
  public Graph body(NodeEntry... results) {
    List<Graph.Output> outputs = new ArrayList<>();
    for (NodeEntry result : results) {
      outputs.add(new Graph.Output("result" + outputs.size(), result));
    }
    return new Graph(name, parameters, outputs);
  }

  /** A loop without scanned values, whose results are stacked on axis 0. */
  public static Node loop(String name, Graph body, int carried, NodeEntry... operands) {
    int stacked = body.outputs().size() - 1 - carried;
    List<NodeKind.Repeat.Slices> slices = Collections.nCopies(stacked, new NodeKind.Repeat.Slices(0, false));
    return Node.control(name, new NodeKind.Repeat(body, carried, List.of(), slices), Arrays.asList(operands));
  }

  public static Node branch(String name, Graph then, Graph otherwise, NodeEntry... operands) {
    return Node.control(name, new NodeKind.Branch(then, otherwise), List.of(operands));
  }
}
