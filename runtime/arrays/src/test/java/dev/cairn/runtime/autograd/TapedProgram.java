package dev.cairn.runtime.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A random program on small arrays of whole numbers, which depends on each of its values; and a serial model of what
 * its values and the gradients of its leaves are when one operation fails. All sums are exact, in any order.
 *
 * @param leaves the elements of the first values
 * @param steps each makes the next value, or the next two
 */
record TapedProgram(List<float[]> leaves, List<Step> steps) {
  private static final int LEAVES = 3;
  private static final int ELEMENTS = 3;
  private static final int LARGEST_LEAF = 2;
  private static final int LARGEST_PRODUCT = 256;
  private static final int LARGEST_SUM = 4096;
  /** How many numbers decide one step and its gradient. */
  private static final int NUMBERS = 4;

  /** The first four are operators whose kernels can fail; the others are Cairn's, which pass failures on. */
  enum Kind {
    ADD,
    SUB,
    MUL,
    /** Two copies of a value. */
    FORK,
    PLUS,
    NEGATE,
    VIEW;

    boolean isUnary() {
      return this == FORK || this == NEGATE || this == VIEW;
    }

    int results() {
      return this == FORK ? 2 : 1;
    }
  }

  /** @param left a value by its place, as {@code right}, which unary kinds do not read */
  record Step(Kind kind, int left, int right) {}

  /** A kernel's call, and the method that makes it. */
  record Operation(int number, String operator, String caller) {}

  /** Elements, if nothing that they depend on has failed. */
  record Value(float[] elements, boolean isFailed) {}

  /**
   * What a run gives.
   *
   * @param gradients of the leaves; null where none arrives
   * @param calls the kernels' calls that run, the one that fails among them
   */
  record Outcome(List<Value> values, List<@Nullable Value> gradients, List<Operation> calls) {}

  static TapedProgram random(long seed) {
    var random = new SplittableRandom(seed);
    List<float[]> leaves = new ArrayList<>();
    var builder = new Builder();
    for (int i = 0; i < LEAVES; i++) {
      float[] leaf = new float[ELEMENTS];
      for (int j = 0; j < ELEMENTS; j++) {
        leaf[j] = random.nextInt(-LARGEST_LEAF, LARGEST_LEAF + 1);
      }
      leaves.add(leaf);
      builder.value(LARGEST_LEAF);
    }
    for (int i = 4 + random.nextInt(8); i > 0; i--) {
      int values = builder.bounds.size();
      builder.step(Kind.values()[random.nextInt(Kind.values().length)], random.nextInt(values), random.nextInt(values));
    }
    while (builder.unused.size() > 1) {
      builder.add(new Step(Kind.ADD, builder.unused.get(0), builder.unused.get(1)));
    }
    return new TapedProgram(leaves, builder.steps);
  }

  private static final class Builder {
    private final List<Step> steps = new ArrayList<>();
    /** How large each value can be. */
    private final List<Integer> bounds = new ArrayList<>();
    private final List<Integer> unused = new ArrayList<>();

    void value(int bound) {
      unused.add(bounds.size());
      bounds.add(bound);
    }

    /** Another kind where numbers would become large. */
    void step(Kind kind, int left, int right) {
      int sum = bounds.get(left) + bounds.get(right);
      boolean isLarge = kind == Kind.MUL
        ? bounds.get(left) * bounds.get(right) > LARGEST_PRODUCT
        : !kind.isUnary() && sum > LARGEST_SUM;
      add(new Step(isLarge ? Kind.NEGATE : kind, left, right));
    }

    void add(Step step) {
      steps.add(step);
      unused.remove((Integer) step.left);
      int bound = bounds.get(step.left);
      if (!step.kind.isUnary()) {
        unused.remove((Integer) step.right);
        int other = bounds.get(step.right);
        bound = step.kind == Kind.MUL ? bound * other : bound + other;
      }
      for (int i = 0; i < step.kind.results(); i++) {
        value(bound);
      }
    }
  }

  /** The number of a step's call; those of its gradient's calls follow. */
  static int number(int step) {
    return NUMBERS * step;
  }

  /** @param failing the number of the call that fails; -1 for none */
  Outcome outcome(int failing) {
    var model = new Model(failing);
    leaves.forEach(it -> model.values.add(new Value(it, false)));
    for (int i = 0; i < steps.size(); i++) {
      model.forward(steps.get(i), number(i));
    }
    @Nullable
    Value[] gradients = new Value[model.values.size()];
    float[] ones = new float[ELEMENTS];
    Arrays.fill(ones, 1);
    gradients[gradients.length - 1] = new Value(ones, false);
    int place = gradients.length;
    for (int i = steps.size() - 1; i >= 0; i--) {
      place -= steps.get(i).kind.results();
      model.backward(steps.get(i), number(i), place, gradients);
    }
    return new Outcome(model.values, Arrays.asList(gradients).subList(0, LEAVES), model.calls);
  }

  private static final class Model {
    private final int failing;
    private final List<Value> values = new ArrayList<>();
    private final List<Operation> calls = new ArrayList<>();

    Model(int failing) {
      this.failing = failing;
    }

    private interface Function {
      float of(float left, float right);
    }

    void forward(Step step, int number) {
      Value left = values.get(step.left);
      Value right = values.get(step.right);
      switch (step.kind) {
        case ADD -> values.add(called(new Operation(number, "t::Add", "add"), Float::sum, left, right));
        case SUB -> values.add(called(new Operation(number, "t::Sub", "sub"), (a, b) -> a - b, left, right));
        case MUL -> values.add(called(new Operation(number, "t::Mul", "mul"), (a, b) -> a * b, left, right));
        case FORK -> {
          Value copy = called(new Operation(number, "t::Fork", "fork"), (a, _) -> a, left, left);
          values.add(copy);
          values.add(copy);
        }
        case PLUS -> values.add(value(Float::sum, left, right));
        case NEGATE -> values.add(value((a, _) -> -a, left, left));
        case VIEW -> values.add(left);
      }
    }

    /** @param place of the step's first result */
    void backward(Step step, int number, int place, @Nullable Value[] gradients) {
      Value head = gradients[place];
      Value other = step.kind == Kind.FORK ? gradients[place + 1] : null;
      if (head == null || other == null) {
        head = head == null ? other : head;
        other = null;
      }
      if (head == null) {
        throw new AssertionError("the program does not depend on a value: step=" + step);
      }
      switch (step.kind) {
        case ADD, PLUS -> {
          give(gradients, step.left, head);
          give(gradients, step.right, head);
        }
        case SUB -> {
          give(gradients, step.left, head);
          give(gradients, step.right, called(new Operation(number + 1, "t::Neg", "backward"), (a, _) -> -a, head,
            head));
        }
        case MUL -> {
          Value left = values.get(step.left);
          Value right = values.get(step.right);
          give(gradients, step.left, called(new Operation(number + 1, "t::Mul", "backward"), (a, b) -> a * b, head,
            right));
          give(gradients, step.right, called(new Operation(number + 2, "t::Mul", "backward"), (a, b) -> a * b, head,
            left));
        }
        case FORK -> give(gradients, step.left, other == null
          ? head
          : called(new Operation(number + 1, "t::Add", "backward"), Float::sum, head, other));
        case NEGATE -> give(gradients, step.left, value((a, _) -> -a, head, head));
        case VIEW -> give(gradients, step.left, head);
      }
    }

    private static void give(@Nullable Value[] gradients, int place, Value term) {
      Value before = gradients[place];
      gradients[place] = before == null ? term : value(Float::sum, before, term);
    }

    private Value called(Operation operation, Function function, Value left, Value right) {
      Value value = value(function, left, right);
      if (value.isFailed) {
        return value;
      }
      calls.add(operation);
      return operation.number == failing ? new Value(value.elements, true) : value;
    }

    private static Value value(Function function, Value left, Value right) {
      float[] elements = new float[ELEMENTS];
      for (int i = 0; i < ELEMENTS; i++) {
        elements[i] = function.of(left.elements[i], right.elements[i]);
        assertThat(Math.abs(elements[i])).as("exact").isLessThan(1 << 24);
      }
      return new Value(elements, left.isFailed || right.isFailed);
    }
  }
}
