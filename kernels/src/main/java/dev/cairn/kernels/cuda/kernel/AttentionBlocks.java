package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaProperties;
import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.kernels.tensor.DType;

/**
 * How blocks share the work of an attention, by the same numbers as the macros at the end of {@code attention.cu} and
 * {@code attention_tensor.cu}: each takes some queries of one head. Where a device has more multiprocessors than there
 * are blocks of many queries, blocks take few. The same on the same device, so that the same call gives the same bits.
 *
 * @param source in which the function is
 * @param function its name
 * @param queries that a block takes
 * @param threads of a block
 */
record AttentionBlocks(String source, String function, int queries, int threads) {
  private static final int SMALL = 64;
  private static final int MEDIUM = 128;
  /** The widest heads on tensor cores; fragments of wider ones are more than a thread's registers. */
  private static final int WIDEST_ON_TENSOR_CORES = MEDIUM;
  /** The first compute capability whose tensor cores take both half types. */
  private static final int FIRST_WITH_TENSOR_CORES = 8;
  private static final int FEW_QUERIES = 16;
  private static final int THREADS = 256;
  private static final int TENSOR_QUERIES = 64;
  private static final int TENSOR_THREADS = 128;

  /**
   * The blocks for a call.
   *
   * @param mayUseTensorCores whether half types are multiplied on tensor cores, where the device has them
   */
  static AttentionBlocks of(AttentionHeads heads, DType dtype, CudaProperties device, boolean mayUseTensorCores) {
    int size = Math.max(heads.size(), heads.valueSize());
    int room = size <= SMALL ? SMALL : size <= MEDIUM ? MEDIUM : CudaAttention.MOST_SIZE;
    // One query, too: a warp multiplies sixteen rows at least, but so do the other blocks, and more slowly.
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
    // Of many, two fit a multiprocessor.
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

  /** The launch's shape. */
  LaunchShape shape(AttentionHeads heads) {
    return Grids.ofBlocks(blocks(heads, queries), threads);
  }
}
