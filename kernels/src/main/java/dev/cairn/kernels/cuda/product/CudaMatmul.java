package dev.cairn.kernels.cuda.product;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.attribute.MatrixProduct;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.kernel.Structures;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import java.util.List;

/**
 * {@code MatMul(a, b)} and {@code Gemm(a, b, c?)} with tiles in shared memory, for machines without cuBLAS and for
 * products that cuBLAS does not support. Sums of half types are {@code float}. Integers wrap.
 */
public final class CudaMatmul extends CudaProduct {
  public static final String SOURCE = "gemm.cu";
  private final boolean isGemm;

  private CudaMatmul(KernelLibrary library, boolean isGemm) {
    super(library);
    this.isGemm = isGemm;
  }

  /** {@code MatMul}. */
  public static CudaMatmul matmul(KernelLibrary library) {
    return new CudaMatmul(library, false);
  }

  /** {@code Gemm} with attributes {@code alpha}, {@code beta}, {@code transA}, {@code transB}. */
  public static CudaMatmul gemm(KernelLibrary library) {
    return new CudaMatmul(library, true);
  }

  private MatrixProduct product(Attributes attributes, Shape left, Shape right) {
    return isGemm ? MatrixProduct.ofGemm(attributes, left, right) : MatrixProduct.ofMatmul(left, right);
  }

  private TilePlan plan(MatrixProduct product, DType dtype) {
    return TilePlan.of(product.count(), product.rows(), product.columns(), product.depth(), dtype,
      library.device().properties().multiprocessors());
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    MatrixProduct product = product(signature.attributes(), signature.input(0).shape(), signature.input(1).shape());
    DType dtype = signature.output(0).dtype();
    return plan(product, dtype).workspaceBytes(dtype);
  }

  @Override
  public long workspaceBytesUpTo(KernelSignature signature) {
    MatrixProduct product = product(signature.attributes(), signature.input(0).shape(), signature.input(1).shape());
    DType dtype = signature.output(0).dtype();
    return plan(product, dtype).workspaceBytesUpTo(dtype, library.device().properties().multiprocessors());
  }

  @Override
  public Runnable prepare(KernelCall call, Attributes attributes, Epilogue results) {
    MatrixProduct product = product(attributes, call.input(0).shape(), call.input(1).shape());
    DType dtype = call.input(0).dtype();
    TilePlan plan = plan(product, dtype);
    TileFinish finish = finish(call, attributes);
    Shape addedShape = finish.adds() ? call.input(2).shape() : Shape.SCALAR;
    Launch tiles = results.added(finish.added(Launch.of(call, results.function(SOURCE, dtype, "products" + plan
      .byTiles()))
      .input(0)
      .input(1)))
      .value(plan.isParted() ? call.workspace().address() : 0)
      .structure(plan.bytes())
      .structure(strides(product, call, addedShape))
      .structure(finish.factors())
      .structure(BroadcastWalk.of(product.batchExtents(), product.leftBatchStrides(), product.rightBatchStrides())
        .bytes())
      .with(plan.shape());
    return plan.isParted()
      ? Launch.inOrder(List.of(tiles, finish.joined(SOURCE, results, call, plan, addedShape)))
      : tiles;
  }

  private TileFinish finish(KernelCall call, Attributes attributes) {
    if (!isGemm) {
      return new TileFinish(1, 0, false);
    }
    GemmForm form = GemmForm.of(attributes);
    return new TileFinish(form.alpha(), form.beta(), call.has(2) && form.beta() != 0);
  }

  /** The bytes of {@code struct Operands}. */
  private byte[] strides(MatrixProduct product, KernelCall call, Shape addedShape) {
    Layout added = isGemm
      ? Layout.rowMajor(addedShape).broadcastTo(call.output(0).shape())
      : Layout.strided(Shape.of(1, 1), 0, 0);
    return Structures.ofLongs(product.leftRowStride(), product.leftDepthStride(), product.rightColumnStride(),
      product.rightDepthStride(), added.stride(0), added.stride(1));
  }
}
