package dev.cairn.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.family.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** CUDA has a kernel for every operator and element type that the processor has one for. */
class CudaCatalogTest {
  @Test
  void nothingThatTheProcessorServesIsMissing() {
    KernelCatalog processor = StandardKernels.catalog();
    Map<String, Set<DType>> missing = new TreeMap<>();
    try (var twins = CudaTwins.open()) {
      for (String operator : processor.operators()) {
        Set<DType> lacking = EnumSet.noneOf(DType.class);
        lacking.addAll(processor.dtypes(operator));
        lacking.removeAll(twins.catalog().dtypes(operator));
        if (!lacking.isEmpty()) {
          missing.put(operator, lacking);
        }
      }
    }
    assertThat(missing).isEmpty();
  }
}
