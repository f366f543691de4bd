package dev.cairn.runtime.session;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.parts.PlanRate;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The inputs whose values decide shapes, such as the new shape of a {@code Reshape}, as the compiler has found them. A
 * plan is made for their values as for the types of all inputs, so such a model is planned, too. Thread-safe.
 *
 * <p>If the values change too often, new plans cost more than they save. If a session on the processor would make more
 * than {@value PlanRate#MOST_PLANS} such plans in {@value PlanRate#WINDOW} runs, it gives up all its plans and runs the
 * model node by node from then on.
 */
final class ShapeValues {
  /** The most elements that all these inputs may have together. */
  static final long MOST_ELEMENTS = 1_024;
  /** The most elements of an input of real numbers: scales, not data. */
  static final long MOST_REALS = 16;

  private final PlanRate rate = new PlanRate();
  private volatile Set<String> names = Set.of();

  /** Counts a run. */
  synchronized void countRun() {
    rate.countRun();
  }

  /**
   * The key of a plan for these inputs.
   *
   * @param values the bytes of an input, by name
   */
  PlanKey key(Map<String, TensorType> types, Function<String, ByteBuffer> values) {
    Map<String, ByteBuffer> read = new HashMap<>();
    names.forEach(name -> read.put(name, values.apply(name)));
    return new PlanKey(types, read);
  }

  /**
   * Adds inputs.
   *
   * @return whether plans can be made for their values; false if they are too many, or known already
   */
  synchronized boolean add(Set<String> found, Map<String, TensorType> types) {
    Set<String> all = new TreeSet<>(names);
    if (!all.addAll(found) || !areSmall(all, types)) {
      return false;
    }
    names = Set.copyOf(all);
    return true;
  }

  /** Whether values of these inputs are few enough to plan for. */
  static boolean areSmall(Set<String> inputs, Map<String, TensorType> types) {
    long elements = 0;
    for (String input : inputs) {
      TensorType type = types.get(input);
      if (type == null || (type.dtype().isFloat() && type.shape().elementCount() > MOST_REALS)) {
        return false;
      }
      elements += type.shape().elementCount();
    }
    return elements <= MOST_ELEMENTS;
  }

  /** Why no plan should be made for these values: they are too many, or change too often. Empty otherwise. */
  synchronized Optional<String> noPlanReason(PlanKey key) {
    if (!areSmall(key.values().keySet(), key.types())) {
      return Optional.of("the inputs that decide shapes have too many elements: inputs=" + new TreeSet<>(key.values()
        .keySet()));
    }
    return rate.isHigh() && !key.values().isEmpty()
      ? Optional
        .of("the values of inputs that decide shapes change often: inputs=" + new TreeSet<>(key.values().keySet()))
      : Optional.empty();
  }

  /** Counts a new plan, if it was made for values. */
  synchronized void countPlan(PlanKey key) {
    if (!key.values().isEmpty()) {
      rate.countPlan();
    }
  }
}
