package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** W-1 and W-5: temporary memory and random numbers of functions, and temporary memory of kernels. */
class ArrayResourcesTest extends ArrayContract {
  private static final TensorType NUMBERS = TensorType.of(DType.FLOAT64, 5);

  private double[] drawn() {
    return arrays.call("draws", List.of(), List.of(NUMBERS), 0, (operands, results, resources) -> {
      double[] numbers = new double[5];
      resources.uniform(numbers);
      for (int i = 0; i < 5; i++) {
        results.get(0).segment().setAtIndex(ValueLayout.JAVA_DOUBLE, i, numbers[i]);
      }
    }).get(0).toDoubleArray();
  }

  /** Calls wait for each other through their operand, so that one block serves them all. */
  @Test
  void callsOneAfterTheOtherShareTemporaryMemory() {
    Set<Long> addresses = new HashSet<>();
    NDArray x = floats(1, 2);
    for (int i = 0; i < 20; i++) {
      x = arrays.call("scratch", List.of(x), List.of(x.type()), 5000, (operands, results, resources) -> {
        assertThat(resources.scratch().byteSize()).isEqualTo(5000);
        assertThat(resources.scratch().address() % 64).isZero();
        addresses.add(resources.scratch().fill((byte) 1).address());
        results.get(0).segment().copyFrom(operands.get(0).segment());
      }).get(0);
      assertThat(x.toFloatArray()).containsExactly(1, 2);
    }
    assertThat(addresses).hasSize(1);
    long held = arrays.stats().memory().bytesInUse();
    arrays.trim();
    assertThat(held - arrays.stats().memory().bytesInUse()).as("given back").isGreaterThanOrEqualTo(5000);
    assertThatThrownBy(() -> arrays.call("scratch", List.of(), List.of(NUMBERS), -1, (a, b, c) -> {}))
      .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSeedDecidesTheNumbersOfCalls() {
    arrays.random().seed(5);
    double[] first = drawn();
    double[] second = drawn();
    arrays.random().seed(5);
    assertThat(drawn()).isEqualTo(first).isNotEqualTo(second);
    assertThat(drawn()).isEqualTo(second);
    assertThat(arrays.random().save()).containsExactly(5, 2);
  }
}
