package dev.cairn.kernels.cuda.attention;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaProperties;
import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.tensor.DType;

/**
 * The distribution of an attention's work over blocks. Its numbers are those of the macros at the end of {@code
 * attention.cu} and {@code attention_tensor.cu}. Each block computes some queries of one head. Blocks compute fewer
 * queries if otherwise some multiprocessors would have no block. The result depends only on the device and the call, so
 * the same call gives the same bits.
 *
 * @param source the source of the function
 * @param function the function's name
 * @param queries the number of queries of a block
 * @param threads the number of threads of a block
 */
record AttentionBlocks(String source, String function, int queries, int threads) {
  private static final int SMALL = 64;
  private static final int MEDIUM = 128;
  /** The widest heads on tensor cores. Fragments of wider ones do not fit a thread's registers. */
  private static final int WIDEST_ON_TENSOR_CORES = MEDIUM;
  /** The first compute capability whose tensor cores support both half types. */
  private static final int FIRST_WITH_TENSOR_CORES = 8;
  private static final int FEW_QUERIES = 16;
  private static final int THREADS = 256;
  private static final int TENSOR_QUERIES = 64;
  private static final int TENSOR_THREADS = 128;

  /**
   * The blocks for a call.
   *
   * @param mayUseTensorCores whether to multiply half types on tensor cores, if the device has them
   */
  static AttentionBlocks of(AttentionHeads heads, DType dtype, CudaProperties device, boolean mayUseTensorCores) {
    int size = Math.max(heads.size(), heads.valueSize());
    int room = size <= SMALL ? SMALL : size <= MEDIUM ? MEDIUM : CudaAttention.MOST_SIZE;
    // This block serves even one query: a warp multiplies at least sixteen rows, but so do the other blocks, which are
    // slower.
    boolean onTensorCores = mayUseTensorCores && dtype.isHalf() && device.major() >= FIRST_WITH_TENSOR_CORES
      && size <= WIDEST_ON_TENSOR_CORES;
    return onTensorCores ? onTensorCores(heads, room, device) : plain(heads, room, dtype, device);
  }

  private static AttentionBlocks onTensorCores(AttentionHeads heads, int room, CudaProperties device) {
    boolean few = blocks(heads, TENSOR_QUERIES) < device.multiprocessors();
    return new AttentionBlocks("attention_tensor.cu", name("tensor_attention", few, room), few
      ? FEW_QUERIES
      : TENSOR_QUERIES, TENSOR_THREADS);
  }

  private static AttentionBlocks plain(AttentionHeads heads, int room, DType dtype, CudaProperties device) {
    int inFloat = room == SMALL ? 4 * FEW_QUERIES : room == MEDIUM ? 2 * FEW_QUERIES : FEW_QUERIES;
    int many = dtype == DType.FLOAT64 ? Math.max(FEW_QUERIES, inFloat / 2) : inFloat;
    // Two blocks with many queries fit a multiprocessor.
    boolean few = many == FEW_QUERIES || blocks(heads, many) < 2L * device.multiprocessors();
    return new AttentionBlocks("attention.cu", name("attention", few, room), few ? FEW_QUERIES : many, THREADS);
  }

  private static String name(String family, boolean few, int room) {
    return "%s_%s_%d".formatted(family, few ? "few" : "many", room);
  }

  private static long blocks(AttentionHeads heads, int queries) {
    return (long) heads.batch() * heads.heads() * Math.ceilDiv(heads.queries(), queries);
  }

  CudaFunction function(KernelLibrary library, DType dtype) {
    return library.function(source, dtype, function);
  }

  /** The shape of the launch. */
  LaunchShape shape(AttentionHeads heads) {
    return Grids.ofBlocks(blocks(heads, queries), threads);
  }
}
