package dev.cairn.kernels.cpu.elementwise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.ElementwiseKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.math.BigInteger;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CpuCastTest {

  private static TensorView cast(TensorView x, DType to) {
    var attributes = Attributes.NONE.with("to", new AttributeValue.Text(to.toString()));
    return KernelRunner.checkTwins(ElementwiseKernels.ROWS, "Cast", attributes, List.of(x.type().withDType(to)), 1, x)
      .getFirst();
  }

  @Test
  void realsAreCutTowardsZero() {
    var x = TestTensors.of(DType.FLOAT64, Shape.of(7), 1.9, -1.9, 0.5, -0.5, 300.7, -3e9, Double.NaN);
    assertThat(cast(x, DType.INT32).toLongArray()).containsExactly(1, -1, 0, 0, 300, 1_294_967_296, 0);
    assertThat(cast(x, DType.INT64).toLongArray()).containsExactly(1, -1, 0, 0, 300, -3_000_000_000L, 0);
    assertThat(cast(x, DType.UINT8).toLongArray()).containsExactly(1, 255, 0, 0, 44, 0, 0);
    assertThat(cast(x, DType.BOOL).toLongArray()).containsExactly(1, 1, 1, 1, 1, 1, 1);
    var zeros = TestTensors.of(DType.FLOAT32, Shape.of(2), 0, -0.0);
    assertThat(cast(zeros, DType.BOOL).toLongArray()).containsExactly(0, 0);
  }

  @Test
  void wholeNumbersKeepTheirLowBits() {
    var x = TestTensors.ofLongs(DType.INT64, Shape.of(4), 257, -1, Long.MIN_VALUE, 1L << 32);
    assertThat(cast(x, DType.INT8).toLongArray()).containsExactly(1, -1, 0, 0);
    assertThat(cast(x, DType.UINT16).toLongArray()).containsExactly(257, 65535, 0, 0);
    assertThat(cast(x, DType.BOOL).toLongArray()).containsExactly(1, 1, 1, 1);
    var small = TestTensors.ofLongs(DType.INT8, Shape.of(2), -1, 127);
    assertThat(cast(small, DType.UINT32).toLongArray()).containsExactly(0xffff_ffffL, 127);
    assertThat(cast(small, DType.INT64).toLongArray()).containsExactly(-1, 127);
  }

  @Test
  void unsignedSixtyFourBits() {
    var x = TestTensors.ofLongs(DType.UINT64, Shape.of(3), -1, Long.MIN_VALUE, 5);
    assertThat(TestTensors.doubles(cast(x, DType.FLOAT64))).containsExactly(0x1p64, 0x1p63, 5);
    assertThat(TestTensors.doubles(cast(x, DType.FLOAT32))).containsExactly(0x1p64, 0x1p63, 5);
    var back = TestTensors.of(DType.FLOAT64, Shape.of(2), 0x1p63 + 4096, 7.5);
    assertThat(cast(back, DType.UINT64).toLongArray()).containsExactly(Long.MIN_VALUE + 4096, 7);
  }

  /** From 64 bits to 24, through no double that rounds first. */
  @Test
  void wholeNumbersAreRoundedOnce() {
    var random = new Random(9);
    var signed = TestTensors.randomBits(DType.INT64, Shape.of(20_000), random);
    // Just above the middle between two floats, by less than a double can tell.
    TestTensors.set(signed, 0, (1L << 62) + (1L << 38) + 1);
    TensorView floats = cast(signed, DType.FLOAT32);
    for (int i = 0; i < 20_000; i++) {
      assertThat(floats.doubleAt(i)).isEqualTo(new BigInteger(Long.toString(signed.longAt(i))).floatValue());
    }
    var unsigned = new TensorView(signed.type().withDType(DType.UINT64), signed.segment());
    TensorView positives = cast(unsigned, DType.FLOAT32);
    TensorView wide = cast(unsigned, DType.FLOAT64);
    for (int i = 0; i < 20_000; i++) {
      var exact = new BigInteger(Long.toUnsignedString(signed.longAt(i)));
      assertThat(positives.doubleAt(i)).isEqualTo(exact.floatValue());
      assertThat(wide.doubleAt(i)).isEqualTo(exact.doubleValue());
    }
  }

  @Test
  void doublesBecomeHalvesInOneRounding() {
    var x = TestTensors.of(DType.FLOAT64, Shape.of(3), 1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-11, 1e9);
    assertThat(TestTensors.doubles(cast(x, DType.FLOAT16))).containsExactly(1 + 0x1p-10, 1, Double.POSITIVE_INFINITY);
    var y = TestTensors.of(DType.FLOAT64, Shape.of(2), 1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-8);
    assertThat(TestTensors.doubles(cast(y, DType.BFLOAT16))).containsExactly(1 + 0x1p-7, 1);
  }

  /** Whole numbers below it are held exactly. */
  private static long top(DType dtype) {
    return switch (dtype) {
      case BOOL, INT2 -> 2;
      case UINT2 -> 4;
      case FLOAT4E2M1 -> 5;
      case INT4, FLOAT8E5M2, FLOAT8E5M2FNUZ -> 8;
      case UINT4, FLOAT8E4M3FN, FLOAT8E4M3FNUZ -> 16;
      default -> 128;
    };
  }

  /** Numbers that both types hold survive any two casts. */
  @Test
  void smallNumbersGoThroughEveryPair() {
    for (DType from : EnumSet.range(DType.FLOAT32, DType.UINT2)) {
      for (DType to : EnumSet.range(DType.FLOAT32, DType.UINT2)) {
        if (from == DType.FLOAT8E8M0 || to == DType.FLOAT8E8M0) {
          continue;
        }
        long top = Math.min(top(from), top(to));
        var x = TestTensors.zeros(TensorType.of(from, 1000));
        for (long i = 0; i < 1000; i++) {
          TestTensors.set(x, i, i % top);
        }
        KernelRunner.checkBits(from + " to " + to, x, cast(cast(x, to), from));
      }
    }
  }
}
