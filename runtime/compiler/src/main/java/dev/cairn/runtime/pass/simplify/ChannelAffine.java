package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.NormalizedChannels;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The function that a node applies to each channel {@code c} of its data (axis 1): {@code y = x * scale[c] + shift[c]},
 * in double. Immutable.
 */
public final class ChannelAffine {
  private final double[] scale;
  private final double[] shift;

  private ChannelAffine(double[] scale, double[] shift) {
    this.scale = scale;
    this.shift = shift;
  }

  /**
   * Reads a {@code BatchNormalization} at inference, or an {@code Add}, {@code Sub}, {@code Mul} or {@code Div} with
   * one number for each channel (or one for all).
   *
   * @param data which input of the node is {@code x}
   * @param type of {@code x} and of the result
   * @return empty when the node does something else, a parameter is no constant, or a factor is not a finite number
   */
  public static Optional<ChannelAffine> of(Node node, int data, TensorType type) {
    if (!(node.kind() instanceof NodeKind.Apply kind) || kind.outputs() != 1) {
      return Optional.empty();
    }
    ChannelAffine affine = kind.operator().equals(Operators.BATCH_NORMALIZATION)
      ? normalization(node, data, kind, type)
      : arithmetic(node, data, kind.operator(), type);
    return Optional.ofNullable(affine).filter(ChannelAffine::isFinite);
  }

  private static @Nullable ChannelAffine normalization(Node node, int data, NodeKind.Apply kind, TensorType type) {
    var parameters = new double[4][];
    for (int i = 0; i < 4; i++) {
      double[] values = perChannel(node.inputs().get(i + 1), 1, 0, channels(type));
      if (values == null) {
        return null;
      }
      parameters[i] = values;
    }
    NormalizedChannels form = NormalizedChannels.of(kind.attributes());
    if (data != 0 || form.isTraining()) {
      return null;
    }
    double[] scale = parameters[0].clone();
    double[] shift = parameters[1].clone();
    for (int c = 0; c < scale.length; c++) {
      scale[c] /= Math.sqrt(parameters[3][c] + (double) form.epsilon());
      shift[c] -= parameters[2][c] * scale[c];
    }
    return new ChannelAffine(scale, shift);
  }

  private static @Nullable ChannelAffine arithmetic(Node node, int data, String operator, TensorType type) {
    if (node.inputs().size() != 2) {
      return null;
    }
    int channels = channels(type);
    double[] operand = perChannel(node.inputs().get(1 - data), type.shape().rank(), 1, channels);
    if (operand == null) {
      return null;
    }
    double[] ones = filled(channels, 1);
    return switch (operator) {
      case Operators.ADD -> new ChannelAffine(ones, operand);
      case Operators.MUL -> new ChannelAffine(operand, new double[channels]);
      case Operators.SUB -> data == 0
        ? new ChannelAffine(ones, Arrays.stream(operand).map(v -> -v).toArray())
        : new ChannelAffine(filled(channels, -1), operand);
      case Operators.DIV -> data == 0
        ? new ChannelAffine(Arrays.stream(operand).map(v -> 1 / v).toArray(), new double[channels])
        : null;
      default -> null;
    };
  }

  /** One number a channel, from a constant that has more than one element on no axis but that of the channels. */
  static double @Nullable [] perChannel(NodeEntry entry, int rank, int channelAxis, int channels) {
    if (!(entry.node().kind() instanceof NodeKind.Constant(TensorView value))) {
      return null;
    }
    int shift = rank - value.shape().rank();
    for (int axis = 0; axis < value.shape().rank(); axis++) {
      long wanted = axis + shift == channelAxis ? channels : 1;
      if (shift < 0 || (value.shape().extent(axis) != 1 && value.shape().extent(axis) != wanted)) {
        return null;
      }
    }
    return value.elementCount() == channels ? numbers(value) : filled(channels, value.doubleAt(0));
  }

  /** All elements; those of {@code float32} as one block, which is fast before the JVM has compiled anything. */
  private static double[] numbers(TensorView value) {
    double[] numbers = new double[Math.toIntExact(value.elementCount())];
    float[] block = value.dtype() == DType.FLOAT32 ? value.segment().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED) : null;
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = block == null ? value.doubleAt(i) : block[i];
    }
    return numbers;
  }

  public int channels() {
    return scale.length;
  }

  /** The factors of all channels. */
  double[] scales() {
    return scale.clone();
  }

  public double scale(int channel) {
    return scale[channel];
  }

  /** The result for a number at a channel. */
  public double applied(int channel, double value) {
    return value * scale[channel] + shift[channel];
  }

  private static int channels(TensorType type) {
    return Math.toIntExact(type.shape().extent(1));
  }

  private static double[] filled(int count, double value) {
    double[] all = new double[count];
    Arrays.fill(all, value);
    return all;
  }

  private boolean isFinite() {
    return IntStream.range(0, scale.length).allMatch(c -> Double.isFinite(scale[c]) && Double.isFinite(shift[c]));
  }
}
