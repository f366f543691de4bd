package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.access.HalfNumber;
import dev.cairn.kernels.cpu.access.NarrowTarget;
import dev.cairn.kernels.cpu.movement.CpuIdentity;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code Cast} between all element types; the output's type is the target. To booleans: whether not zero (a NaN is
 * true). To float types: rounded once, to nearest even. From float types to whole numbers: cut towards zero, then to
 * the low bits; a NaN gives 0, and what 64 bits do not hold the nearest end of their range, as Java converts. Between
 * whole numbers: the low bits. To floats of 8 or 4 bits: as {@link NarrowTarget} says.
 */
public final class CpuCast implements Kernel {
  private static final long GRAIN = 1 << 13;

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    if (x.dtype() == y.dtype()) {
      CpuIdentity.identity(call);
      return;
    }
    var target = NarrowTarget.of(y.dtype(), call.attributes());
    int unit = y.dtype().perByte();
    long count = y.elementCount();
    // Threads share no byte of the result.
    CpuStream.of(call).parallel(Math.ceilDiv(count, (long) unit), GRAIN / unit, (firstUnit, endUnit) -> {
      long first = firstUnit * unit;
      long end = Math.min(count, endUnit * unit);
      if (x.dtype().isHalf() && y.dtype() == DType.FLOAT32) {
        HalfNumber.widen(x.dtype(), x.segment(), y.segment(), first, end - first);
      } else if (x.dtype() == DType.FLOAT32 && y.dtype().isHalf()) {
        HalfNumber.narrow(y.dtype(), x.segment(), y.segment(), first, end - first);
      } else {
        cast(x, y, target, first, end);
      }
    });
  }

  private static void cast(TensorView x, TensorView y, NarrowTarget target, long first, long end) {
    double[] reals = new double[Elements.BLOCK];
    long[] whole = new long[Elements.BLOCK];
    for (long at = first; at < end; at += Elements.BLOCK) {
      int count = (int) Math.min(Elements.BLOCK, end - at);
      boolean isReal = x.dtype().isReal();
      if (isReal) {
        Elements.read(x, at, reals, count);
      } else {
        Elements.read(x, at, whole, count);
      }
      if (y.dtype().isReal()) {
        if (!isReal) {
          toReals(x.dtype(), y.dtype(), whole, reals, count);
        }
        if (y.dtype().isFloat()) {
          Elements.write(reals, y, at, count);
          continue;
        }
        target.codes(reals, whole, count);
      } else if (isReal) {
        toWhole(y.dtype(), reals, whole, count);
      } else if (y.dtype() == DType.BOOL) {
        toBooleans(whole, count);
      }
      Elements.write(whole, y, at, count);
    }
  }

  /** Doubles that a rounding to {@code to} takes to the number nearest to the whole one. */
  private static void toReals(DType from, DType to, long[] whole, double[] reals, int count) {
    boolean unsigned = from == DType.UINT64;
    for (int i = 0; i < count; i++) {
      long value = whole[i];
      // A number above the signed range is halved. An or keeps its lowest bit: so the half rounds as the whole does.
      boolean halve = unsigned && value < 0;
      long held = halve ? (value >>> 1) | (value & 1) : value;
      double near = to == DType.FLOAT64 ? (double) held : toOdd(held);
      reals[i] = halve ? near * 2 : near;
    }
  }

  /** A whole number cut to 53 bits, of which the lowest says whether the cut lost a bit. */
  private static double toOdd(long value) {
    long low = value & 0x7ff;
    boolean fits = value >= -(1L << 53) && value <= 1L << 53;
    return (double) (fits || low == 0 ? value : (value & ~0x7ffL) | 0x400);
  }

  private static void toWhole(DType to, double[] reals, long[] whole, int count) {
    for (int i = 0; i < count; i++) {
      double value = reals[i];
      whole[i] = switch (to) {
        case BOOL -> value != 0 ? 1 : 0;
        case UINT64 -> value >= 0x1p63 ? (long) (value - 0x1p63) ^ Long.MIN_VALUE : (long) value;
        default -> (long) value;
      };
    }
  }

  private static void toBooleans(long[] whole, int count) {
    for (int i = 0; i < count; i++) {
      whole[i] = whole[i] != 0 ? 1 : 0;
    }
  }
}
