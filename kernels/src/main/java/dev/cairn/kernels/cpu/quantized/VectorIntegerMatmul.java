package dev.cairn.kernels.cpu.quantized;

import static dev.cairn.kernels.cpu.vector.RegisterTile.COLUMNS;
import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.attribute.MatrixProduct;
import dev.cairn.kernels.attribute.QuantizedInputs;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.product.TiledOperands;
import dev.cairn.kernels.cpu.product.TiledProduct;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;

/**
 * Products of matrices of 8-bit whole numbers, as float products over blocks of the depth whose sums are exact. The
 * left matrices are converted into the workspace, the right ones while they are packed.
 *
 * <pre> workspace: | tiled product | left matrices as floats | sums, if the result is quantised again | </pre>
 */
public final class VectorIntegerMatmul implements Kernel {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final long ALIGNMENT = 64;
  private static final long GRAIN = 1 << 14;

  private final QuantizedInputs inputs;

  public VectorIntegerMatmul(QuantizedInputs inputs) {
    this.inputs = inputs;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    MatrixProduct product = product(signature);
    long columns = product.columns();
    boolean isOneMatrix = signature.input(inputs.right()).shape().elementCount() == product.depth() * columns;
    return ByteLanes.EXIST && product.depth() > 0 && count(signature, inputs.leftZero()) == 1 && count(signature,
      inputs.leftScale()) == 1 && count(signature, inputs.scale()) == 1 && count(signature, inputs.zero()) == 1
      && (isOneMatrix || (count(signature, inputs.rightScale()) == 1 && count(signature, inputs.rightZero()) == 1));
  }

  private static long count(KernelSignature signature, int input) {
    return signature.has(input) ? signature.input(input).shape().elementCount() : 1;
  }

  MatrixProduct product(KernelSignature signature) {
    return MatrixProduct.ofMatmul(signature.input(inputs.left()).shape(), signature.input(inputs.right()).shape());
  }

  private static TiledProduct.Size size(MatrixProduct product) {
    return new TiledProduct.Size(product.count(), product.rows(), product.columns(), product.depth(),
      WholeOperands.EXACT_TERMS);
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return leftStart(product(signature)) + leftBytes(signature.input(inputs.left()).shape().elementCount()) + (inputs
      .scale() == QuantizedInputs.NONE ? 0 : signature.output(0).shape().elementCount() * Integer.BYTES);
  }

  private static long leftStart(MatrixProduct product) {
    return TiledProduct.workspaceBytes(size(product));
  }

  private static long leftBytes(long elements) {
    return Math.ceilDiv(elements * Float.BYTES, ALIGNMENT) * ALIGNMENT;
  }

  @Override
  public void run(KernelCall call) {
    TensorView a = call.input(inputs.left());
    MatrixProduct product = product(KernelSignature.of(call));
    var numbers = new QuantizedNumbers(call, inputs);
    MemorySegment left = call.workspace().asSlice(leftStart(product), leftBytes(a.elementCount()));
    var meaning = ByteLanes.Meaning.of(a.dtype(), numbers.leftZero(0), 1);
    CpuStream.of(call).parallel(a.elementCount(), GRAIN, (first, end) -> ByteLanes.widen(a.segment(), first, end
      - first, meaning, left, first * Float.BYTES));
    MemorySegment sums = inputs.scale() == QuantizedInputs.NONE
      ? call.output(0).segment()
      : call.workspace().asSlice(leftStart(product) + left.byteSize());
    TiledProduct.run(call, size(product), new WholeOperands(new Matrices(product, left, call.input(inputs.right()),
      numbers), sums));
    IntegerFinish.ofColumns(call, inputs, new IntegerFinish.Sums(sums, false, (long) product.count() * product.rows(),
      product.columns()));
  }

  /** The left matrices as floats, and the right ones as they are. */
  private static final class Matrices implements TiledOperands {
    private final MatrixProduct product;
    private final MemorySegment left;
    private final MemorySegment right;
    private final byte turn;
    private final float[] zeros;

    Matrices(MatrixProduct product, MemorySegment left, TensorView right, QuantizedNumbers numbers) {
      this.product = product;
      this.left = left;
      this.right = right.segment();
      this.turn = ByteLanes.turn(right.dtype());
      DType dtype = right.dtype();
      this.zeros = new float[Math.ceilDiv(product.columns(), COLUMNS) * COLUMNS];
      for (int j = 0; j < product.columns(); j++) {
        zeros[j] = ByteLanes.zero(dtype, numbers.rightZero(j));
      }
    }

    @Override
    public MemorySegment left() {
      return left;
    }

    @Override
    public long leftRowBytes() {
      return product.leftRowStride() * Float.BYTES;
    }

    @Override
    public long leftStart(int index) {
      return product.leftStart(index) * Float.BYTES;
    }

    @Override
    public MemorySegment output() {
      throw new AssertionError("the caller of the integer product knows its output");
    }

    @Override
    public long outputStart(int index) {
      return (long) index * product.rows() * product.columns() * Integer.BYTES;
    }

    @Override
    public float start(int index, int row) {
      return 0;
    }

    @Override
    public void pack(int index, int column, Depths depths, MemorySegment target, long targetStart) {
      long start = product.rightStart(index) + column + depths.first() * product.rightDepthStride();
      long to = targetStart;
      if (column + COLUMNS <= product.columns()) {
        FloatVector first = FloatVector.fromArray(SPECIES, zeros, column);
        FloatVector second = FloatVector.fromArray(SPECIES, zeros, column + LANES);
        for (int k = 0; k < depths.count(); k++) {
          long from = start + k * product.rightDepthStride();
          ByteLanes.load(right, from, turn).sub(first).intoMemorySegment(target, to, ORDER);
          ByteLanes.load(right, from + LANES, turn).sub(second).intoMemorySegment(target, to + LANES * 4L, ORDER);
          to += COLUMNS * 4L;
        }
        return;
      }
      int count = product.columns() - column;
      for (int k = 0; k < depths.count(); k++) {
        for (int j = 0; j < COLUMNS; j++) {
          float value = j < count
            ? ByteLanes.get(right, start + k * product.rightDepthStride() + j, turn) - zeros[column + j]
            : 0;
          target.set(FLOAT, to + j * 4L, value);
        }
        to += COLUMNS * 4L;
      }
    }
  }
}
