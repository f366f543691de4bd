package dev.cairn.kernels.cpu.vector;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Packs the weights R of a recurrent network, {@code [direction,gate*hidden,hidden]}, as the vector kernel reads them:
 * {@code [direction][gate][block][depth][lane]}. A block is one vector of a gate's elements, the last one filled up
 * with zeros.
 */
record RecurrentPanels(int gates) implements Kernel {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  static int blocks(int hidden) {
    return Math.ceilDiv(hidden, LANES);
  }

  /** Bytes of the packed weights. */
  static long bytes(int directions, int gates, int hidden) {
    return (long) directions * gates * panelBytes(hidden) * blocks(hidden);
  }

  /** Bytes of one block of one gate. */
  static long panelBytes(int hidden) {
    return (long) hidden * LANES * Float.BYTES;
  }

  @Override
  public void run(KernelCall call) {
    Shape shape = call.input(0).shape();
    int hidden = Math.toIntExact(shape.extent(2));
    pack(call, call.input(0).segment(), shape.extent(0) * gates, hidden, call.output(0).segment());
  }

  /** @param gates the number of gates of all directions */
  static void pack(KernelCall call, MemorySegment from, long gates, int hidden, MemorySegment to) {
    int blocks = blocks(hidden);
    CpuStream.of(call).parallel(gates * blocks, 4, (first, end) -> {
      for (long panel = first; panel < end; panel++) {
        long row = panel / blocks * hidden;
        int element = (int) (panel % blocks) * LANES;
        int rows = Math.min(LANES, hidden - element);
        packOne(from, (row + element) * hidden, rows, hidden, to.asSlice(panel * panelBytes(hidden), panelBytes(
          hidden)));
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
