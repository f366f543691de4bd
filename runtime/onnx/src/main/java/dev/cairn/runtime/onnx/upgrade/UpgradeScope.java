package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.notation.OperatorDomains;
import dev.cairn.runtime.onnx.notation.UniqueNames;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Makes the nodes that take an old node's place, under names that are free. */
public final class UpgradeScope {
  private final UniqueNames names;

  public UpgradeScope(UniqueNames names) {
    this.names = names;
  }

  /** The node as it is, without absent inputs at the end. */
  public List<NodeEntry> node(OldNode old) {
    String operator = OperatorDomains.inGraph(old.operator().domain(), old.operator().name());
    var kind = new NodeKind.Apply(operator, old.attributes(), old.outputs());
    return Node.apply(old.name(), kind, trimmed(old.inputs())).entries();
  }

  /** A free name for a further node beside the old one. */
  String name(OldNode beside, String what) {
    return names.take(beside.name() + "/" + what);
  }

  /** A further node beside the old one, named after it. */
  public NodeEntry node(OldNode beside, String operator, Attributes attributes, NodeEntry... inputs) {
    String name = names.take(beside.name() + "/" + operator);
    return Node.apply(name, operator, attributes, trimmed(List.of(inputs))).entry();
  }

  /** A further node with several results beside the old one, named after it. */
  public List<NodeEntry> nodes(OldNode beside, String operator, int outputs, NodeEntry... inputs) {
    String name = names.take(beside.name() + "/" + operator);
    return Node.apply(name, new NodeKind.Apply(operator, Attributes.NONE, outputs), List.of(
      inputs)).entries();
  }

  /** Whole numbers for an input of the old node, named after it. */
  public NodeEntry longs(OldNode old, String input, long... values) {
    return constant(old, input, TensorView.ofLongs(values));
  }

  /** A whole number for an input of the old node, named after it: a scalar. */
  public NodeEntry whole(OldNode old, String input, long value) {
    return constant(old, input, TensorView.ofLong(value));
  }

  /** A {@code float32} number for an input of the old node, named after it. */
  public NodeEntry single(OldNode old, String input, float value) {
    return real(old, input, DType.FLOAT32, value);
  }

  /** {@code float32} numbers for an input of the old node, named after it. */
  public NodeEntry singles(OldNode old, String input, List<Float> values) {
    float[] all = new float[values.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = values.get(i);
    }
    return constant(old, input, TensorView.ofFloats(Shape.of(all.length), all));
  }

  /** A real number for an input of the old node, named after it. */
  NodeEntry real(OldNode old, String input, DType dtype, float value) {
    MemorySegment segment = switch (dtype) {
      case FLOAT32 -> MemorySegment.ofArray(new float[] {value});
      case FLOAT64 -> MemorySegment.ofArray(new double[] {value});
      case FLOAT16 -> MemorySegment.ofArray(new short[] {Float.floatToFloat16(value)});
      default -> throw new IllegalArgumentException(
        "an attribute holds a real number for an input that has none: input=%s dtype=%s".formatted(input, dtype));
    };
    return constant(old, input, new TensorView(new TensorType(dtype, Shape.SCALAR), segment));
  }

  /** A tensor for an input of the old node, named after it. */
  public NodeEntry constant(OldNode old, String input, TensorView value) {
    return Node.constant(names.take(old.name() + "/" + input), value).entry();
  }

  private static List<NodeEntry> trimmed(List<NodeEntry> inputs) {
    int count = inputs.size();
    while (count > 0 && inputs.get(count - 1).isAbsent()) {
      count--;
    }
    return inputs.subList(0, count);
  }
}
