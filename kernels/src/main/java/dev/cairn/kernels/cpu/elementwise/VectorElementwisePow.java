package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.elementwise.UnaryLoop.Parameters;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.VectorPower;
import dev.cairn.kernels.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@code Pow(x, exponent)} of {@code float32}. Where one exponent serves all elements, squares, cubes and roots are
 * vector loops of their own. A block with a base or an exponent that {@link VectorPower} does not take is computed
 * element by element.
 */
public final class VectorElementwisePow implements Kernel {
  private static final UnaryLoop SQUARE = VectorElementwiseUnary.copy((x, a, b) -> x.mul(x));
  private static final UnaryLoop CUBE = VectorElementwiseUnary.copy((x, a, b) -> x.mul(x).mul(x));
  private static final UnaryLoop ROOT = VectorElementwiseUnary.copy((x, a, b) -> VectorUnaryFunctions.root(x));
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final long GRAIN = 1 << 12;
  /** Elements that are looked at before they are computed; they stay in the inner cache. */
  private static final long BLOCK = 1 << 10;

  @Override
  public boolean accepts(KernelSignature signature) {
    boolean ofOne = signature.input(1).shape().elementCount() == 1
      && signature.output(0).shape().elementCount() == signature.input(0).shape().elementCount();
    return ofOne || signature.input(1).dtype() == DType.FLOAT32;
  }

  @Override
  public void run(KernelCall call) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    long count = call.output(0).elementCount();
    if (call.input(1).elementCount() != 1 || call.input(0).elementCount() != count) {
      raiseEach(call);
      return;
    }
    double exponent = call.input(1).doubleAt(0);
    if (exponent == 2) {
      VectorElementwiseUnary.run(call, SQUARE, Parameters.NONE);
    } else if (exponent == 3) {
      VectorElementwiseUnary.run(call, CUBE, Parameters.NONE);
    } else if (exponent == 0.5) {
      VectorElementwiseUnary.run(call, ROOT, Parameters.NONE);
    } else if (exponent == Math.rint(exponent) && Math.abs(exponent) <= VectorPower.MOST_FACTORS) {
      CpuStream.of(call).parallel(count, GRAIN, (first, end) -> VectorPower.multiply(x, (int) exponent, y, first, first,
        end - first));
    } else {
      CpuStream.of(call).parallel(count, GRAIN, (first, end) -> {
        for (long at = first; at < end; at += BLOCK) {
          raise(x, at, exponent, y, at, Math.min(BLOCK, end - at));
        }
      });
    }
  }

  private static void raise(MemorySegment x, long from, double exponent, MemorySegment y, long to, long count) {
    if (Double.isFinite(exponent) && VectorPower.areBases(x, from, count)) {
      VectorPower.raise(x, exponent, y, from, to, count);
      return;
    }
    for (long i = 0; i < count; i++) {
      float power = (float) Math.pow(x.get(FLOAT, (from + i) * Float.BYTES), exponent);
      y.set(FLOAT, (to + i) * Float.BYTES, power);
    }
  }

  /** Each base to its own exponent, as the operands stretch. */
  private static void raiseEach(KernelCall call) {
    MemorySegment x = call.input(0).segment();
    MemorySegment exponents = call.input(1).segment();
    MemorySegment y = call.output(0).segment();
    var broadcast = Broadcast.of(call.output(0).shape(), call.input(0).shape(), call.input(1).shape());
    CpuStream.of(call).parallel(broadcast.elementCount(), GRAIN, (first, end) -> {
      var runs = broadcast.runs(first, end);
      while (runs.next()) {
        for (long at = 0; at < runs.length(); at += BLOCK) {
          long count = Math.min(BLOCK, runs.length() - at);
          var places = new VectorPower.Places(runs.offset(0) + at * broadcast.step(0), runs.offset(1) + at * broadcast
            .step(1), runs.output() + at);
          if (broadcast.step(0) != 0 && broadcast.step(1) == 0) {
            raise(x, places.base(), exponents.get(FLOAT, places.exponent() * Float.BYTES), y, places.result(), count);
          } else {
            raiseEach(x, exponents, y, places, count, broadcast.step(0), broadcast.step(1));
          }
        }
      }
    });
  }

  private static void raiseEach(MemorySegment x, MemorySegment exponents, MemorySegment y, VectorPower.Places at,
    long count, long step, long exponentStep) {
    if (step != 0 && exponentStep != 0 && VectorPower.areBases(x, at.base(), count) && VectorPower.areExponents(
      exponents, at.exponent(), count)) {
      VectorPower.raise(x, exponents, y, at, count);
      return;
    }
    for (long i = 0; i < count; i++) {
      double base = x.get(FLOAT, (at.base() + i * step) * Float.BYTES);
      double exponent = exponents.get(FLOAT, (at.exponent() + i * exponentStep) * Float.BYTES);
      y.set(FLOAT, (at.result() + i) * Float.BYTES, (float) Math.pow(base, exponent));
    }
  }
}
