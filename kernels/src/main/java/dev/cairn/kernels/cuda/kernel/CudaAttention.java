package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * {@code Attention(query, key, value, mask?)} for heads of up to {@value #MOST_SIZE} elements, without scores in
 * memory; a block takes some queries of a head. Half types are computed in {@code float}.
 */
public final class CudaAttention extends CudaKernel {
  /** The widest head that there is a kernel for; half of it for {@code double}. */
  public static final int MOST_SIZE = 256;
  private static final int SMALL = 64;
  private static final int MEDIUM = 128;
  private static final int THREADS = 256;
  private static final int FEW_QUERIES = 16;

  public CudaAttention(KernelLibrary library) {
    super(library);
  }

  private static AttentionHeads heads(Attributes attributes, List<Shape> operands) {
    return AttentionHeads.of(attributes, operands.get(0), operands.get(1), operands.get(2));
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    AttentionHeads heads = heads(signature.attributes(), List.of(signature.input(0).shape(), signature.input(1).shape(),
      signature.input(2).shape()));
    int most = signature.input(0).dtype() == DType.FLOAT64 ? MOST_SIZE / 2 : MOST_SIZE;
    return Math.max(heads.size(), heads.valueSize()) <= most;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    AttentionHeads heads = heads(call.attributes(), List.of(call.input(0).shape(), call.input(1).shape(), call.input(2)
      .shape()));
    DType dtype = call.output(0).dtype();
    int size = Math.max(heads.size(), heads.valueSize());
    int room = size <= SMALL ? SMALL : size <= MEDIUM ? MEDIUM : MOST_SIZE;
    int many = manyQueries(room, dtype);
    // Blocks of few queries, until the device has two of many for each multiprocessor.
    boolean few = many == FEW_QUERIES || blocks(heads, many) < 2L * library.device().properties().multiprocessors();
    String function = "attention_%s_%d".formatted(few ? "few" : "many", room);
    return Launch.of(call, library.function("attention.cu", dtype, function))
      .input(0)
      .input(1)
      .input(2)
      .input(3)
      .output(0)
      .structure(plan(call, heads))
      .value(heads.scale(call.attributes()))
      .with(Grids.ofBlocks(blocks(heads, few ? FEW_QUERIES : many), THREADS));
  }

  /** As the macros in {@code attention.cu} say. */
  private static int manyQueries(int room, DType dtype) {
    int inFloat = room == SMALL ? 4 * FEW_QUERIES : room == MEDIUM ? 2 * FEW_QUERIES : FEW_QUERIES;
    return dtype == DType.FLOAT64 ? Math.max(FEW_QUERIES, inFloat / 2) : inFloat;
  }

  private static long blocks(AttentionHeads heads, int queries) {
    return (long) heads.batch() * heads.heads() * Math.ceilDiv(heads.queries(), queries);
  }

  /** As {@code struct AttentionPlan}. */
  private static byte[] plan(KernelCall call, AttentionHeads heads) {
    TensorType mask = call.has(3) ? call.input(3).type() : new TensorType(call.output(0).dtype(), Shape.SCALAR);
    Layout stretched = heads.mask(mask.shape());
    List<Long> fields = new ArrayList<>(LongStream.of(heads.batch(), heads.heads(), heads.keyHeads(), heads.queries(),
      heads.keys(), heads.size(), heads.valueSize(), AttentionHeads.isCausal(call.attributes()) ? 1 : 0,
      mask.dtype() == DType.BOOL ? 1 : 0).boxed().toList());
    for (AttentionHeads.Rows rows : List.of(heads.query(), heads.key(), heads.value(), heads.result())) {
      fields.addAll(List.of(rows.batchStride(), rows.headStride(), rows.rowStride()));
    }
    LongStream.of(stretched.strides()).forEach(fields::add);
    return Structures.ofLongs(fields.stream().mapToLong(Long::longValue).toArray());
  }
}
