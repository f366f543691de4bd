package dev.cairn.kernels.cpu.normalization;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.attribute.NormalizedRows;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.VectorRows;
import dev.cairn.kernels.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/** {@code LayerNormalization(x, scale, bias?)} of {@code float32}, with scale and bias as long as a row. */
public final class VectorLayerNormalization implements Kernel {
  private static final long GRAIN = 1 << 13;
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();

  @Override
  public boolean accepts(KernelSignature signature) {
    NormalizedRows form = NormalizedRows.of(signature.attributes(), signature.input(0).shape());
    return isRow(signature, 1, form) && (!signature.has(2) || isRow(signature, 2, form))
      && signature.outputs().stream().allMatch(output -> output.dtype() == DType.FLOAT32);
  }

  private static boolean isRow(KernelSignature signature, int input, NormalizedRows form) {
    return signature.input(input).dtype() == DType.FLOAT32
      && form.isSameForEachRow(signature.input(input).shape())
      && signature.input(input).shape().elementCount() == form.length();
  }

  @Override
  public void run(KernelCall call) {
    MemorySegment x = call.input(0).segment();
    NormalizedRows form = NormalizedRows.of(call.attributes(), call.input(0).shape());
    long length = form.length();
    if (call.input(0).elementCount() == 0) {
      return;
    }
    CpuStream.of(call).parallel(form.rows(), Math.max(1, GRAIN / length), (first, end) -> {
      for (long row = first; row < end; row++) {
        float mean = VectorRows.sum(x, row * length, length) / length;
        float variance = VectorRows.squares(x, row * length, length, mean) / length;
        float inverse = (float) (1 / Math.sqrt(variance + (double) form.epsilon()));
        writeRow(call, row * length, mean, inverse);
        writeFurther(call, 1, row, mean);
        writeFurther(call, 2, row, inverse);
      }
    });
  }

  private static void writeRow(KernelCall call, long at, float mean, float inverse) {
    if (call.has(2)) {
      withBias(call, call.input(2).segment(), at, mean, inverse);
    } else {
      withoutBias(call, at, mean, inverse);
    }
  }

  private static void withBias(KernelCall call, MemorySegment bias, long at, float mean, float inverse) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    MemorySegment scale = call.input(1).segment();
    FloatVector centre = FloatVector.broadcast(SPECIES, mean);
    FloatVector factor = FloatVector.broadcast(SPECIES, inverse);
    long length = call.input(1).elementCount();
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      store(load(x, at + i).sub(centre).mul(factor).fma(load(scale, i), load(bias, i)), y, at + i);
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      FloatVector centred = load(x, at + whole, rest).sub(centre).mul(factor);
      store(centred.fma(load(scale, whole, rest), load(bias, whole, rest)), y, at + whole, rest);
    }
  }

  private static void withoutBias(KernelCall call, long at, float mean, float inverse) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    MemorySegment scale = call.input(1).segment();
    FloatVector centre = FloatVector.broadcast(SPECIES, mean);
    FloatVector factor = FloatVector.broadcast(SPECIES, inverse);
    long length = call.input(1).elementCount();
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      store(load(x, at + i).sub(centre).mul(factor).mul(load(scale, i)), y, at + i);
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      FloatVector centred = load(x, at + whole, rest).sub(centre).mul(factor);
      store(centred.mul(load(scale, whole, rest)), y, at + whole, rest);
    }
  }

  private static void writeFurther(KernelCall call, int output, long row, float value) {
    if (output < call.outputCount()) {
      call.output(output).segment().set(ValueLayout.JAVA_FLOAT_UNALIGNED, row * Float.BYTES, value);
    }
  }
}
