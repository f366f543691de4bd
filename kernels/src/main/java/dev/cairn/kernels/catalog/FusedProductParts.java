package dev.cairn.kernels.catalog;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.tensor.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The two calls that one of a {@link FusedProduct} stands for, as far as they are known before any memory exists.
 *
 * @param product the product alone; its result has the element type of its operands and the shape of all results
 * @param pointwise the program on that result and the other inputs
 */
public record FusedProductParts(FusedProduct fused, KernelSignature product, KernelSignature pointwise) {

  /** @throws IllegalArgumentException when the attributes are none of a fused product */
  public static FusedProductParts of(KernelSignature signature) {
    FusedProduct fused = FusedProduct.of(signature.attributes());
    List<Optional<TensorType>> inputs = signature.inputs();
    List<Optional<TensorType>> operands = inputs.subList(0, Math.min(FusedProduct.OPERANDS, inputs.size()));
    TensorType result = signature.output(0).withDType(signature.input(0).dtype());
    List<Optional<TensorType>> read = new ArrayList<>(List.of(Optional.of(result)));
    read.addAll(inputs.subList(operands.size(), inputs.size()));
    return new FusedProductParts(fused, new KernelSignature(operands, List.of(result), fused.attributes()),
      new KernelSignature(read, signature.outputs(), fused.program().attributes()));
  }

  /** What the product makes. */
  public TensorType result() {
    return product.output(0);
  }
}
