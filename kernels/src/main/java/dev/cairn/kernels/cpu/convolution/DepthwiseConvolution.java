package dev.cairn.kernels.cpu.convolution;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.SlicedTasks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/** Convolution in which each output channel reads a single input channel: no product of matrices, but a few taps. */
final class DepthwiseConvolution {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  /** Output rows that are summed side by side, to hide the latency of the multiply-add. */
  private static final int ABREAST = 4;
  private static final long SMALL_TERMS = 1 << 16;

  private final MemorySegment weights;
  private final MemorySegment output;
  private final ImageWindow window;
  private final PaddedPlane plane;
  private final long[] taps;

  private DepthwiseConvolution(KernelCall call, ImageWindow window) {
    this.weights = call.input(1).segment();
    this.output = call.output(0).segment();
    this.window = window;
    this.plane = new PaddedPlane(window, 0);
    this.taps = plane.tapStarts();
  }

  static long workspaceBytes(ImageWindow window) {
    return SlicedTasks.workspaceBytes(new PaddedPlane(window, 0).bytes());
  }

  static long workspaceBytesUpTo(ImageWindow window) {
    return SlicedTasks.workspaceBytes(new PaddedPlane(window, 0).bytesUpTo());
  }

  static void run(KernelCall call, ConvolutionGroups groups, ImageWindow window) {
    var depthwise = new DepthwiseConvolution(call, window);
    long planes = (long) groups.batch() * groups.outputs();
    boolean small = planes * window.outputs() * window.taps() < SMALL_TERMS;
    MemorySegment input = call.input(0).segment();
    SlicedTasks.run(call, planes, depthwise.plane.bytes(), small, (task, slice) -> {
      int channel = (int) (task % groups.outputs());
      long from = groups.inputChannel((int) (task / groups.outputs()), channel, 0) * window.inputs() * Float.BYTES;
      float bias = call.has(2) ? call.input(2).segment().get(FLOAT, (long) channel * Float.BYTES) : 0;
      int bandRows = depthwise.plane.bandRows();
      for (int row = 0; row < window.outputHeight(); row += bandRows) {
        int end = Math.min(window.outputHeight(), row + bandRows);
        depthwise.plane.copyBand(input, from, row, end, slice);
        for (int y = row; y < end; y += ABREAST) {
          long to = (task * window.outputHeight() + y) * window.outputWidth() * Float.BYTES;
          depthwise.addRows(slice, new Band(y - row, Math.min(ABREAST, end - y)), channel, bias, to);
        }
      }
    });
  }

  /** Up to {@link #ABREAST} output rows, counted from the start of the band in scratch memory. */
  private record Band(int row, int rows) {}

  private void addRows(MemorySegment slice, Band band, int channel, float bias, long to) {
    long w = (long) channel * taps.length * Float.BYTES;
    long s0 = plane.rowStart(band.row);
    long s1 = plane.rowStart(band.row + Math.min(1, band.rows - 1));
    long s2 = plane.rowStart(band.row + Math.min(2, band.rows - 1));
    long s3 = plane.rowStart(band.row + Math.min(3, band.rows - 1));
    long rowBytes = (long) window.outputWidth() * Float.BYTES;
    for (int x = 0; x < window.outputWidth(); x += LANES) {
      FloatVector sum0 = FloatVector.broadcast(SPECIES, bias);
      FloatVector sum1 = FloatVector.broadcast(SPECIES, bias);
      FloatVector sum2 = FloatVector.broadcast(SPECIES, bias);
      FloatVector sum3 = FloatVector.broadcast(SPECIES, bias);
      for (int tap = 0; tap < taps.length; tap++) {
        long at = taps[tap] + 4L * x;
        FloatVector weight = FloatVector.broadcast(SPECIES, weights.get(FLOAT, w + 4L * tap));
        sum0 = FloatVector.fromMemorySegment(SPECIES, slice, s0 + at, ORDER).fma(weight, sum0);
        sum1 = FloatVector.fromMemorySegment(SPECIES, slice, s1 + at, ORDER).fma(weight, sum1);
        sum2 = FloatVector.fromMemorySegment(SPECIES, slice, s2 + at, ORDER).fma(weight, sum2);
        sum3 = FloatVector.fromMemorySegment(SPECIES, slice, s3 + at, ORDER).fma(weight, sum3);
      }
      VectorMask<Float> mask = SPECIES.indexInRange(x, window.outputWidth());
      long target = to + 4L * x;
      // Rows are written from the last to the first. Rows past the end have the last row's address, which is written
      // last.
      int last = band.rows - 1;
      sum3.intoMemorySegment(output, target + Math.min(3, last) * rowBytes, ORDER, mask);
      sum2.intoMemorySegment(output, target + Math.min(2, last) * rowBytes, ORDER, mask);
      sum1.intoMemorySegment(output, target + Math.min(1, last) * rowBytes, ORDER, mask);
      sum0.intoMemorySegment(output, target, ORDER, mask);
    }
  }
}
