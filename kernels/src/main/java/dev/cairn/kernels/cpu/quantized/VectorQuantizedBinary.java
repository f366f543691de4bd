package dev.cairn.kernels.cpu.quantized;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.team.CpuStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;

/** {@code QLinearAdd} and {@code QLinearMul} of 8 bits, a vector of {@code float32} at a time. */
public final class VectorQuantizedBinary implements Kernel {
  private static final long GRAIN = 1 << 14;

  private final boolean isProduct;

  /** @param isProduct whether the operands are multiplied instead of added */
  public VectorQuantizedBinary(boolean isProduct) {
    this.isProduct = isProduct;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return ByteLanes.EXIST;
  }

  @Override
  public void run(KernelCall call) {
    var broadcast = Broadcast.of(call.output(0).shape(), call.input(0).shape(), call.input(CpuQuantizedBinary.RIGHT)
      .shape());
    var left = Operand.of(call, 0, broadcast.step(0) == 0);
    var right = Operand.of(call, CpuQuantizedBinary.RIGHT, broadcast.step(1) == 0);
    var result = QuantizedBytes.ofResult(call, CpuQuantizedBinary.RESULT);
    MemorySegment y = call.output(0).segment();
    CpuStream.of(call).parallel(broadcast.elementCount(), GRAIN, (first, end) -> {
      var runs = broadcast.runs(first, end);
      while (runs.next()) {
        combine(left.at(runs.offset(0)), right.at(runs.offset(1)), result, y, runs.output(), runs.length());
      }
    });
  }

  private void combine(Operand left, Operand right, QuantizedBytes result, MemorySegment y, long at, long count) {
    float scale = result.scale();
    long whole = count - count % LANES;
    for (long i = 0; i < whole; i += LANES) {
      FloatVector one = left.vector(i);
      FloatVector other = right.vector(i);
      FloatVector real = isProduct ? one.mul(other) : one.add(other);
      ByteLanes.store(real.div(scale), result.range(), result.zero(), y, at + i);
    }
    for (long i = whole; i < count; i++) {
      float one = left.number(i);
      float other = right.number(i);
      y.set(ValueLayout.JAVA_BYTE, at + i, result.quantized(isProduct ? one * other : one + other));
    }
  }

  /**
   * The bytes of an operand from a position on.
   *
   * @param repeats whether the first one stands for all of a run
   */
  private record Operand(MemorySegment bytes, long start, boolean repeats, ByteLanes.Meaning meaning) {
    static Operand of(KernelCall call, int input, boolean repeats) {
      var quantized = QuantizedBytes.ofInput(call, input);
      return new Operand(call.input(input).segment(), 0, repeats, ByteLanes.Meaning.of(quantized.dtype(), quantized
        .zero(), quantized.scale()));
    }

    Operand at(long position) {
      return new Operand(bytes, position, repeats, meaning);
    }

    FloatVector vector(long i) {
      return repeats
        ? FloatVector.broadcast(SPECIES, number(0))
        : ByteLanes.load(bytes, start + i, meaning.turn()).sub(meaning.zero()).mul(meaning.scale());
    }

    float number(long i) {
      return (ByteLanes.get(bytes, start + (repeats ? 0 : i), meaning.turn()) - meaning.zero()) * meaning.scale();
    }
  }
}
