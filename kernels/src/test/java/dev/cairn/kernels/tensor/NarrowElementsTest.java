package dev.cairn.kernels.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.TestTensors;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Every code of the narrow types means what the formulas of their papers say, and numbers get the nearest code. */
class NarrowElementsTest {
  /** What the standard's tables say of a code, computed from its bits one by one. */
  private static double naive(DType dtype, int code) {
    return switch (dtype) {
      case FLOAT8E4M3FN -> (code & 0x7f) == 0x7f ? Double.NaN : formula(code, 8, 3, 7);
      case FLOAT8E4M3FNUZ -> code == 0x80 ? Double.NaN : formula(code, 8, 3, 8);
      case FLOAT8E5M2 -> (code & 0x7f) > 0x7c
        ? Double.NaN
        : (code & 0x7f) == 0x7c ? sign(code, 8) * Double.POSITIVE_INFINITY : formula(code, 8, 2, 15);
      case FLOAT8E5M2FNUZ -> code == 0x80 ? Double.NaN : formula(code, 8, 2, 16);
      case FLOAT8E8M0 -> code == 0xff ? Double.NaN : Math.pow(2, code - 127);
      case FLOAT4E2M1 -> formula(code, 4, 1, 1);
      case INT4 -> code < 8 ? code : code - 16;
      case INT2 -> code < 2 ? code : code - 4;
      default -> code;
    };
  }

  private static double sign(int code, int bits) {
    return code >> (bits - 1) == 0 ? 1 : -1;
  }

  private static double formula(int code, int bits, int fraction, int bias) {
    int exponent = (code >> fraction) % (1 << (bits - 1 - fraction));
    double digits = (code % (1 << fraction)) / (double) (1 << fraction);
    return sign(code, bits) * (exponent == 0
      ? Math.pow(2, 1 - bias) * digits
      : Math.pow(2, exponent - bias) * (1
        + digits));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.MATCH_ALL, names = "(FLOAT8.*|FLOAT4.*|U?INT[24])")
  void everyCodeMeansWhatItsBitsSay(DType dtype) {
    assertThat(dtype.isNarrow()).isTrue();
    int codes = 1 << dtype.bits();
    TensorView all = TestTensors.zeros(TensorType.of(dtype, codes));
    for (int code = 0; code < codes; code++) {
      NarrowElements.set(dtype, all.segment(), code, code);
    }
    for (int code = 0; code < codes; code++) {
      assertThat(NarrowElements.code(dtype, all.segment(), code)).isEqualTo(code);
      assertThat(Double.compare(all.doubleAt(code), naive(dtype, code))).as("%s of code %d", all.doubleAt(code), code)
        .isZero();
      if (!dtype.isReal()) {
        assertThat(all.longAt(code)).isEqualTo((long) naive(dtype, code));
      }
    }
    assertThatThrownBy(() -> all.doubleAt(codes)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** The codes of finite numbers in ascending order. */
  private static List<Integer> ascending(DType dtype) {
    List<Integer> codes = new ArrayList<>();
    for (int code = 0; code < 1 << dtype.bits(); code++) {
      if (Double.isFinite(naive(dtype, code))) {
        codes.add(code);
      }
    }
    codes.sort(Comparator.comparingDouble(code -> naive(dtype, code)));
    return codes;
  }

  /** Numbers become the nearest; in the middle, the one with an even code. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "FLOAT4E2M1"})
  void numbersAreRoundedToTheNearest(DType dtype) {
    NarrowFloat format = NarrowFloat.of(dtype);
    List<Integer> codes = ascending(dtype);
    for (int i = 0; i < codes.size(); i++) {
      int code = codes.get(i);
      double value = naive(dtype, code);
      for (boolean saturates : new boolean[] {true, false}) {
        assertThat(format.code(value, saturates)).as("%s", value).isEqualTo(code);
      }
      double next = i + 1 < codes.size() ? naive(dtype, codes.get(i + 1)) : value;
      if (next > value) {
        double middle = (value + next) / 2;
        int even = code % 2 == 0 ? code : codes.get(i + 1);
        assertThat(format.value(format.code(middle, false))).as("%s", middle).isEqualTo(format.value(even) + 0.0);
        assertThat(format.value(format.code(Math.nextDown(middle), false))).isEqualTo(value + 0.0);
        assertThat(format.value(format.code(Math.nextUp(middle), false))).isEqualTo(next + 0.0);
      }
    }
  }

  /** The tables of operator {@code Cast}. */
  @Test
  void numbersOutOfRange() {
    check(DType.FLOAT8E4M3FN, 448, 464, Double.NaN);
    check(DType.FLOAT8E4M3FNUZ, 240, 247.99, Double.NaN);
    check(DType.FLOAT8E5M2, 57344, 61439.99, Double.POSITIVE_INFINITY);
    check(DType.FLOAT8E5M2FNUZ, 57344, 61439.99, Double.NaN);
    check(DType.FLOAT4E2M1, 6, 6.99, 6);
  }

  private static void check(DType dtype, double most, double lastInside, double beyond) {
    NarrowFloat format = NarrowFloat.of(dtype);
    for (double sign : new double[] {1, -1}) {
      assertThat(format.value(format.code(sign * lastInside, false))).isEqualTo(sign * most);
      for (double large : new double[] {lastInside * 1.01 + 1, 1e9, Double.MAX_VALUE, Double.POSITIVE_INFINITY}) {
        assertThat(format.value(format.code(sign * large, true))).as("%s %s", dtype, large).isEqualTo(sign * most);
        assertThat(format.value(format.code(sign * large, false))).as("%s %s", dtype, large).isEqualTo(Double
          .valueOf(sign * beyond));
      }
    }
  }

  @Test
  void zerosAndNaN() {
    for (DType dtype : List.of(DType.FLOAT8E4M3FN, DType.FLOAT8E5M2)) {
      assertThat(NarrowFloat.of(dtype).code(-0.0, true)).isEqualTo(0x80);
      assertThat(NarrowFloat.of(dtype).code(-1e-30, true)).isEqualTo(0x80);
      assertThat(NarrowFloat.of(dtype).code(Double.NaN, true)).isEqualTo(0x7f);
      assertThat(NarrowFloat.of(dtype).code(Double.longBitsToDouble(-1L), false)).isEqualTo(0xff);
    }
    for (DType dtype : List.of(DType.FLOAT8E4M3FNUZ, DType.FLOAT8E5M2FNUZ)) {
      assertThat(NarrowFloat.of(dtype).code(-0.0, true)).isZero();
      assertThat(NarrowFloat.of(dtype).code(-1e-30, true)).isZero();
      assertThat(NarrowFloat.of(dtype).code(Double.NaN, true)).isEqualTo(0x80);
    }
    assertThat(NarrowFloat.of(DType.FLOAT4E2M1).code(-0.0, true)).isEqualTo(8);
    assertThatThrownBy(() -> NarrowFloat.of(DType.FLOAT8E8M0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void powersOfTwo() {
    for (PowerOfTwo.Rounding rounding : PowerOfTwo.Rounding.values()) {
      for (boolean saturates : new boolean[] {true, false}) {
        for (int code = 0; code < 256; code++) {
          assertThat(PowerOfTwo.code(PowerOfTwo.value(code), rounding, saturates)).isEqualTo(code);
        }
        assertThat(PowerOfTwo.code(-1, rounding, saturates)).isEqualTo(0xff);
        assertThat(PowerOfTwo.code(0, rounding, saturates)).isEqualTo(saturates ? 0 : 0xff);
        assertThat(PowerOfTwo.code(0x1p-130, rounding, saturates)).isEqualTo(saturates ? 0 : 0xff);
        assertThat(PowerOfTwo.code(Double.POSITIVE_INFINITY, rounding, saturates)).isEqualTo(saturates ? 0xfe : 0xff);
      }
    }
    for (int code = 0; code < 254; code++) {
      double value = PowerOfTwo.value(code);
      assertThat(PowerOfTwo.code(Math.nextUp(value), PowerOfTwo.Rounding.UP, true)).isEqualTo(code + 1);
      assertThat(PowerOfTwo.code(Math.nextDown(2 * value), PowerOfTwo.Rounding.DOWN, true)).isEqualTo(code);
      assertThat(PowerOfTwo.code(Math.nextDown(1.5 * value), PowerOfTwo.Rounding.NEAREST, true)).isEqualTo(code);
      assertThat(PowerOfTwo.code(1.5 * value, PowerOfTwo.Rounding.NEAREST, true)).isEqualTo(code + 1);
    }
    assertThat(PowerOfTwo.code(0x1.8p127, PowerOfTwo.Rounding.UP, true)).isEqualTo(0xfe);
    assertThat(PowerOfTwo.code(0x1.8p127, PowerOfTwo.Rounding.UP, false)).isEqualTo(0xff);
    assertThatThrownBy(() -> PowerOfTwo.Rounding.of("sideways")).hasMessageContaining("sideways");
  }

  /** The first element has the low bits, and what is behind the last one is 0. */
  @ParameterizedTest
  @EnumSource(names = {"INT4", "UINT4", "INT2", "UINT2", "FLOAT4E2M1"})
  void elementsArePackedAndUnpacked(DType dtype) {
    var random = RandomGenerator.of("L64X128MixRandom");
    for (int count = 0; count < 40; count++) {
      TensorView packed = TestTensors.junk(TensorType.of(dtype, count));
      byte[] codes = new byte[count];
      for (int i = 0; i < count; i++) {
        codes[i] = (byte) random.nextInt(1 << dtype.bits());
      }
      NarrowElements.pack(MemorySegment.ofArray(codes), packed, 0, count);
      byte[] again = new byte[count];
      NarrowElements.unpack(packed, MemorySegment.ofArray(again), 0, count);
      assertThat(again).isEqualTo(codes);
      TensorView one = TestTensors.junk(TensorType.of(dtype, count));
      for (int i = 0; i < count; i++) {
        NarrowElements.set(dtype, one.segment(), i, codes[i]);
      }
      NarrowElements.clearPadding(one);
      assertThat(one.segment().mismatch(packed.segment())).isEqualTo(-1);
    }
    TensorView two = TestTensors.zeros(TensorType.of(dtype, 2));
    NarrowElements.set(dtype, two.segment(), 1, 1);
    assertThat(two.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) (1 << dtype.bits()));
  }
}
