package dev.cairn.kernels.cpu.vector;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.ChannelPlanes;
import dev.cairn.kernels.cpu.CpuStream;
import dev.cairn.kernels.cpu.vector.VectorRows.Row;
import java.lang.foreign.MemorySegment;

/** {@code InstanceNormalization(x, scale, bias)} of {@code float32}. */
public final class VectorInstanceNormalization implements Kernel {
  private static final long GRAIN = 1 << 13;

  @Override
  public void run(KernelCall call) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    double epsilon = call.attributes().getFloat("epsilon", 1e-5f);
    var planes = ChannelPlanes.of(call.input(0).shape());
    long length = planes.elements();
    CpuStream.of(call).parallel(planes.planes(), planes.grain(GRAIN), (first, end) -> {
      for (long plane = first; plane < end; plane++) {
        long channel = plane % planes.channels();
        float mean = VectorRows.mean(x, plane * length, length);
        float variance = VectorRows.variance(x, plane * length, length, mean);
        double factor = call.input(1).doubleAt(channel) / Math.sqrt(variance + epsilon);
        double offset = call.input(2).doubleAt(channel) - mean * factor;
        VectorRows.scale(x, y, new Row(plane * length, length), (float) factor, (float) offset);
      }
    });
  }
}
