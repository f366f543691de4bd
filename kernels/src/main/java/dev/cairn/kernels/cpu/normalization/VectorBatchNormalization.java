package dev.cairn.kernels.cpu.normalization;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.attribute.NormalizedChannels;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.VectorRows;
import dev.cairn.kernels.cpu.vector.VectorRows.Row;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@code BatchNormalization(x, scale, bias, mean, variance)} of {@code float32} at inference. A factor and an offset
 * for each channel are made first, in the workspace; then planes are scaled, or where a plane is one element, rows of
 * channels.
 */
public final class VectorBatchNormalization implements Kernel {
  private static final long GRAIN = 1 << 14;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();

  @Override
  public boolean accepts(KernelSignature signature) {
    return !NormalizedChannels.of(signature.attributes()).isTraining() && signature.inputs().stream().flatMap(
      Optional::stream).map(TensorType::dtype).allMatch(dtype -> dtype == DType.FLOAT32);
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return 2 * ChannelPlanes.of(signature.input(0).shape()).channels() * Float.BYTES;
  }

  @Override
  public void run(KernelCall call) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    var planes = ChannelPlanes.of(call.input(0).shape());
    long channels = planes.channels();
    MemorySegment factors = call.workspace().asSlice(0, channels * Float.BYTES);
    MemorySegment offsets = call.workspace().asSlice(channels * Float.BYTES, channels * Float.BYTES);
    prepare(call, factors, offsets, channels);
    if (planes.elements() == 1 && channels > 0) {
      CpuStream.of(call).parallel(planes.planes() / channels, Math.max(1, GRAIN / channels), (first, end) -> {
        for (long image = first; image < end; image++) {
          scaleChannels(x, y, new Row(image * channels, channels), factors, offsets);
        }
      });
    } else {
      CpuStream.of(call).parallel(planes.planes(), planes.grain(GRAIN), (first, end) -> {
        for (long plane = first; plane < end; plane++) {
          long channel = plane % channels * Float.BYTES;
          VectorRows.scale(x, y, new Row(plane * planes.elements(), planes.elements()), factors.get(FLOAT, channel),
            offsets.get(FLOAT, channel));
        }
      });
    }
  }

  private static void prepare(KernelCall call, MemorySegment factors, MemorySegment offsets, long channels) {
    double epsilon = NormalizedChannels.of(call.attributes()).epsilon();
    for (long channel = 0; channel < channels; channel++) {
      double deviation = Math.sqrt(call.input(4).doubleAt(channel) + epsilon);
      double factor = call.input(1).doubleAt(channel) / deviation;
      double offset = call.input(2).doubleAt(channel) - call.input(3).doubleAt(channel) * factor;
      factors.set(FLOAT, channel * Float.BYTES, (float) factor);
      offsets.set(FLOAT, channel * Float.BYTES, (float) offset);
    }
  }

  private static void scaleChannels(MemorySegment x, MemorySegment y, Row row, MemorySegment factors,
    MemorySegment offsets) {
    long at = row.at();
    long length = row.length();
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      store(load(x, at + i).fma(load(factors, i), load(offsets, i)), y, at + i);
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      FloatVector scaled = load(x, at + whole, rest).fma(load(factors, whole, rest), load(offsets, whole, rest));
      store(scaled, y, at + whole, rest);
    }
  }
}
