package dev.cairn.kernels.cpu.recurrent;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Packs the weights W or R of a recurrent network, {@code [direction,gate*hidden,depth]}, as the vector kernel reads
 * them: {@code [direction][gate][block][depth][lane]}. A block is one vector of a gate's elements, the last one filled
 * up with zeros.
 */
record RecurrentPanels(int gates) implements Kernel {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  static int blocks(int hidden) {
    return Math.ceilDiv(hidden, LANES);
  }

  /** Bytes of the packed weights. */
  long bytes(Shape weights) {
    return weights.extent(0) * gates * panelBytes(weights.extent(2)) * blocks(hidden(weights));
  }

  private int hidden(Shape weights) {
    return Math.toIntExact(weights.extent(1) / gates);
  }

  /** Bytes of one block of one gate. */
  static long panelBytes(long depth) {
    return depth * LANES * Float.BYTES;
  }

  @Override
  public void run(KernelCall call) {
    pack(CpuStream.of(call), call.input(0), call.output(0).segment());
  }

  void pack(CpuStream stream, TensorView weights, MemorySegment to) {
    int hidden = hidden(weights.shape());
    int depth = Math.toIntExact(weights.shape().extent(2));
    int blocks = blocks(hidden);
    long bytes = panelBytes(depth);
    stream.parallel(weights.shape().extent(0) * gates * blocks, 4, (first, end) -> {
      for (long panel = first; panel < end; panel++) {
        int element = (int) (panel % blocks) * LANES;
        long row = panel / blocks * hidden + element;
        packOne(weights.segment(), row * depth, Math.min(LANES, hidden - element), depth, to.asSlice(panel * bytes,
          bytes));
      }
    });
  }

  private static void packOne(MemorySegment from, long at, int rows, int depth, MemorySegment to) {
    for (int lane = 0; lane < LANES; lane++) {
      for (int k = 0; k < depth; k++) {
        float value = lane < rows ? from.get(FLOAT, (at + (long) lane * depth + k) * Float.BYTES) : 0;
        to.set(FLOAT, ((long) k * LANES + lane) * Float.BYTES, value);
      }
    }
  }
}
