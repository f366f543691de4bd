package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.NormalizedChannels;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Folds what scales and shifts each channel of a convolution's result into its weights and bias. The following node may
 * be a {@code BatchNormalization} with constant parameters, or an {@code Add}, {@code Sub}, {@code Mul} or {@code Div}
 * with a constant for each channel (or one for all), and a chain of these in any order.
 *
 * <pre>
 * c = Conv(x, w)                         y = Conv(x, w', b')
 * n = BatchNormalization(c, s, b, m, v)      w'[k] = w[k] * f[k],  b'[k] = b[k] - m[k] * f[k]
 * y = Relu(n)                       →        f[k]  = s[k] / sqrt(v[k] + epsilon)
 * </pre>
 *
 * A {@code BatchNormalization} with no convolution before it, and a {@code GroupNormalization}, take up the {@code Add}
 * or {@code Mul} after them in the same way. Only where the result in between has one reader, both nodes are to compute
 * in the same type, and neither has a hint that binds; {@code float32} and {@code float64}; computed in double, and
 * rounded for each node folded. Large weights are computed when they are stored. Parameters that several convolutions
 * share become one for each convolution.
 */
public final class FoldBatchNormalizationPass implements NodeRule {
  @Override
  public String name() {
    return "fold-batch-normalization";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    for (int data = 0; data < Math.min(2, current.inputs().size()); data++) {
      NodeEntry folded = fold(old, current, data, context);
      if (folded != null) {
        return folded;
      }
    }
    return null;
  }

  private static @Nullable NodeEntry fold(Node old, Node current, int data, RewriteContext context) {
    NodeEntry before = old.inputs().get(data);
    Node producer = current.inputs().get(data).node();
    if (!(producer.kind() instanceof NodeKind.Apply kind) || kind.outputs() != 1 || context.readers(before) != 1
      || !producer.notes().mayJoin(old.notes())) {
      return null;
    }
    TensorType type = context.type(before);
    boolean real = type.dtype() == DType.FLOAT32 || type.dtype() == DType.FLOAT64;
    if (!real || type.shape().rank() < 2 || type.shape().elementCount(1, type.shape().rank()) == 0
      || !type.equals(context.type(old.entry()))) {
      return null;
    }
    return switch (kind.operator()) {
      case Operators.CONV ->
        ChannelAffine.of(current, data, type).map(f -> intoConvolution(producer, kind, f, context)).orElse(null);
      case Operators.BATCH_NORMALIZATION, Operators.GROUP_NORMALIZATION ->
        ChannelAffine.of(current, data, type).map(f -> intoNormalization(producer, kind, f, context)).orElse(null);
      default -> null;
    };
  }

  private static @Nullable NodeEntry intoConvolution(Node conv, NodeKind.Apply kind, ChannelAffine affine,
    RewriteContext context) {
    int channels = affine.channels();
    boolean hasBias = conv.inputs().size() > 2 && !conv.inputs().get(2).isAbsent();
    double[] bias = hasBias ? ChannelAffine.perChannel(conv.inputs().get(2), 1, 0, channels) : new double[channels];
    Optional<ConstantSource> weight = conv.inputs().get(1).node().constant();
    if (bias == null || weight.isEmpty()) {
      return null;
    }
    for (int c = 0; c < channels; c++) {
      bias[c] = affine.applied(c, bias[c]);
    }
    return Node.apply(conv.name(), kind, List.of(conv.inputs().get(0),
      scaled(conv, weight.get(), affine, context),
      context.constant(conv.name() + "/bias", vector(weight.get().type().dtype(), bias)))).entry();
  }

  private static @Nullable NodeEntry intoNormalization(Node normalization, NodeKind.Apply kind, ChannelAffine affine,
    RewriteContext context) {
    if (!(normalization.inputs().get(1).node().kind() instanceof NodeKind.Constant(TensorView oldScale))) {
      return null;
    }
    int channels = affine.channels();
    double[] scale = ChannelAffine.perChannel(normalization.inputs().get(1), 1, 0, channels);
    double[] bias = ChannelAffine.perChannel(normalization.inputs().get(2), 1, 0, channels);
    boolean training = NormalizedChannels.of(kind.attributes()).isTraining();
    if (scale == null || bias == null || training) {
      return null;
    }
    for (int c = 0; c < channels; c++) {
      scale[c] *= affine.scale(c);
      bias[c] = affine.applied(c, bias[c]);
    }
    var inputs = new ArrayList<>(normalization.inputs());
    inputs.set(1, context.constant(normalization.name() + "/scale", vector(oldScale.dtype(), scale)));
    inputs.set(2, context.constant(normalization.name() + "/bias", vector(oldScale.dtype(), bias)));
    return Node.apply(normalization.name(), kind, inputs).entry();
  }

  /** The weights with each slice along the first axis, which makes one channel of the result, times its factor. */
  private static NodeEntry scaled(Node conv, ConstantSource weight, ChannelAffine affine, RewriteContext context) {
    TensorView factors = vector(DType.FLOAT64, affine.scales());
    if (weight instanceof ConstantSource.Given(TensorView value)
      && value.type().bytes() <= ConstantFoldingPass.SMALL_BYTES) {
      TensorView result = HeapTensor.allocate(value.type());
      ChannelScaling.scale(value, factors, result);
      return context.constant(conv.name() + "/weight", result);
    }
    return Node.deferred(context.unique(conv.name() + "/weight"), new ConstantSource.Computed(ChannelScaling.INSTANCE,
      List.of(Optional.of(weight), Optional.of(new ConstantSource.Given(factors))), List.of(weight.type()), 0))
      .entry();
  }

  private static TensorView vector(DType dtype, double[] values) {
    TensorView result = HeapTensor.allocate(TensorType.of(dtype, values.length));
    for (int i = 0; i < values.length; i++) {
      ChannelScaling.set(result, i, values[i]);
    }
    return result;
  }
}
