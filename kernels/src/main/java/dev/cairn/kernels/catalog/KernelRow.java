package dev.cairn.kernels.catalog;

import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.Set;

/**
 * One row of the catalog: a kernel for an operator and some element types.
 *
 * @param operator the operator's name in graphs
 * @param twin distinguishes the kernels for the same operator
 * @param decides the operand whose element type must be in {@code dtypes}
 * @param dtypes strings only where the kernel is a {@link StringKernel}
 * @param noCuda of a row for the processor: why CUDA has no kernel for some of its element types; empty if it has them
 */
public record KernelRow(String operator, Twin twin, Decides decides, Set<DType> dtypes, Kernel kernel, String noCuda) {
  /** A kernel that may be written. */
  public static final String NO_CUDA_YET = "not written yet";
  /** A kernel that would not spare the host the wait. */
  public static final String VALUES_DECIDE = "the number of results depends on values, for which the host must wait";

  public KernelRow {
    var served = EnumSet.copyOf(dtypes);
    if (!(kernel instanceof StringKernel)) {
      served.remove(DType.STRING);
    }
    dtypes = Set.copyOf(served);
  }

  public KernelRow(String operator, Twin twin, Decides decides, Set<DType> dtypes, Kernel kernel) {
    this(operator, twin, decides, dtypes, kernel, "");
  }

  /** The same row of an operator that CUDA lacks for some of these element types, for a reason. */
  public KernelRow withoutCuda(String reason) {
    return new KernelRow(operator, twin, decides, dtypes, kernel, reason);
  }

  /** A row of Cairn's own CUDA C, selected by the first input. */
  public static KernelRow cuda(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.CUDA, Decides.FIRST_INPUT, dtypes, kernel);
  }

  /** One of several kernels for the same operator. The catalog prefers the latest constant that accepts a call. */
  public enum Twin {
    /** Plain Java: the reference for all others. */
    PORTABLE,
    /** The Vector API. */
    VECTOR,
    /** oneDNN. */
    ONEDNN,
    /** Cairn's own CUDA C. */
    CUDA,
    /** A library of the device's vendor. */
    CUDA_LIBRARY,
    /** The fastest of those by measurement on this device, or the one that the library recommends. */
    MEASURED
  }

  /** The operand whose element type selects the kernel. */
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
    return dtypes.contains(dtype) && (kernel instanceof StringKernel || !signature.hasStrings())
      && kernel.accepts(signature);
  }
}
