package dev.cairn.kernels.cpu.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HalfNumberTest {

  @Test
  void bfloat16RoundsToNearestEven() {
    assertThat(HalfNumber.toBfloat16(1f)).isEqualTo((short) 0x3f80);
    assertThat(HalfNumber.toBfloat16(Float.intBitsToFloat(0x3f808000))).isEqualTo((short) 0x3f80);
    assertThat(HalfNumber.toBfloat16(Float.intBitsToFloat(0x3f808001))).isEqualTo((short) 0x3f81);
    assertThat(HalfNumber.toBfloat16(Float.intBitsToFloat(0x3f818000))).isEqualTo((short) 0x3f82);
    assertThat(HalfNumber.toBfloat16(Float.MAX_VALUE)).isEqualTo((short) 0x7f80);
    assertThat(HalfNumber.toBfloat16(-0f)).isEqualTo((short) 0x8000);
  }

  @Test
  void everyNotANumberStaysOne() {
    for (int bits : new int[] {0x7f800001, 0x7fffffff, 0xff800001, 0xffffffff, 0x7fc00000}) {
      assertThat(HalfNumber.fromBfloat16(HalfNumber.toBfloat16(Float.intBitsToFloat(bits)))).isNaN();
    }
  }

  @Test
  void everyBfloat16ComesBack() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      float value = HalfNumber.fromBfloat16((short) bits);
      if (!Float.isNaN(value)) {
        assertThat(HalfNumber.toBfloat16(value)).isEqualTo((short) bits);
      }
    }
  }

  /** Just above the middle between two halves, by less than a float can tell: rounding twice would go down. */
  @Test
  void doublesAreRoundedOnce() {
    double aboveTie = 1 + 0x1p-11 + 0x1p-40;
    assertThat(Float.floatToFloat16((float) aboveTie)).isEqualTo((short) 0x3c00);
    assertThat(Float.floatToFloat16(HalfNumber.narrowToOdd(aboveTie))).isEqualTo((short) 0x3c01);
    assertThat(Float.floatToFloat16(HalfNumber.narrowToOdd(-aboveTie))).isEqualTo((short) 0xbc01);
    assertThat(Float.floatToFloat16(HalfNumber.narrowToOdd(1 + 0x1p-11))).isEqualTo((short) 0x3c00);
    assertThat(HalfNumber.narrowToOdd(1e300)).isEqualTo(Float.MAX_VALUE);
    assertThat(HalfNumber.narrowToOdd(Double.NEGATIVE_INFINITY)).isEqualTo(Float.NEGATIVE_INFINITY);
    assertThat(HalfNumber.narrowToOdd(Double.NaN)).isNaN();
    assertThat(Float.floatToRawIntBits(HalfNumber.narrowToOdd(-0.0))).isEqualTo(Integer.MIN_VALUE);
  }

  @Test
  void noOtherHalfIsNearer() {
    var random = new Random(3);
    for (int round = 0; round < 20_000; round++) {
      double value = random.nextGaussian() * Math.scalb(1.0, random.nextInt(30) - 20);
      short bits = Float.floatToFloat16(HalfNumber.narrowToOdd(value));
      BigDecimal chosen = distance(bits, value);
      assertThat(chosen).isLessThanOrEqualTo(distance((short) (bits + 1), value));
      assertThat(chosen).isLessThanOrEqualTo(distance((short) (bits - 1), value));
    }
  }

  private static BigDecimal distance(short half, double value) {
    float widened = Float.float16ToFloat(half);
    return Float.isFinite(widened)
      ? new BigDecimal(widened).subtract(new BigDecimal(value)).abs()
      : new BigDecimal(Double.MAX_VALUE);
  }
}
