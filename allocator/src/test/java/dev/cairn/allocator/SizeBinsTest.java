package dev.cairn.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeBinsTest {
  @ParameterizedTest
  @CsvSource({"0,-1", "1,0", "2,1", "3,1", "1023,9", "1024,10", "1025,10", "9223372036854775807,62"})
  void floorLog2(long value, int expected) {
    assertThat(SizeBins.floorLog2(value)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"1,0", "255,0", "256,0", "511,0", "512,1", "1023,1", "1024,2", "268435455,19", "268435456,20",
    "9223372036854775807,20"})
  void binOf(long bytes, int expected) {
    assertThat(SizeBins.binOf(bytes)).isEqualTo(expected);
  }

  @Test
  void eachBinBeginsAtItsFloor() {
    for (int bin = 0; bin < SizeBins.BINS; bin++) {
      assertThat(SizeBins.binOf(SizeBins.floorBytes(bin))).isEqualTo(bin);
    }
    for (int bin = 1; bin < SizeBins.BINS; bin++) {
      assertThat(SizeBins.binOf(SizeBins.floorBytes(bin) - 1)).isEqualTo(bin - 1);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> SizeBins.floorBytes(21)).withMessageContaining("bin=21");
    assertThatIllegalArgumentException().isThrownBy(() -> SizeBins.floorBytes(-1));
  }

  @Test
  void alignmentRoundsAsDivisionDoes() {
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      long value = random.nextLong() >>> (2 + random.nextInt(61));
      assertThat(Alignment.down(value, 256)).isEqualTo(value / 256 * 256);
      assertThat(Alignment.up(value, 256)).isEqualTo((value + 255) / 256 * 256);
      assertThat(Alignment.isAligned(value, 256)).isEqualTo(value % 256 == 0);
    }
    assertThat(Alignment.up(Long.MAX_VALUE - 255, 256)).isEqualTo(Long.MAX_VALUE - 255);
    assertThatIllegalArgumentException().isThrownBy(() -> Alignment.up(Long.MAX_VALUE - 254, 256))
      .withMessageContaining("alignment=256");
  }

  @Test
  void spacesKnowTheirKind() {
    assertThat(MemorySpace.HOST.isHostAccessible()).isTrue();
    assertThat(MemorySpace.PINNED.isHostAccessible()).isTrue();
    assertThat(MemorySpace.device(2).isHostAccessible()).isFalse();
    assertThat(MemorySpace.device(2)).hasToString("device:2").isNotEqualTo(MemorySpace.device(1));
    assertThat(MemorySpace.HOST).hasToString("host");
    assertThatIllegalArgumentException().isThrownBy(() -> MemorySpace.device(-1)).withMessageContaining("ordinal=-1");
    assertThatIllegalArgumentException().isThrownBy(() -> new MemorySpace(MemorySpace.Kind.HOST, 1));
  }
}
