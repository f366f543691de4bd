package dev.cairn.kernels.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.cuda.kernel.NoDevice;
import dev.cairn.kernels.tensor.DType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * CUDA has a kernel for every operator and element type that the processor computes, or a list says why not. No other
 * test has a list of operators.
 */
class CudaRowsTest {
  private static final String LIST = "operators-without-cuda.txt";

  /** Reasons by operator. */
  private static Map<String, String> listed() throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (InputStream in = Objects.requireNonNull(CudaRowsTest.class.getResourceAsStream("/" + LIST))) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (!line.startsWith("#")) {
          String[] sides = line.split(": ", 2);
          assertThat(sides).as("operator and reason: " + line).hasSize(2);
          assertThat(all.put(sides[0], sides[1])).as("twice: " + line).isNull();
        }
      }
    }
    return all;
  }

  @Test
  void everyOperatorOfTheProcessorHasACudaKernelOrAReasonWhyNot() throws IOException {
    KernelCatalog processor = StandardKernels.catalog();
    KernelCatalog cuda = NoDevice.catalog();
    Map<String, Set<DType>> missing = new TreeMap<>();
    for (String operator : processor.operators()) {
      Set<DType> lacking = EnumSet.noneOf(DType.class);
      lacking.addAll(processor.dtypes(operator));
      // Narrow types and strings are for the processor only.
      lacking.retainAll(DType.COMPUTED);
      lacking.removeAll(cuda.dtypes(operator));
      if (!lacking.isEmpty()) {
        missing.put(operator, lacking);
      }
    }
    Map<String, String> listed = listed();
    Map<String, Set<DType>> unexplained = new TreeMap<>(missing);
    unexplained.keySet().removeAll(listed.keySet());
    assertThat(unexplained).as("no CUDA kernel: write one, or add a line \"OPERATOR: reason\" to "
      + "kernels/src/test/resources/" + LIST).isEmpty();
    Set<String> outdated = new TreeSet<>(listed.keySet());
    outdated.removeAll(missing.keySet());
    assertThat(outdated).as("CUDA has kernels for these: take them out of kernels/src/test/resources/" + LIST)
      .isEmpty();
  }
}
