package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Tries a product of bytes on the largest of them, in a few kilobytes of memory that are returned at once. */
final class IntegerProbe {
  private static final int EXTENT = 64;
  private static final TensorType LEFT = TensorType.of(DType.UINT8, EXTENT, EXTENT);
  private static final TensorType RIGHT = TensorType.of(DType.INT8, EXTENT, EXTENT);
  private static final TensorType SUMS = TensorType.of(DType.INT32, EXTENT, EXTENT);

  private IntegerProbe() {}

  /** Whether a kernel of {@code MatMulInteger} adds products without saturating in between. */
  static boolean isExact(Kernel kernel) {
    var signature = KernelSignature.of(List.of(LEFT, RIGHT), List.of(SUMS), Attributes.NONE);
    if (!kernel.accepts(signature)) {
      return false;
    }
    try (var device = new CpuDevice(1); var arena = Arena.ofConfined()) {
      var a = new TensorView(LEFT, arena.allocate(LEFT.bytes(), 64).fill((byte) 0xff));
      var b = new TensorView(RIGHT, arena.allocate(RIGHT.bytes(), 64).fill(Byte.MAX_VALUE));
      var y = new TensorView(SUMS, arena.allocate(SUMS.bytes(), 64));
      MemorySegment workspace = arena.allocate(kernel.workspaceBytes(signature), 64);
      kernel.run(new KernelCall(new TensorView[] {a, b}, new TensorView[] {y}, Attributes.NONE, workspace, device
        .defaultStream()));
      for (long i = 0; i < y.elementCount(); i++) {
        if (y.longAt(i) != 255L * Byte.MAX_VALUE * EXTENT) {
          return false;
        }
      }
      return true;
    }
  }
}
