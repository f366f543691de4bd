package dev.cairn.kernels.catalog;

import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.Set;

/**
 * One row of the catalog: this kernel serves this operator for these element types.
 *
 * @param operator the operator's name, as in the graph
 * @param twin which of the kernels for the same operator this is
 * @param decides the operand whose element type is looked up in {@code dtypes}
 */
public record KernelRow(String operator, Twin twin, Decides decides, Set<DType> dtypes, Kernel kernel) {
  public KernelRow {
    dtypes = Set.copyOf(EnumSet.copyOf(dtypes));
  }

  /** Which kernel of several for the same work; a later one is preferred where it accepts the call. */
  public enum Twin {
    /** Plain Java: the truth that the others are compared with. */
    PORTABLE,
    /** The Vector API. */
    VECTOR,
    /** oneDNN. */
    ONEDNN,
    /** CUDA C of ours. */
    CUDA,
    /** A library of the device's maker. */
    CUDA_LIBRARY,
    /** Whichever of those was fastest when they were tried on this device, or a library's by its own advice. */
    MEASURED
  }

  /** The operand whose element type chooses the kernel. */
  public enum Decides {
    FIRST_INPUT,
    SECOND_INPUT,
    FIRST_OUTPUT
  }

  boolean serves(KernelSignature signature) {
    DType dtype = switch (decides) {
      case FIRST_INPUT -> signature.input(0).dtype();
      case SECOND_INPUT -> signature.input(1).dtype();
      case FIRST_OUTPUT -> signature.output(0).dtype();
    };
    return dtypes.contains(dtype) && kernel.accepts(signature);
  }
}
