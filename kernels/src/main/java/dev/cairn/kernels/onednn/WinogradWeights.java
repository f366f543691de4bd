package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel.Packing;
import dev.cairn.kernels.cpu.team.CpuStream;
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

  Packing packing() {
    return new Packing(TensorType.of(DType.UINT8, layout.bytes()), this);
  }

  @Override
  public void run(KernelCall call) {
    MemorySegment weights = call.input(0).segment();
    MemorySegment plain = call.workspace().asSlice(0, plainBytes());
    CpuStream.of(call).parallel(channels, 1, (first, end) -> {
      var block = new FilterBlock();
      for (long channel = first; channel < end; channel++) {
        for (int k = 0; k < filters; k += FilterBlock.FILTERS) {
          int count = Math.min(FilterBlock.FILTERS, filters - k);
          block.read(weights, k * (long) channels + channel, channels, count);
          block.write(plain, channel * filters + k, (long) channels * filters, count);
        }
      }
    });
    var type = TensorType.of(DType.FLOAT32, WinogradShape.POINTS, channels, filters);
    layout.packing(engine).kernel().run(new KernelCall(new TensorView[] {new TensorView(type, plain)},
      new TensorView[] {call.output(0)}, call.attributes(), call.workspace().asSlice(ProgramBuilder.aligned(
        plainBytes())),
      call.stream()));
  }

  /** The transform of some filters for one channel: loops over the filters, which the JVM makes vector code of. */
  private static final class FilterBlock {
    private static final int FILTERS = 64;
    private static final int SIDE = 6;
    private static final double ROOT = Math.sqrt(2);
    private static final double[][] TRANSFORM = {{1, 0, 0}, {-2 / 3d, -ROOT / 3, -1 / 3d}, {-2 / 3d, ROOT / 3,
      -1 / 3d}, {1 / 6d, ROOT / 6, 1 / 3d}, {1 / 6d, -ROOT / 6, 1 / 3d}, {0, 0, 1}};

    private final double[][] taps = new double[TAPS][FILTERS];
    private final double[][] half = new double[SIDE * 3][FILTERS];
    private final double[] sums = new double[FILTERS];
    private final float[] rounded = new float[FILTERS];

    /** @param at the first filter; the next ones lie {@code stride} filters apart */
    void read(MemorySegment weights, long at, long stride, int count) {
      for (int k = 0; k < count; k++) {
        for (int tap = 0; tap < TAPS; tap++) {
          taps[tap][k] = weights.getAtIndex(JAVA_FLOAT_UNALIGNED, (at + k * stride) * TAPS + tap);
        }
      }
      for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < 3; j++) {
          combine(TRANSFORM[i], taps[j], taps[3 + j], taps[6 + j], half[i * 3 + j]);
        }
      }
    }

    /** @param matrix elements from one of the 36 matrices to the next */
    void write(MemorySegment to, long at, long matrix, int count) {
      for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
          combine(TRANSFORM[j], half[i * 3], half[i * 3 + 1], half[i * 3 + 2], sums);
          for (int k = 0; k < FILTERS; k++) {
            rounded[k] = (float) sums[k];
          }
          MemorySegment.copy(rounded, 0, to, JAVA_FLOAT, ((i * SIDE + j) * matrix + at) * Float.BYTES, count);
        }
      }
    }

    private static void combine(double[] factors, double[] first, double[] second, double[] third, double[] sum) {
      double one = factors[0];
      double two = factors[1];
      double three = factors[2];
      for (int k = 0; k < FILTERS; k++) {
        sum[k] = one * first[k] + two * second[k] + three * third[k];
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
