package dev.cairn.runtime.operator;

import dev.cairn.kernels.catalog.KernelSignature;

/** Says how many floating-point operations one use of an operator takes. */
@FunctionalInterface
public interface WorkRule {
  /** One operation for each element of the first result. */
  WorkRule ELEMENTS = use -> use.output(0).shape().elementCount();

  /** The operations of a use with these types and attributes. */
  long operations(KernelSignature use);
}
