package dev.cairn.kernels.cuda.product;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;

/**
 * A product's kernel in CUDA C: with tiles, or without them if a group has few outputs. An epilogue may change the
 * results before they are stored.
 */
public abstract class CudaProduct extends CudaKernel {
  protected CudaProduct(KernelLibrary library) {
    super(library);
  }

  @Override
  public final Runnable prepare(KernelCall call) {
    return prepare(call, call.attributes(), new NoEpilogue(library));
  }

  /**
   * Prepares the launches of a call, which may have further inputs and results for an epilogue.
   *
   * @param attributes the product's attributes
   */
  public abstract Runnable prepare(KernelCall call, Attributes attributes, Epilogue results);
}
