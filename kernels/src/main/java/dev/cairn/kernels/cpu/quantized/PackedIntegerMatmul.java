package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.MatrixProduct;
import dev.cairn.kernels.attribute.QuantizedInputs;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.catalog.PlannedKernel.Packing;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Products of quantised matrices with constant weights, over a kernel that multiplies plain matrices of bytes. It gets
 * weights of {@code int8}; the zero points come in afterwards, by the sums of the weights' columns, which are packed
 * with them, and of the left matrix's rows:
 *
 * <pre> sum (a - za)(b - zb) = sum a b - za sum b - zb sum a + depth za zb </pre>
 *
 * All other calls run as {@link VectorIntegerMatmul}. Not used where the plain kernel saturates sums of pairs, as
 * instructions of older processors do.
 */
public final class PackedIntegerMatmul implements Kernel {
  /** Below so many terms a call costs more than it saves. */
  private static final long FEW_TERMS = 1 << 15;
  private static final int MOST_DEPTH = 1 << 16;

  private final QuantizedInputs inputs;
  private final Kernel plain;
  private final VectorIntegerMatmul otherwise;
  private @Nullable Boolean exact;

  /** @param plain multiplies matrices of 8-bit whole numbers, of which the right one is of {@code int8} */
  public PackedIntegerMatmul(QuantizedInputs inputs, Kernel plain) {
    this.inputs = inputs;
    this.plain = plain;
    this.otherwise = new VectorIntegerMatmul(inputs);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    if (!otherwise.accepts(signature)) {
      return false;
    }
    MatrixProduct product = otherwise.product(signature);
    return signature.input(inputs.right()).shape().rank() == 2 && product.count() == 1 && product.depth() <= MOST_DEPTH
      && (long) product.rows() * product.columns() * product.depth() >= FEW_TERMS && plain.accepts(plain(signature))
      && isExact();
  }

  private KernelSignature plain(KernelSignature signature) {
    MatrixProduct product = otherwise.product(signature);
    return KernelSignature.of(List.of(TensorType.of(signature.input(inputs.left()).dtype(), product.rows(), product
      .depth()), TensorType.of(DType.INT8, product.depth(), product.columns())), List.of(TensorType.of(DType.INT32,
        product.rows(), product.columns())),
      Attributes.NONE);
  }

  /** Whether sums of the largest products are right. */
  private synchronized boolean isExact() {
    Boolean known = exact;
    if (known == null) {
      known = IntegerProbe.isExact(plain);
      exact = known;
    }
    return known;
  }

  @Override
  public void run(KernelCall call) {
    otherwise.run(call);
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return otherwise.workspaceBytes(signature);
  }

  @Override
  public boolean servesSmallerCalls() {
    return false;
  }

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    if (!constants.contains(inputs.right())) {
      return new PlannedKernel(otherwise, Map.of());
    }
    PlannedKernel inner = plain.planned(plain(signature), Set.of(1));
    Packing weights = inner.packed().get(1);
    DType dtype = signature.input(inputs.right()).dtype();
    var packed = new PackedWeights(weights == null ? null : weights.kernel(), plain(signature).input(1), weights == null
      ? plain(signature).input(1).bytes()
      : weights.type().bytes(), ByteLanes.turn(dtype));
    return new PlannedKernel(new Planned(inputs, inner.kernel(), plain(signature), packed), Map.of(inputs.right(),
      new Packing(packed.type(), packed)));
  }

  /**
   * Packs weights, followed by the sums of their columns.
   *
   * @param kernel packs plain {@code int8} weights; null where they stay as they are
   */
  private record PackedWeights(@Nullable Kernel kernel, TensorType plain, long bytes, byte turn) implements Kernel {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final long ALIGNMENT = 64;

    TensorType type() {
      return TensorType.of(DType.UINT8, sumsStart() + plain.shape().extent(1) * Integer.BYTES);
    }

    private static long aligned(long bytes) {
      return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
    }

    private long sumsStart() {
      return aligned(bytes);
    }

    /** The weights as the kernel reads them. */
    TensorView weights(TensorView packed) {
      return new TensorView(TensorType.of(DType.UINT8, bytes), packed.segment().asSlice(0, bytes));
    }

    int[] columnSums(TensorView packed) {
      int[] sums = new int[(int) plain.shape().extent(1)];
      MemorySegment.copy(packed.segment(), INT, sumsStart(), sums, 0, sums.length);
      return sums;
    }

    @Override
    public long workspaceBytes(KernelSignature signature) {
      long own = aligned(plain.bytes());
      return kernel == null ? own : own + kernel.workspaceBytes(signature);
    }

    @Override
    public void run(KernelCall call) {
      MemorySegment from = call.input(0).segment();
      MemorySegment to = call.output(0).segment().fill((byte) 0);
      MemorySegment turned = call.workspace().asSlice(0, plain.bytes());
      int columns = (int) plain.shape().extent(1);
      int[] sums = new int[columns];
      for (long i = 0; i < plain.bytes(); i++) {
        byte value = (byte) (from.get(ValueLayout.JAVA_BYTE, i) ^ turn);
        turned.set(ValueLayout.JAVA_BYTE, i, value);
        sums[(int) (i % columns)] += value;
      }
      MemorySegment.copy(sums, 0, to, INT, sumsStart(), columns);
      if (kernel == null) {
        MemorySegment.copy(turned, 0, to, 0, bytes);
      } else {
        var target = new TensorView(TensorType.of(DType.UINT8, bytes), to.asSlice(0, bytes));
        kernel.run(new KernelCall(new TensorView[] {new TensorView(plain, turned)}, new TensorView[] {target},
          Attributes.NONE, call.workspace().asSlice(aligned(plain.bytes())), call.stream()));
      }
    }
  }

  /** This kernel for the calls of one step, with packed weights. */
  private record Planned(QuantizedInputs inputs, Kernel plain, KernelSignature sums, PackedWeights weights)
    implements
      Kernel {
    @Override
    public long workspaceBytes(KernelSignature signature) {
      return sumsStart() + (inputs.scale() == QuantizedInputs.NONE ? 0 : sums.output(0).bytes());
    }

    private long sumsStart() {
      return PackedWeights.aligned(plain.workspaceBytes(sums));
    }

    @Override
    public boolean servesSmallerCalls() {
      return false;
    }

    @Override
    public void run(KernelCall call) {
      try (var once = new Step(this, call)) {
        once.run();
      }
    }

    @Override
    public Runnable prepare(KernelCall call) {
      return new Step(this, call);
    }
  }

  /** One call of the planned kernel, ready to run. */
  private static final class Step implements Runnable, AutoCloseable {
    private final Planned kernel;
    private final KernelCall call;
    private final KernelCall inner;
    private final Runnable product;

    Step(Planned kernel, KernelCall call) {
      this.kernel = kernel;
      this.call = call;
      this.inner = new KernelCall(new @Nullable TensorView[] {null, null}, new @Nullable TensorView[] {null},
        Attributes.NONE, call.workspace().asSlice(0, kernel.sumsStart()), call.stream());
      this.product = kernel.plain.prepare(inner);
    }

    @Override
    public void run() {
      QuantizedInputs inputs = kernel.inputs;
      TensorView left = call.input(inputs.left());
      TensorType sums = kernel.sums.output(0);
      MemorySegment place = inputs.scale() == QuantizedInputs.NONE
        ? call.output(0).segment()
        : call.workspace().asSlice(kernel.sumsStart(), sums.bytes());
      inner.bindInput(0, new TensorView(kernel.sums.input(0), left.segment()));
      inner.bindInput(1, kernel.weights.weights(call.input(inputs.right())));
      inner.bindOutput(0, new TensorView(sums, place));
      product.run();
      int columns = (int) sums.shape().extent(1);
      IntegerFinish.ofColumns(call, inputs, new IntegerFinish.Sums(place, false, sums.shape().extent(0), columns),
        offsets(left, columns));
    }

    private IntegerOffsets offsets(TensorView left, int columns) {
      QuantizedInputs inputs = kernel.inputs;
      int leftZero = call.has(inputs.leftZero()) ? (int) call.input(inputs.leftZero()).longAt(0) : 0;
      return new IntegerOffsets(left, leftZero, (int) kernel.sums.input(0).shape().extent(1), rightZeros(columns),
        kernel.weights.columnSums(call.input(inputs.right())));
    }

    /** The zero points of the columns of the weights as they are packed. */
    private int[] rightZeros(int columns) {
      int input = kernel.inputs.rightZero();
      int[] zeros = new int[columns];
      boolean isOne = call.has(input) && call.input(input).elementCount() == 1;
      Arrays.fill(zeros, kernel.weights.turn + (isOne ? (int) call.input(input).longAt(0) : 0));
      if (call.has(input) && !isOne) {
        TensorView each = call.input(input);
        Arrays.setAll(zeros, j -> kernel.weights.turn + (int) each.longAt(j));
      }
      return zeros;
    }

    @Override
    public void close() {
      if (product instanceof AutoCloseable closeable) {
        try {
          closeable.close();
        } catch (Exception e) {
          throw new IllegalStateException("a prepared product cannot be closed", e);
        }
      }
    }
  }
}
