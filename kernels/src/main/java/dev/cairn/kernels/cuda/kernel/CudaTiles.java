package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;

/**
 * A kernel that multiplies tile by tile, and whose results need not be stored as they are: an epilogue may come first.
 */
abstract class CudaTiles extends CudaKernel {
  CudaTiles(KernelLibrary library) {
    super(library);
  }

  @Override
  public final Runnable prepare(KernelCall call) {
    return prepare(call, call.attributes(), new StoredResults(library));
  }

  /**
   * The launches of a call that may have further inputs and results, for an epilogue.
   *
   * @param attributes of the product
   */
  abstract Runnable prepare(KernelCall call, Attributes attributes, TileResults results);
}
