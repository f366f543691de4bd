package dev.cairn.kernels.cuda.attention;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.util.List;
import java.util.Optional;

/**
 * {@code AttentionGradient(h, query, key, value, mask?)} for the calls that {@link CudaAttention} serves, with heads of
 * the same sizes. Scores are not stored. The first launch computes the gradient of the queries and, in the workspace,
 * three numbers for each query; the second computes the gradients of keys and values from them. Sums of half types are
 * {@code float}.
 */
public final class CudaAttentionGradient extends CudaKernel {
  private static final String SOURCE = "attention_gradient.cu";
  private static final int SMALL = 64;
  private static final int MEDIUM = 128;
  private static final int WIDE_TILE = 16;
  private static final int NARROW_TILE = 8;
  /** How many numbers each query has in the workspace: the fields of {@code struct Shares}. */
  private static final int NUMBERS = 3;

  private final Kernel forward;

  public CudaAttentionGradient(KernelLibrary library) {
    super(library);
    this.forward = new CudaAttention(library);
  }

  /** The attention whose gradient this is. */
  private static KernelSignature forward(KernelSignature signature) {
    List<Optional<TensorType>> inputs = signature.inputs();
    return new KernelSignature(inputs.subList(1, inputs.size()), List.of(signature.input(0)), signature.attributes());
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return forward.accepts(forward(signature));
  }

  private static AttentionHeads heads(KernelSignature signature) {
    return AttentionHeads.of(signature.attributes(), signature.input(1).shape(), signature.input(2).shape(), signature
      .input(3).shape());
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    AttentionHeads heads = heads(signature);
    return (long) NUMBERS * Double.BYTES * heads.batch() * heads.heads() * heads.queries();
  }

  @Override
  public Runnable prepare(KernelCall call) {
    AttentionHeads heads = heads(KernelSignature.of(call));
    DType dtype = call.input(0).dtype();
    int size = Math.max(heads.size(), heads.valueSize());
    int room = size <= SMALL ? SMALL : size <= MEDIUM ? MEDIUM : CudaAttention.MOST_SIZE;
    boolean isWide = room == SMALL || (room == MEDIUM && dtype != DType.FLOAT64);
    int tile = isWide ? WIDE_TILE : NARROW_TILE;
    TensorType mask = call.has(4) ? call.input(4).type() : TensorType.of(dtype);
    byte[] plan = CudaAttention.plan(heads, call.attributes(), mask);
    float scale = heads.scale(call.attributes());
    Launch queries = operands(call, dtype, "queries", room).output(0)
      .workspace(0)
      .structure(plan)
      .value(scale)
      .with(Grids.ofBlocks((long) heads.batch() * heads.heads() * Math.ceilDiv(heads.queries(), tile), tile * tile));
    Launch keys = operands(call, dtype, "keys", room).output(1)
      .output(2)
      .workspace(0)
      .structure(plan)
      .value(scale)
      .with(Grids.ofBlocks((long) heads.batch() * heads.keyHeads() * Math.ceilDiv(heads.keys(), tile), tile * tile));
    return Launch.inOrder(List.of(queries, keys));
  }

  private Launch.Builder operands(KernelCall call, DType dtype, String side, int room) {
    return Launch.of(call, library.function(SOURCE, dtype, "attention_gradient_%s_%d".formatted(side, room)))
      .input(0)
      .input(1)
      .input(2)
      .input(3)
      .input(4);
  }
}
