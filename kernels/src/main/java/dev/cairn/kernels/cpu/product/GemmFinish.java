package dev.cairn.kernels.cpu.product;

import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;

/**
 * The last part of {@code Gemm}, after the product: {@code y = alpha * y + beta * c}, where {@code c} is stretched to
 * {@code y}.
 */
final class GemmFinish {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final long GRAIN = 1 << 15;

  private GemmFinish() {}

  static void run(KernelCall call) {
    Shape shape = call.output(0).shape();
    GemmForm form = GemmForm.of(call.attributes());
    float alpha = form.alpha();
    float beta = form.beta();
    boolean adds = call.has(2) && beta != 0;
    if (!adds && alpha == 1) {
      return;
    }
    MemorySegment added = call.input(adds ? 2 : 0).segment();
    Layout layout = Layout.rowMajor(adds ? call.input(2).shape() : Shape.SCALAR).broadcastTo(shape);
    int columns = Math.toIntExact(shape.extent(1));
    CpuStream.of(call).parallel(shape.extent(0), Math.ceilDiv(GRAIN, columns + 1), (first, end) -> {
      for (long row = first; row < end; row++) {
        MemorySegment y = call.output(0).segment();
        long at = row * columns * Float.BYTES;
        long from = row * layout.stride(0) * Float.BYTES;
        if (layout.stride(1) == 1) {
          addRow(y, at, columns, alpha, added.asSlice(from), beta);
        } else {
          addValue(y, at, columns, alpha, adds ? beta * added.get(FLOAT, from) : 0);
        }
      }
    });
  }

  private static void addRow(MemorySegment y, long at, int columns, float alpha, MemorySegment added, float beta) {
    int whole = SPECIES.loopBound(columns);
    for (int j = 0; j < whole; j += SPECIES.length()) {
      long shift = (long) j * Float.BYTES;
      FloatVector scaled = FloatVector.fromMemorySegment(SPECIES, y, at + shift, ORDER).mul(alpha);
      FloatVector.fromMemorySegment(SPECIES, added, shift, ORDER).fma(FloatVector.broadcast(SPECIES, beta), scaled)
        .intoMemorySegment(y, at + shift, ORDER);
    }
    for (int j = whole; j < columns; j++) {
      long shift = (long) j * Float.BYTES;
      y.set(FLOAT, at + shift, Math.fma(added.get(FLOAT, shift), beta, y.get(FLOAT, at + shift) * alpha));
    }
  }

  private static void addValue(MemorySegment y, long at, int columns, float alpha, float value) {
    int whole = SPECIES.loopBound(columns);
    for (int j = 0; j < whole; j += SPECIES.length()) {
      long shift = at + (long) j * Float.BYTES;
      FloatVector.fromMemorySegment(SPECIES, y, shift, ORDER).mul(alpha).add(value).intoMemorySegment(y, shift, ORDER);
    }
    for (int j = whole; j < columns; j++) {
      long shift = at + (long) j * Float.BYTES;
      y.set(FLOAT, shift, y.get(FLOAT, shift) * alpha + value);
    }
  }
}
