package dev.cairn.kernels.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cuda.kernel.NoDevice;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * CUDA has a kernel for every operator and element type that the processor computes, or a list says why not. No other
 * test has a list of operators.
 */
class CudaRowsTest {
  @Test
  void everyOperatorOfTheProcessorHasACudaKernelOrAReasonWhyNot() {
    KernelCatalog processor = StandardKernels.catalog();
    KernelCatalog cuda = NoDevice.catalog();
    for (String operator : processor.operators()) {
      Set<DType> lacking = EnumSet.noneOf(DType.class);
      lacking.addAll(processor.dtypes(operator));
      // Narrow types and strings are for the processor only.
      lacking.retainAll(DType.COMPUTED);
      lacking.removeAll(cuda.dtypes(operator));
      List<String> reasons = processor.rows(operator).stream().map(KernelRow::noCuda).filter(it -> !it.isEmpty())
        .toList();
      if (lacking.isEmpty()) {
        assertThat(reasons).as("CUDA has all kernels; withoutCuda of %s is outdated", operator).isEmpty();
      } else {
        assertThat(reasons).as("no CUDA kernel of %s for %s: write one, or say why not with withoutCuda in its row",
          operator, lacking).isNotEmpty();
      }
    }
  }
}
