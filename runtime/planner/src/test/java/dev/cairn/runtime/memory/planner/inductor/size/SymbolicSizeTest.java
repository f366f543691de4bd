package dev.cairn.runtime.memory.planner.inductor.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

class SymbolicSizeTest {
  private static final SymbolicSize S0 = SymbolicSize.dimension("s0", 3);
  private static final SymbolicSize S1 = SymbolicSize.dimension("s1", 2);
  private static final SymbolicSize U0 = SymbolicSize.unbacked("u0");

  @Test
  void aFixedSizeIsItsBytes() {
    assertThat(SymbolicSize.of(0)).isEqualTo(SymbolicSize.ZERO).hasToString("0");
    assertThat(SymbolicSize.of(24)).hasToString("24").isEqualTo(SymbolicSize.of(20).plus(SymbolicSize.of(4)));
    assertThat(SymbolicSize.of(24).isFixed()).isTrue();
    assertThat(SymbolicSize.of(24).at(Map.of())).isEqualTo(24);
    assertThat(SymbolicSize.of(24).align(64)).isEqualTo(SymbolicSize.of(64));
    assertThatThrownBy(() -> SymbolicSize.of(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void equalWhateverTheOrderOfWriting() {
    SymbolicSize one = S0.times(S1).times(4).plus(S0).plus(SymbolicSize.of(7));
    SymbolicSize other = SymbolicSize.of(3).plus(S1.times(S0.times(2))).plus(S0).plus(S0.times(2).times(S1))
      .plus(SymbolicSize.of(4));
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other).hasToString("7 + s0 + 4*s0*s1");
  }

  @Test
  void dimensionsOfOneLengthStillDiffer() {
    SymbolicSize alike = SymbolicSize.dimension("s1", 3);
    assertThat(alike.hint()).isEqualTo(S0.hint());
    assertThat(alike).isNotEqualTo(S0);
  }

  @Test
  void writesTheUpstreamPoolsSize() {
    SymbolicSize pool = S0.times(S1).times(4).plus(S0.times(S0).times(4).align(64));
    assertThat(pool).hasToString("4*s0*s1 + align(4*s0*s0)");
    assertThat(pool.hint()).hasValue(88);
    assertThat(SymbolicSize.of(24).plus(S0.times(12).align(64))).hasToString("24 + align(12*s0)");
  }

  @Test
  void whatIsAMultipleAnywayIsNotPadded() {
    assertThat(S0.times(64).align(64)).isEqualTo(S0.times(64));
    assertThat(S0.times(12).align(64).align(64)).hasToString("align(12*s0)");
    assertThat(S0.times(12).align(64).times(S1).align(64)).hasToString("s1*align(12*s0)");
    assertThat(S0.times(12).align(64).align(256)).hasToString("align(align(12*s0), 256)");
    assertThat(S0.times(12).align(1)).isEqualTo(S0.times(12));
  }

  @Test
  void paddingASumLeavesItsMultiplesOutside() {
    SymbolicSize sum = S0.times(12).align(64).plus(S1.times(128)).plus(S1.times(S0)).plus(SymbolicSize.of(5));
    assertThat(sum.align(64)).hasToString("128*s1 + align(5 + s0*s1) + align(12*s0)");
    assertThat(S0.times(64).plus(SymbolicSize.of(5)).align(64)).hasToString("64 + 64*s0");
  }

  @Test
  void theGreatestIsLeftOpenOnlyWhereItIsOpen() {
    assertThat(SymbolicSize.max(List.of())).isEqualTo(SymbolicSize.ZERO);
    assertThat(SymbolicSize.max(List.of(S0.times(4), S0.times(8), SymbolicSize.ZERO))).isEqualTo(S0.times(8));
    assertThat(SymbolicSize.max(List.of(S0, S0.plus(S1), S1))).isEqualTo(S0.plus(S1));
    assertThat(SymbolicSize.max(List.of(S0, SymbolicSize.of(9), S1, SymbolicSize.of(7)))).hasToString("max(9, s0, s1)");
    assertThat(SymbolicSize.max(List.of(S1, S0))).isEqualTo(SymbolicSize.max(List.of(S0, S1)));
  }

  @Test
  void theGreatestKnowsThatPaddingKeepsTheOrder() {
    SymbolicSize padded = S0.times(12).align(64);
    assertThat(SymbolicSize.max(List.of(padded, S0.times(8).align(64), S0.times(12)))).isEqualTo(padded);
    assertThat(SymbolicSize.max(List.of(S0.times(64), S0.times(12).align(64)))).isEqualTo(S0.times(64));
    assertThat(SymbolicSize.max(List.of(padded, S0.times(13)))).hasToString("max(13*s0, align(12*s0))");
    SymbolicSize open = SymbolicSize.max(List.of(S0, S1));
    assertThat(SymbolicSize.max(List.of(open, S0, S1, open))).isEqualTo(open);
    assertThat(SymbolicSize.max(List.of(open, S0.plus(S1)))).isEqualTo(S0.plus(S1));
    assertThat(SymbolicSize.max(List.of(open, SymbolicSize.of(9)))).hasToString("max(9, s0, s1)");
  }

  @Test
  void anUnbackedDimensionHasNoHint() {
    assertThat(U0.times(4).plus(S0).hint()).isEmpty();
    assertThat(U0.align(64).hint()).isEmpty();
    assertThat(SymbolicSize.max(List.of(U0, S0)).hint()).isEmpty();
    assertThat(U0.times(4).at(Map.of("u0", 5L))).isEqualTo(20);
  }

  @Test
  void badDimensionsAndOverflowAreRefused() {
    assertThatThrownBy(() -> S0.at(Map.of("s1", 3L))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("name=s0");
    assertThatThrownBy(() -> S0.at(Map.of("s0", -3L))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> S0.at(Map.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SymbolicSize.dimension("s0", -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SymbolicSize.unbacked(" ")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> S0.align(3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> S0.times(4).at(Map.of("s0", Long.MAX_VALUE))).isInstanceOf(ArithmeticException.class);
  }

  /** Random expressions, built twice: as sizes, and as functions of the two dimensions. */
  @Test
  void meansWhatPlainArithmeticMeans() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<SymbolicSize> sizes = new ArrayList<>(List.of(S0, S1, SymbolicSize.of(random.nextInt(100))));
      long fixed = sizes.get(2).at(Map.of());
      List<ToLongFunction<long[]>> plain = new ArrayList<>(List.of(d -> d[0], d -> d[1], d -> fixed));
      for (int i = 0; i < 12; i++) {
        int a = random.nextInt(sizes.size());
        int b = random.nextInt(sizes.size());
        ToLongFunction<long[]> left = plain.get(a);
        ToLongFunction<long[]> right = plain.get(b);
        switch (random.nextInt(i < 4 ? 4 : 3)) {
          case 0 -> add(sizes, sizes.get(a).plus(sizes.get(b)), plain,
            d -> left.applyAsLong(d) + right.applyAsLong(d));
          case 1 -> add(sizes, SymbolicSize.max(List.of(sizes.get(a), sizes.get(b))), plain,
            d -> Math.max(left.applyAsLong(d), right.applyAsLong(d)));
          case 2 -> add(sizes, sizes.get(a).align(64), plain, d -> (left.applyAsLong(d) + 63) / 64 * 64);
          default -> add(sizes, sizes.get(a).times(sizes.get(b)), plain,
            d -> left.applyAsLong(d) * right.applyAsLong(d));
        }
      }
      for (long[] lengths : new long[][] {{3, 2}, {0, 0}, {1, 17}, {40, 5}}) {
        for (int i = 0; i < sizes.size(); i++) {
          assertThat(sizes.get(i).at(Map.of("s0", lengths[0], "s1", lengths[1])))
            .as("seed %d: %s", seed, sizes.get(i)).isEqualTo(plain.get(i).applyAsLong(lengths));
        }
      }
      sizes.forEach(size -> assertThat(size.hint()).hasValue(size.at(Map.of("s0", 3L, "s1", 2L))));
    }
  }

  private static void add(List<SymbolicSize> sizes, SymbolicSize size, List<ToLongFunction<long[]>> plain,
    ToLongFunction<long[]> function) {
    sizes.add(size);
    plain.add(function);
  }
}
