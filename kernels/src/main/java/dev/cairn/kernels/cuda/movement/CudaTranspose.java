package dev.cairn.kernels.cuda.movement;

import dev.cairn.kernels.attribute.BlockForm;
import dev.cairn.kernels.attribute.TransposeForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import java.util.stream.IntStream;

/**
 * Operators that permute axes: {@code Transpose}, {@code DepthToSpace}, {@code SpaceToDepth}. Permutations that only
 * transpose matrices use tiles. All others copy element by element.
 */
public final class CudaTranspose extends CudaKernel {
  private static final int TILE = 32;
  private static final int TILE_ROWS = 8;

  private final Reading reading;

  /** The way to read an operator's input, and the order in which its axes are written. */
  private interface Reading {
    Order of(KernelCall call);
  }

  private static final class Order {
    final Shape shape;
    final int[] axes;

    Order(Shape shape, int... axes) {
      this.shape = shape;
      this.axes = axes;
    }
  }

  private CudaTranspose(KernelLibrary library, Reading reading) {
    super(library);
    this.reading = reading;
  }

  /** Output axis {@code i} is input axis {@code perm[i]}; without {@code perm}, the axes are reversed. */
  public static CudaTranspose transpose(KernelLibrary library) {
    return new CudaTranspose(library, call -> {
      Shape shape = call.input(0).shape();
      long[] perm = TransposeForm.of(call.attributes()).order(shape.rank());
      return new Order(shape, IntStream.range(0, shape.rank()).map(i -> shape.axis(perm[i])).toArray());
    });
  }

  /** Blocks of {@code blocksize²} channels become squares of pixels. */
  public static CudaTranspose depthToSpace(KernelLibrary library) {
    return new CudaTranspose(library, call -> {
      Shape x = call.input(0).shape();
      long block = BlockForm.of(call.attributes()).size();
      long channels = x.extent(1) / (block * block);
      String mode = BlockForm.of(call.attributes()).mode();
      return switch (mode) {
        case "DCR" -> new Order(Shape.of(x.extent(0), block, block, channels, x.extent(2), x.extent(3)), 0, 3, 4, 1, 5,
          2);
        case "CRD" -> new Order(Shape.of(x.extent(0), channels, block, block, x.extent(2), x.extent(3)), 0, 1, 4, 2, 5,
          3);
        default -> throw new IllegalArgumentException("no such mode: operator=DepthToSpace mode=" + mode);
      };
    });
  }

  /** Squares of {@code blocksize²} pixels become channels. */
  public static CudaTranspose spaceToDepth(KernelLibrary library) {
    return new CudaTranspose(library, call -> {
      Shape x = call.input(0).shape();
      long block = BlockForm.of(call.attributes()).size();
      return new Order(Shape.of(x.extent(0), x.extent(1), x.extent(2) / block, block, x.extent(3) / block, block), 0, 3,
        5, 1, 2, 4);
    });
  }

  @Override
  public Runnable prepare(KernelCall call) {
    Order order = reading.of(call);
    Layout source = Layout.rowMajor(order.shape).permuted(order.axes);
    long[] matrices = matrices(order);
    if (matrices.length > 0) {
      return turned(call, matrices[0], matrices[1], matrices[2]);
    }
    return new StridedMove(source.shape(), 0, source, 0, Layout.rowMajor(source.shape())).launch(library, call, 0, 0);
  }

  /** Matrices, rows and columns, if some last axes change places with those just before them; otherwise empty. */
  private static long[] matrices(Order order) {
    int rank = order.axes.length;
    int first = 0;
    while (first < rank && order.axes[first] == first) {
      first++;
    }
    for (int cut = first + 1; cut < rank; cut++) {
      boolean turns = true;
      for (int i = first; i < rank; i++) {
        turns &= order.axes[i] == (i - first + cut < rank ? i - first + cut : i - (rank - cut));
      }
      long rows = order.shape.elementCount(first, cut);
      long columns = order.shape.elementCount(cut, rank);
      if (turns && rows >= TILE_ROWS && columns >= TILE_ROWS) {
        return new long[] {order.shape.elementCount(0, first), rows, columns};
      }
    }
    return new long[0];
  }

  private Launch turned(KernelCall call, long matrices, long rows, long columns) {
    long tiles = matrices * Math.ceilDiv(rows, TILE) * Math.ceilDiv(columns, TILE);
    int blocks = Grids.ofBlocks(tiles, TILE).gridX();
    return Launch.of(call, library.function("movement.cu", CudaElementTypes.moved(call.input(0).dtype()), "transpose"))
      .input(0)
      .output(0)
      .value(matrices)
      .value(rows)
      .value(columns)
      .with(new LaunchShape(blocks, 1, 1, TILE, TILE_ROWS, 1, 0));
  }
}
