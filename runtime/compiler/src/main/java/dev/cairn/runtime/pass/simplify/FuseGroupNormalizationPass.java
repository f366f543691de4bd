package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.NormalizedGroups;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fuses group normalisation, which exporters write through a shape with one channel for each group, into one node:
 *
 * <pre>
 * r = Reshape(x, [0, 32, -1])
 * n = InstanceNormalization(r, s, b)
 * y = Reshape(n, shape of x)            →    y = GroupNormalization{num_groups=32}(x, s', b')
 * </pre>
 *
 * Only with constants {@code s} and {@code b} of {@code float32}, which are repeated for the channels of each group,
 * and where the values in between have one reader. The result may differ by rounding. {@link
 * FoldBatchNormalizationPass} folds a later scale and shift of each channel into {@code s'} and {@code b'}.
 */
public final class FuseGroupNormalizationPass implements NodeRule {
  @Override
  public String name() {
    return "fuse-group-normalization";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    Node normalization = before(old, Operators.RESHAPE, "InstanceNormalization", context);
    Node split = normalization == null
      ? null
      : before(normalization, "InstanceNormalization", Operators.RESHAPE, context);
    if (normalization == null || split == null) {
      return null;
    }
    TensorType type = context.type(old.entry());
    Shape groups = context.type(split.entry()).shape();
    if (!isDivided(type, groups) || !context.type(split.inputs().getFirst()).equals(type)) {
      return null;
    }
    NodeEntry scale = ofChannels(normalization, 1, type, context);
    NodeEntry bias = ofChannels(normalization, 2, type, context);
    Node splitNow = current.inputs().getFirst().node().inputs().getFirst().node();
    if (scale == null || bias == null || !splitNow.operator().equals(Operators.RESHAPE)) {
      return null;
    }
    float epsilon = NormalizedGroups.ofChannels(normalization.kind().attributes(), groups.extent(1)).epsilon();
    Attributes all = Attributes.NONE.with("num_groups", new AttributeValue.Int(groups.extent(1))).with("epsilon",
      new AttributeValue.Real(epsilon));
    return Node
      .apply(old.name(), Operators.GROUP_NORMALIZATION, all, List.of(splitNow.inputs().getFirst(), scale, bias))
      .entry();
  }

  /** The producer of a node's first input, which nothing else reads, if both have these operators. */
  private static @Nullable Node before(Node node, String operator, String producer, RewriteContext context) {
    if (!node.operator().equals(operator)) {
      return null;
    }
    NodeEntry read = node.inputs().getFirst();
    return read.node().operator().equals(producer) && context.readers(read) == 1 && read.node().notes().mayJoin(node
      .notes()) ? read.node() : null;
  }

  /** Whether a shape has the images of a type, and a channel for each group of the type's neighbouring channels. */
  private static boolean isDivided(TensorType type, Shape groups) {
    Shape shape = type.shape();
    return type.dtype() == DType.FLOAT32 && shape.rank() > 2 && groups.rank() > 2 && shape.elementCount(1,
      shape.rank()) > 0 && shape.extent(0) == groups.extent(0) && shape.extent(1) % groups.extent(1) == 0;
  }

  /** A constant of the groups, repeated for the channels of each; null when it is no constant. */
  private static @Nullable NodeEntry ofChannels(Node normalization, int input, TensorType type,
    RewriteContext context) {
    if (!(normalization.inputs().get(input).node().kind() instanceof NodeKind.Constant(TensorView value)) || value
      .dtype() != DType.FLOAT32) {
      return null;
    }
    long channels = type.shape().extent(1);
    long size = channels / value.elementCount();
    TensorView repeated = HeapTensor.allocate(TensorType.of(DType.FLOAT32, channels));
    for (long c = 0; c < channels; c++) {
      repeated.segment().setAtIndex(ValueLayout.JAVA_FLOAT, c, (float) value.doubleAt(c / size));
    }
    return context.constant(normalization.name() + (input == 1 ? "/scale" : "/bias"), repeated);
  }
}
