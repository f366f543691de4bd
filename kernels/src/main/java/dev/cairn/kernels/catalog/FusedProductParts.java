package dev.cairn.kernels.catalog;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.tensor.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The signatures of the two calls that a {@link FusedProduct} replaces.
 *
 * @param product the product alone. Its result has the element type of its operands and the shape of all results
 * @param pointwise the pointwise program over that result and the other inputs
 */
public record FusedProductParts(FusedProduct fused, KernelSignature product, KernelSignature pointwise) {

  /** @throws IllegalArgumentException if the attributes do not describe a fused product */
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

  /** The type of the product's result. */
  public TensorType result() {
    return product.output(0);
  }
}
