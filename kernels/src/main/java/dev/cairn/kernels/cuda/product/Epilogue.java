package dev.cairn.kernels.cuda.product;

import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;

/** The treatment of a product's results before they are stored: {@code RESULTS} of {@code tile.cuh}. */
public interface Epilogue {
  /** A function of a source of products, compiled for one element type and this epilogue. */
  CudaFunction function(String source, DType dtype, String name);

  /** Adds the arguments of {@code RESULTS}. */
  Launch.Builder added(Launch.Builder launch);
}
