package dev.cairn.kernels.cuda.attention;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.AttentionForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.kernel.Structures;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * {@code Attention(query, key, value, mask?)} for heads of up to {@value #MOST_SIZE} elements, without storing scores.
 * A block computes some queries of a head. Sums of half types are {@code float}. On tensor cores, the exponentials of
 * scores are rounded to the half type before they are multiplied with the values.
 */
public final class CudaAttention extends CudaKernel {
  /** The widest supported head; half of it for {@code double}. */
  public static final int MOST_SIZE = 256;

  private final boolean mayUseTensorCores;

  public CudaAttention(KernelLibrary library) {
    this(library, true);
  }

  /** @param mayUseTensorCores whether to multiply half types on tensor cores, if the device has them */
  public CudaAttention(KernelLibrary library, boolean mayUseTensorCores) {
    super(library);
    this.mayUseTensorCores = mayUseTensorCores;
  }

  private static AttentionHeads heads(Attributes attributes, List<Shape> operands) {
    return AttentionHeads.of(attributes, operands.get(0), operands.get(1), operands.get(2));
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    if (!AttentionForm.isPlain(signature)) {
      return false;
    }
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
    AttentionBlocks blocks = AttentionBlocks.of(heads, dtype, library.device().properties(), mayUseTensorCores);
    return Launch.of(call, blocks.function(library, dtype))
      .input(0)
      .input(1)
      .input(2)
      .input(3)
      .output(0)
      .structure(plan(heads, call.attributes(), call.has(3) ? call.input(3).type() : TensorType.of(dtype)))
      .value(heads.scale(call.attributes()))
      .with(blocks.shape(heads));
  }

  /**
   * The bytes of {@code struct AttentionPlan}.
   *
   * @param mask its type; a scalar's without a mask
   */
  static byte[] plan(AttentionHeads heads, Attributes attributes, TensorType mask) {
    Layout stretched = heads.mask(mask.shape());
    List<Long> fields = new ArrayList<>(LongStream.of(heads.batch(), heads.heads(), heads.keyHeads(), heads.queries(),
      heads.keys(), heads.size(), heads.valueSize(), AttentionHeads.isCausal(attributes) ? 1 : 0,
      mask.dtype() == DType.BOOL ? 1 : 0, AttentionHeads.isNanWhenMasked(attributes) && heads.keys() > 0
        ? 1
        : 0)
      .boxed().toList());
    for (AttentionHeads.Rows rows : List.of(heads.query(), heads.key(), heads.value(), heads.result())) {
      fields.addAll(List.of(rows.batchStride(), rows.headStride(), rows.rowStride()));
    }
    LongStream.of(stretched.strides()).forEach(fields::add);
    return Structures.ofLongs(fields.stream().mapToLong(Long::longValue).toArray());
  }
}
