package dev.cairn.kernels.cpu.elementwise;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseProgram.Input;
import dev.cairn.kernels.attribute.PointwiseProgram.Operand;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.attribute.PointwiseProgram.Value;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * The program {@code x * scale + shift}, or {@code Relu} of that, in one pass: the form of a normalisation on images
 * with their channels last. Its results have the bits of its steps.
 */
public final class VectorAffine implements Kernel {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  /** Elements that are worth a second thread. */
  private static final long GRAIN = 1 << 13;

  /** The inputs of such a program. */
  private record Parts(int x, int scale, int shift, boolean isRectified) implements Kernel {
    static Optional<Parts> of(Attributes attributes) {
      PointwiseProgram program = PointwiseProgram.of(attributes);
      List<Step> steps = program.steps();
      int count = steps.size();
      if (count < 2 || count > 3 || !program.results().equals(List.of(count - 1)) || !steps.get(0).operator().equals(
        Operators.MUL) || !steps.get(1).operator().equals(Operators.ADD)
        || !steps.get(1).operands().contains(new Value(0))) {
        return Optional.empty();
      }
      boolean isRectified = count == 3;
      if (isRectified && !(steps.get(2).operator().equals(Operators.RELU) && steps.get(2).operands().equals(List.of(
        new Value(1))))) {
        return Optional.empty();
      }
      List<Operand> sum = steps.get(1).operands();
      Operand added = sum.get(sum.get(0).equals(new Value(0)) ? 1 : 0);
      return steps.get(0).operands().get(0) instanceof Input(int x) && steps.get(0).operands().get(
        1) instanceof Input(int scale) && added instanceof Input(int shift)
          ? Optional.of(new Parts(x, scale, shift, isRectified))
          : Optional.empty();
    }

    /** Whether the first factor is of the result's type, and the others have one number for each channel. */
    boolean fits(KernelSignature signature) {
      TensorType result = signature.output(0);
      Shape shape = result.shape();
      return result.dtype() == DType.FLOAT32 && shape.rank() > 0 && shape.elementCount() > 0
        && signature.input(x).equals(result) && isOfChannels(signature.input(scale), shape)
        && isOfChannels(signature.input(shift), shape);
    }

    private static boolean isOfChannels(TensorType type, Shape result) {
      Shape shape = type.shape();
      return type.dtype() == DType.FLOAT32 && shape.rank() > 0 && shape.elementCount() == shape.extent(-1) && shape
        .extent(-1) == result.extent(-1);
    }

    @Override
    public void run(KernelCall call) {
      MemorySegment from = call.input(x).segment();
      MemorySegment factors = call.input(scale).segment();
      MemorySegment added = call.input(shift).segment();
      MemorySegment to = call.output(0).segment();
      long channels = call.output(0).shape().extent(-1);
      CpuStream.of(call).parallel(call.output(0).elementCount() / channels, Math.max(1, GRAIN / channels), (first,
        end) -> {
        for (long row = first; row < end; row++) {
          if (isRectified) {
            rectified(from, factors, added, to, row * channels, channels);
          } else {
            scaled(from, factors, added, to, row * channels, channels);
          }
        }
      });
    }

    private static void rectified(MemorySegment x, MemorySegment scale, MemorySegment shift, MemorySegment y, long at,
      long channels) {
      long whole = channels - channels % LANES;
      for (long c = 0; c < whole; c += LANES) {
        store(load(x, at + c).mul(load(scale, c)).add(load(shift, c)).max(0f), y, at + c);
      }
      if (whole < channels) {
        VectorMask<Float> rest = SPECIES.indexInRange(whole, channels);
        store(load(x, at + whole, rest).mul(load(scale, whole, rest)).add(load(shift, whole, rest)).max(0f), y, at
          + whole, rest);
      }
    }

    private static void scaled(MemorySegment x, MemorySegment scale, MemorySegment shift, MemorySegment y, long at,
      long channels) {
      long whole = channels - channels % LANES;
      for (long c = 0; c < whole; c += LANES) {
        store(load(x, at + c).mul(load(scale, c)).add(load(shift, c)), y, at + c);
      }
      if (whole < channels) {
        VectorMask<Float> rest = SPECIES.indexInRange(whole, channels);
        store(load(x, at + whole, rest).mul(load(scale, whole, rest)).add(load(shift, whole, rest)), y, at + whole,
          rest);
      }
    }

    @Override
    public boolean isRebindable() {
      return true;
    }
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.outputs().size() == 1 && Parts.of(signature.attributes()).filter(it -> it.fits(signature))
      .isPresent();
  }

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    return new PlannedKernel(parts(signature.attributes()), Map.of());
  }

  @Override
  public void run(KernelCall call) {
    parts(call.attributes()).run(call);
  }

  private static Parts parts(Attributes attributes) {
    return Parts.of(attributes).orElseThrow(
      () -> new IllegalArgumentException("not a product and a sum with a number for each channel: program=%s".formatted(
        attributes)));
  }
}
