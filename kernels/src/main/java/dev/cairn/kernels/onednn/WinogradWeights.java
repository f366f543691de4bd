package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel.Packing;
import dev.cairn.kernels.cpu.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;

/**
 * Transforms weights {@code K,C,3,3} for Winograd's algorithm to 36 matrices {@code C,K}, and packs these.
 *
 * @param layout of the 36 matrices, row-major and packed
 */
record WinogradWeights(OneDnnEngine engine, int channels, int filters, PackedLayout layout) implements Kernel {
  private static final int TAPS = 9;
  private static final int SIDE = 6;
  private static final double ROOT = Math.sqrt(2);
  private static final double[][] TRANSFORM = {{1, 0, 0}, {-2 / 3d, -ROOT / 3, -1 / 3d}, {-2 / 3d, ROOT / 3, -1 / 3d},
    {1 / 6d, ROOT / 6, 1 / 3d}, {1 / 6d, -ROOT / 6, 1 / 3d}, {0, 0, 1}};

  Packing packing() {
    return new Packing(TensorType.of(DType.UINT8, layout.bytes()), this);
  }

  @Override
  public void run(KernelCall call) {
    MemorySegment weights = call.input(0).segment();
    MemorySegment plain = call.workspace().asSlice(0, plainBytes());
    CpuStream.of(call).parallel(channels, 1, (first, end) -> {
      var filter = new double[TAPS];
      var half = new double[SIDE * 3];
      for (long channel = first; channel < end; channel++) {
        for (long k = 0; k < filters; k++) {
          for (int tap = 0; tap < TAPS; tap++) {
            filter[tap] = weights.getAtIndex(JAVA_FLOAT_UNALIGNED, (k * channels + channel) * TAPS + tap);
          }
          transform(filter, half, plain, channel * filters + k);
        }
      }
    });
    var type = TensorType.of(DType.FLOAT32, WinogradShape.POINTS, channels, filters);
    layout.packing(engine).kernel().run(new KernelCall(new TensorView[] {new TensorView(type, plain)},
      new TensorView[] {call.output(0)}, call.attributes(), call.workspace().asSlice(ProgramBuilder.aligned(
        plainBytes())),
      call.stream()));
  }

  private void transform(double[] filter, double[] half, MemorySegment to, long at) {
    for (int i = 0; i < SIDE; i++) {
      double[] row = TRANSFORM[i];
      for (int j = 0; j < 3; j++) {
        half[i * 3 + j] = row[0] * filter[j] + row[1] * filter[3 + j] + row[2] * filter[6 + j];
      }
    }
    long matrix = (long) channels * filters;
    for (int i = 0; i < SIDE; i++) {
      for (int j = 0; j < SIDE; j++) {
        double[] row = TRANSFORM[j];
        double sum = row[0] * half[i * 3] + row[1] * half[i * 3 + 1] + row[2] * half[i * 3 + 2];
        to.setAtIndex(JAVA_FLOAT, (i * SIDE + j) * matrix + at, (float) sum);
      }
    }
  }

  private long plainBytes() {
    return (long) WinogradShape.POINTS * channels * filters * Float.BYTES;
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return ProgramBuilder.aligned(plainBytes()) + layout.packing(engine).kernel().workspaceBytes(signature);
  }

  /** Packings that write the same bytes are equal: a session stores the constant once for all of them. */
  @Override
  public boolean equals(Object other) {
    return other instanceof WinogradWeights that && engine.equals(that.engine) && channels == that.channels
      && filters == that.filters && layout.isSameAs(that.layout, engine.calls());
  }

  @Override
  public int hashCode() {
    return Long.hashCode(layout.bytes());
  }
}
