package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.NormalizedGroups;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.VectorRows;
import dev.cairn.kernels.cpu.vector.VectorRows.Row;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * {@code GroupNormalization(x, scale, bias)} of {@code float32}, on {@code x} of shape {@code N,C,...}; {@code scale}
 * and {@code bias} have a number for each channel. The channels of a group are contiguous. {@code
 * InstanceNormalization} is the same with each channel as a group.
 */
public final class VectorGroupNormalization implements Kernel {
  /** {@code InstanceNormalization}. */
  public static final Kernel OF_CHANNELS = new VectorGroupNormalization(true);
  /** {@code GroupNormalization}, of {@code num_groups} groups. */
  public static final Kernel OF_GROUPS = new VectorGroupNormalization(false);

  private static final long GRAIN = 1 << 13;

  private final boolean ofChannels;

  private VectorGroupNormalization(boolean ofChannels) {
    this.ofChannels = ofChannels;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return isSingle(signature);
  }

  /** Whether all inputs are of {@code float32}. */
  static boolean isSingle(KernelSignature signature) {
    return signature.inputs().stream().flatMap(Optional::stream).map(TensorType::dtype).allMatch(
      dtype -> dtype == DType.FLOAT32);
  }

  @Override
  public void run(KernelCall call) {
    if (call.output(0).elementCount() == 0) {
      return;
    }
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    var planes = ChannelPlanes.of(call.input(0).shape());
    NormalizedGroups form = ofChannels
      ? NormalizedGroups.ofChannels(call.attributes(), planes.channels())
      : NormalizedGroups.of(call.attributes());
    long size = planes.channels() / form.groups();
    long length = size * planes.elements();
    CpuStream.of(call).parallel(planes.planes() / size, Math.max(1, GRAIN / length), (first, end) -> {
      for (long group = first; group < end; group++) {
        float mean = VectorRows.mean(x, group * length, length);
        float variance = VectorRows.variance(x, group * length, length, mean);
        double inverse = 1 / Math.sqrt(variance + form.epsilon());
        for (long plane = group * size; plane < (group + 1) * size; plane++) {
          long channel = plane % planes.channels();
          double factor = call.input(1).doubleAt(channel) * inverse;
          double offset = call.input(2).doubleAt(channel) - mean * factor;
          VectorRows.scale(x, y, new Row(plane * planes.elements(), planes.elements()), (float) factor, (float) offset);
        }
      }
    });
  }
}
