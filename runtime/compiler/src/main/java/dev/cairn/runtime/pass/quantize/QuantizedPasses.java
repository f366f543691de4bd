package dev.cairn.runtime.pass.quantize;

import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.runtime.pass.Pass;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Which fusions of quantised operators to make.
 *
 * @param moves whether operators that only move elements move quantised ones
 * @param pairs whether to remove the quantisation of a tensor that was quantised alike before
 * @param products whether products between dequantised operands and a quantised result become products of whole
 *   numbers; results may then differ by one unit
 * @param tables whether functions of one quantised tensor become tables of 256 bytes
 * @param operators whether sums, products of elements, averages and softmax between quantised tensors become one node;
 *   averages and softmax may then differ by one unit
 * @param dynamicProducts whether products of operands that are quantised when the model runs become one node
 * @param weights whether products with constant weights of few bits read them as they are, instead of as real numbers
 */
public record QuantizedPasses(boolean moves, boolean pairs, boolean products, boolean tables,
  boolean operators, boolean dynamicProducts, boolean weights) {
  public static final QuantizedPasses ALL = new QuantizedPasses(true, true, true, true, true, true,
    true);
  public static final QuantizedPasses NONE = new QuantizedPasses(false, false, false, false, false,
    false, false);

  /**
   * The passes, in order. They come before constants are folded, which would make real weights of quantised ones.
   *
   * @param serves whether the device has a kernel for an operator with these types
   */
  public List<Pass> passes(BiPredicate<String, KernelSignature> serves) {
    List<Pass> passes = new ArrayList<>();
    if (moves) {
      passes.add(new MoveQuantizedPass());
    }
    if (pairs) {
      passes.add(new RemoveQuantizePairsPass());
    }
    if (products) {
      passes.add(new FuseQuantizedProductPass());
    }
    if (tables) {
      passes.add(new FuseByteTablePass(serves));
    }
    if (operators) {
      passes.add(new FuseQuantizedOperatorPass(serves));
    }
    if (dynamicProducts) {
      passes.add(new FuseDynamicProductPass());
    }
    if (weights) {
      passes.add(new FuseWeightOnlyPass(serves));
    }
    return passes;
  }
}
