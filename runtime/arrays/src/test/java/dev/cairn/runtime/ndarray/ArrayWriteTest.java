package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.expression.Index;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A-2 views, A-4 in place, A-13 memory without a copy. */
class ArrayWriteTest extends ArrayContract {
  @Test
  void aWriteThroughAViewShowsInAllOfThem() {
    NDArray x = counting(4, 3);
    NDArray rows = x.rows(1, 3);
    NDArray row = x.view(Index.at(1));
    rows.muli(10);
    assertThat(row.toFloatArray()).containsExactly(30, 40, 50);
    assertThat(x.toFloatArray()).containsExactly(0, 1, 2, 30, 40, 50, 60, 70, 80, 9, 10, 11);
    assertThatThrownBy(() -> x.view(Index.all(), Index.at(0))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("use get");
  }

  @Test
  void inPlaceArithmeticIsWhatItIsElsewhere() {
    NDArray x = floats(1, 2, 3);
    x.addi(x).muli(3).subi(2).divi(floats(2, 5, 4)).powi(2);
    assertThat(x.toFloatArray()).containsExactly(4, 4, 16);
  }

  @Test
  void aResultOfAnotherTypeIsRefusedAndChangesNothing() {
    NDArray x = floats(1, 2, 3);
    assertThatThrownBy(() -> x.addi(counting(2, 3))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "float32[2x3]");
    assertThatThrownBy(() -> x.inPlace("Equal", x)).isInstanceOf(IllegalArgumentException.class);
    assertThat(x.toFloatArray()).containsExactly(1, 2, 3);
  }

  @Test
  void operandsThatOverlapWhatIsWrittenAreCopiedFirst() {
    NDArray x = counting(5);
    x.rows(1, 5).addi(x.rows(0, 4));
    assertThat(x.toFloatArray()).containsExactly(0, 1, 3, 5, 7);
    NDArray y = counting(4);
    y.rows(0, 3).copyFrom(y.rows(1, 4));
    assertThat(y.toFloatArray()).containsExactly(1, 2, 3, 3);
    NDArray table = counting(2, 2);
    table.inPlace("MatMul", table);
    assertThat(table.toFloatArray()).containsExactly(2, 3, 6, 11);
    NDArray one = counting(3);
    one.addi(one.rows(2, 3));
    assertThat(one.toFloatArray()).containsExactly(2, 3, 4);
    NDArray reversed = counting(4);
    reversed.set(reversed.get("::-1"));
    reversed.set(reversed, Index.parse("..."));
    assertThat(reversed.toFloatArray()).containsExactly(3, 2, 1, 0);
    reversed.set(reversed.rows(0, 2), Index.parse("1:3"));
    assertThat(reversed.toFloatArray()).containsExactly(3, 3, 2, 0);
  }

  @Test
  void fillAndCopyOverwrite() {
    NDArray x = counting(2, 2);
    assertThat(x.fill(7).toFloatArray()).containsOnly(7);
    x.rows(1, 2).fill(-1);
    assertThat(x.toFloatArray()).containsExactly(7, 7, -1, -1);
    x.copyFrom(arrays.of(new int[] {1, 2, 3, 4}, 2, 2));
    assertThat(x.toFloatArray()).containsExactly(1, 2, 3, 4);
    assertThat(x.copyFrom(x).toFloatArray()).containsExactly(1, 2, 3, 4);
    assertThatThrownBy(() -> x.copyFrom(counting(4))).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void earlierReadsSeeOldValuesAndLaterReadsNewOnes() {
    NDArray x = arrays.zeros(DType.FLOAT32, 1000);
    NDArray[] seen = new NDArray[50];
    for (int i = 0; i < seen.length; i++) {
      seen[i] = x.add(0);
      x.addi(1);
    }
    for (int i = 0; i < seen.length; i++) {
      assertThat(seen[i].toFloatArray()).containsOnly(i);
    }
  }

  @Test
  void wrappedMemoryIsSharedWithTheCaller() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1, 2, 3);
      NDArray x = arrays.wrap(memory, DType.FLOAT32, 3);
      assertThat(arrays.stats().memory().allocationCount()).isZero();
      x.addi(1);
      x.waitToWrite();
      assertThat(memory.getAtIndex(ValueLayout.JAVA_FLOAT, 2)).isEqualTo(4);
      x.close();
      arrays.waitAll();
    }
  }

  @Test
  void memoryThatCannotBeSharedIsRefused() {
    try (Arena shared = Arena.ofShared(); Arena own = Arena.ofConfined()) {
      MemorySegment memory = shared.allocate(16, 16);
      assertThatThrownBy(() -> arrays.wrap(memory, DType.FLOAT32, 3)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> arrays.wrap(memory.asSlice(2, 4), DType.FLOAT32, 1)).hasMessageContaining("alignment");
      assertThatThrownBy(() -> arrays.wrap(own.allocate(4, 4), DType.FLOAT32, 1)).hasMessageContaining("ofShared");
      assertThatThrownBy(() -> arrays.wrap(MemorySegment.ofArray(new float[1]), DType.FLOAT32, 1)).hasMessageContaining(
        "native");
      assertThatThrownBy(() -> arrays.wrap(memory.asReadOnly(), DType.FLOAT32, 4)).hasMessageContaining("wrapReadOnly");
      NDArray fixed = arrays.wrapReadOnly(memory.asReadOnly(), DType.FLOAT32, 4);
      assertThatThrownBy(() -> fixed.addi(1)).hasMessageContaining("read-only");
      assertThatThrownBy(() -> fixed.reshape(2, 2).fill(1)).hasMessageContaining("read-only");
      assertThatThrownBy(() -> fixed.write(_ -> {})).hasMessageContaining("read-only");
      assertThat(fixed.add(1).toFloatArray()).containsOnly(1);
      fixed.close();
      arrays.waitAll();
    }
  }

  @Test
  void theCallerReadsAndWritesInTheOrderOfOperations() {
    NDArray x = arrays.zeros(DType.FLOAT32, 3);
    x.addi(1);
    x.write(segment -> segment.setAtIndex(ValueLayout.JAVA_FLOAT, 1, 5));
    x.muli(2);
    assertThat(x.<Float>read(segment -> segment.getAtIndex(ValueLayout.JAVA_FLOAT, 1))).isEqualTo(10f);
    assertThat(x.toFloatArray()).containsExactly(2, 10, 2);
    assertThatThrownBy(() -> x.read(segment -> {
      segment.setAtIndex(ValueLayout.JAVA_FLOAT, 0, 1);
      return 0;
    })).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aLaterWriteWaitsForTheCallersRead() {
    NDArray x = floats(1);
    float before = x.read(segment -> {
      if (!isNaive()) {
        x.addi(1);
      }
      return segment.getAtIndex(ValueLayout.JAVA_FLOAT, 0);
    });
    assertThat(before).isEqualTo(1);
    assertThat(x.item()).isEqualTo(isNaive() ? 1 : 2);
  }

  @Test
  void aWaitWithinAnAccessIsRefused() {
    NDArray x = floats(1);
    assertThatThrownBy(() -> x.read(_ -> x.item())).isInstanceOf(IllegalStateException.class).hasMessageContaining(
      "never end");
    assertThatThrownBy(() -> x.read(_ -> {
      arrays.waitAll();
      return 0;
    })).isInstanceOf(IllegalStateException.class);
    assertThat(x.<String>read(_ -> x.toString())).isEqualTo("float32[1] cpu");
    assertThat(x.item()).isEqualTo(1);
  }

  @Test
  void constantsAreReadOnly() {
    NDArray one = floats(1).scalar(1);
    assertThatThrownBy(() -> one.addi(1)).hasMessageContaining("read-only");
    NDArray alias = arrays.apply("Identity", Attributes.NONE, 1, List.of(one)).get(0);
    assertThatThrownBy(() -> alias.fill(1)).hasMessageContaining("read-only");
    one.close();
    assertThat(alias.item()).isEqualTo(1);
  }
}
