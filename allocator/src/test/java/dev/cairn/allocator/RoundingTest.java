package dev.cairn.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundingTest implements Rounds {
  private static final long MIB = 1L << 20;

  @ParameterizedTest
  @CsvSource({"1, 4096", "4095, 4096", "4096, 4096", "4097, 4352", "2097152, 2097152", "2097153, 4194304",
    "4194304, 4194304", "4194305, 6291456"})
  void naiveIsAtLeastAPageAndInStepsOfTwoMebibytesAboveThem(long bytes, long rounded) {
    assertThat(Rounding.naive().round(bytes)).isEqualTo(rounded);
  }

  @ParameterizedTest
  @CsvSource({"1, 4096", "32, 4096", "4096, 4096", "4097, 8192", "8192, 8192", "2097153, 4194304", "3145728, 4194304",
    "16777216, 16777216", "16777217, 33554432", "33554433, 50331648"})
  void powersOfTwoGoUpToTheCutoffAndMultiplesOfItFromThere(long bytes, long rounded) {
    assertThat(Rounding.powerOfTwo().round(bytes)).isEqualTo(rounded);
  }

  @ParameterizedTest
  @CsvSource({"20, 1048577, 2097152", "20, 2097153, 3145728", "34, 17179869183, 17179869184",
    "34, 17179869185, 34359738368", "34, 8589934593, 17179869184"})
  void theCutoffIsSettable(int cutoff, long bytes, long rounded) {
    assertThat(new Rounding.PowerOfTwo(4096, cutoff).round(bytes)).isEqualTo(rounded);
  }

  @ParameterizedTest
  @CsvSource({"256, 1, 256", "256, 257, 512", "768, 769, 1536", "10240, 10240, 10240", "10240, 10241, 20480"})
  void multiplesAreOfAnyUnit(long unitBytes, long bytes, long rounded) {
    assertThat(Rounding.multipleOf(unitBytes).round(bytes)).isEqualTo(rounded);
  }

  @Test
  void whateverIsRoundedIsNotLessAndStaysWhenRoundedAgain() {
    Random random = new Random(11);
    List<Rounding> all = List.of(Rounding.naive(), new Rounding.Naive(256, 768), Rounding.powerOfTwo(),
      new Rounding.PowerOfTwo(256, 20), new Rounding.PowerOfTwo(1L << 34, 34), Rounding.multipleOf(256),
      Rounding.multipleOf(3 * 256), Rounding.multipleOf(1L << 61));
    for (int i = 0; i < rounds(200_000); i++) {
      long bytes = 1 + (random.nextLong() >>> (2 + random.nextInt(60))) % Rounding.MAXIMUM_BYTES;
      for (Rounding rounding : all) {
        long rounded = rounding.round(bytes);
        assertThat(rounded).isGreaterThanOrEqualTo(bytes);
        assertThat(rounded % 256).isZero();
        assertThat(bytes < 2 || rounding.round(bytes - 1) <= rounded).isTrue();
        if (rounded <= Rounding.MAXIMUM_BYTES) {
          assertThat(rounding.round(rounded)).isEqualTo(rounded);
        }
      }
    }
  }

  @Test
  void theLongestIsStillRounded() {
    for (Rounding rounding : List.of(Rounding.naive(), Rounding.powerOfTwo(), Rounding.multipleOf(1L << 61),
      Rounding.multipleOf((1L << 61) - 256))) {
      assertThat(rounding.round(Rounding.MAXIMUM_BYTES)).isGreaterThanOrEqualTo(Rounding.MAXIMUM_BYTES);
      assertThatIllegalArgumentException().isThrownBy(() -> rounding.round(Rounding.MAXIMUM_BYTES + 1));
      assertThatIllegalArgumentException().isThrownBy(() -> rounding.round(0)).withMessageContaining("bytes=0");
      assertThatIllegalArgumentException().isThrownBy(() -> rounding.round(-5)).withMessageContaining("bytes=-5");
    }
  }

  @Test
  void oddFiguresAreRefused() {
    for (int cutoff : new int[] {-1, 19, 35, 64}) {
      assertThatIllegalArgumentException().isThrownBy(() -> new Rounding.PowerOfTwo(4096, cutoff))
        .withMessageContaining("cutoff=" + cutoff);
    }
    for (long bytes : new long[] {0, -256, 1, 255, 257, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 62}) {
      assertThatIllegalArgumentException().isThrownBy(() -> Rounding.multipleOf(bytes))
        .withMessageContaining("unitBytes=" + bytes);
      assertThatIllegalArgumentException().isThrownBy(() -> new Rounding.Naive(bytes, 2 * MIB));
      assertThatIllegalArgumentException().isThrownBy(() -> new Rounding.Naive(4096, bytes));
      assertThatIllegalArgumentException().isThrownBy(() -> new Rounding.PowerOfTwo(bytes, 24));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new Rounding.Naive(4096, 2048));
    assertThatIllegalArgumentException().isThrownBy(() -> new Rounding.PowerOfTwo(768, 24));
    assertThatIllegalArgumentException().isThrownBy(() -> new Rounding.PowerOfTwo(2 * MIB, 20));
  }
}
