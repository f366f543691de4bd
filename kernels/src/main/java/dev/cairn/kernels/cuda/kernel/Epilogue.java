package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.tensor.DType;

/** What becomes of a product's results as they are written: {@code RESULTS} of {@code tile.cuh}. */
interface Epilogue {
  /** A function of a source of products, compiled for elements of one type and for these results. */
  CudaFunction function(String source, DType dtype, String name);

  /** The arguments that stand for {@code RESULTS}. */
  Launch.Builder added(Launch.Builder launch);
}
