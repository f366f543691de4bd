package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;

/**
 * A product's kernel in CUDA C, by tiles or, where a group has few outputs, without. Its results need not be stored as
 * they are: an epilogue may come first.
 */
abstract class CudaProduct extends CudaKernel {
  CudaProduct(KernelLibrary library) {
    super(library);
  }

  @Override
  public final Runnable prepare(KernelCall call) {
    return prepare(call, call.attributes(), new NoEpilogue(library));
  }

  /**
   * The launches of a call that may have further inputs and results, for an epilogue.
   *
   * @param attributes of the product
   */
  abstract Runnable prepare(KernelCall call, Attributes attributes, Epilogue results);
}
