package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseProgram.Input;
import dev.cairn.kernels.attribute.PointwiseProgram.Operand;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.attribute.PointwiseProgram.Value;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The operations, as oneDNN's post-operations, that a product's primitive applies to each element before it stores the
 * element. Inputs are indices of the node's inputs.
 *
 * @param bias added to each row of a matrix product
 */
record PostOperations(OptionalInt bias, List<Operation> operations) {
  static final PostOperations NONE = new PostOperations(OptionalInt.empty(), List.of());

  /** {@code Relu}. */
  static final Operation RECTIFIED = new Function(OneDnnFunction.RELU, 0, 0);

  /** One post-operation. */
  sealed interface Operation {}

  /** A function of each element, by oneDNN's number. */
  record Function(int algorithm, float alpha, float beta) implements Operation {}

  /** {@code Clip}, with inputs for its bounds. */
  record Bounds(OptionalInt least, OptionalInt most) implements Operation {}

  /** Adds an input of the result's type. */
  record Residual(int input) implements Operation {}

  PostOperations {
    operations = List.copyOf(operations);
  }

  /** The input that is added to the result, if there is one. */
  OptionalInt residual() {
    return operations.stream().filter(it -> it instanceof Residual).mapToInt(it -> ((Residual) it).input()).findFirst();
  }

  /**
   * Empty when oneDNN has no post-operations for a program.
   *
   * @param program of which input 0 is the product's result
   * @param signature of the fused node
   * @param ofMatrices whether the product is one of matrices, whose rows may have a bias
   */
  static Optional<PostOperations> of(PointwiseProgram program, KernelSignature signature, boolean ofMatrices) {
    var reading = new Reading(program, signature, ofMatrices);
    return program.results().equals(List.of(program.steps().size() - 1)) && reading.readAll()
      ? Optional.of(new PostOperations(reading.bias, reading.operations))
      : Optional.empty();
  }

  /** Reads a program's steps, each of which must read the result of the step before. */
  private static final class Reading {
    private final List<Step> steps;
    private final KernelSignature signature;
    private final boolean ofMatrices;
    private final List<Operation> operations = new ArrayList<>();
    private OptionalInt bias = OptionalInt.empty();
    private Operand current = new Input(0);

    Reading(PointwiseProgram program, KernelSignature signature, boolean ofMatrices) {
      this.steps = program.steps();
      this.signature = signature;
      this.ofMatrices = ofMatrices;
    }

    boolean readAll() {
      int next = 0;
      while (next < steps.size()) {
        int read = isSwish(next) ? swish() : read(steps.get(next));
        if (read == 0) {
          return false;
        }
        next += read;
        current = new Value(next - 1);
      }
      return true;
    }

    /** {@code x * Sigmoid(x)}, in two steps. */
    private boolean isSwish(int at) {
      if (at + 1 >= steps.size() || !steps.get(at).operator().equals("Sigmoid") || !steps.get(at).operands().equals(List
        .of(current)) || !steps.get(at + 1).operator().equals("Mul")) {
        return false;
      }
      List<Operand> factors = steps.get(at + 1).operands();
      return factors.equals(List.of(current, new Value(at))) || factors.equals(List.of(new Value(at), current));
    }

    private int swish() {
      operations.add(OneDnnFunction.SWISH);
      return 2;
    }

    /** How many steps were read: one, or none. */
    private int read(Step step) {
      return step.dtype() == signature.output(0).dtype() && switch (step.operator()) {
        case "Add", "Sum" -> added(step.operands());
        case "Clip" -> bounded(step.operands());
        default -> step.operands().equals(List.of(current)) && function(step);
      } ? 1 : 0;
    }

    private boolean function(Step step) {
      Optional<Function> function = OneDnnFunction.of(step.operator(), step.attributes());
      function.ifPresent(operations::add);
      return function.isPresent();
    }

    private boolean added(List<Operand> operands) {
      if (operands.size() != 2 || !operands.contains(current) || operands.get(0).equals(operands.get(1))) {
        return false;
      }
      Operand other = operands.get(operands.indexOf(current) == 0 ? 1 : 0);
      if (!(other instanceof Input(int index)) || index == 0) {
        return false;
      }
      int input = FusedProduct.input(index);
      if (operations.isEmpty() && bias.isEmpty() && isBias(signature.input(input))) {
        bias = OptionalInt.of(input);
        return true;
      }
      if (operations.stream().anyMatch(it -> it instanceof Residual) || !signature.input(input).equals(signature.output(
        0))) {
        return false;
      }
      return operations.add(new Residual(input));
    }

    /**
     * One element for each column of a matrix product that has no bias yet. A tensor of the result's own type is added
     * as a residual instead: the result may lie over it, and a bias is read when parts of the result are written.
     */
    private boolean isBias(TensorType type) {
      if (type.equals(signature.output(0))) {
        return false;
      }
      long columns = signature.output(0).shape().extent(-1);
      return ofMatrices && !signature.has(2) && type
        .dtype() == signature.output(0).dtype() && type.shape().rank() > 0 && type.shape().extent(-1) == columns
        && type.shape()
          .elementCount() == columns;
    }

    private boolean bounded(List<Operand> operands) {
      if (!operands.getFirst().equals(current)) {
        return false;
      }
      OptionalInt[] bounds = {OptionalInt.empty(), OptionalInt.empty()};
      for (int i = 1; i < operands.size(); i++) {
        switch (operands.get(i)) {
          case Input(int index) when index > 0 -> bounds[i - 1] = OptionalInt.of(FusedProduct.input(index));
          case PointwiseProgram.Absent() -> {}
          default -> {
            return false;
          }
        }
      }
      return operations.add(new Bounds(bounds[0], bounds[1]));
    }
  }
}
