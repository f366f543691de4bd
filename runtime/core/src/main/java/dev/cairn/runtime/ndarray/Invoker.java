package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.CompositeOperator;
import dev.cairn.runtime.expression.OperatorCalls;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.invoke.DispatchTable;
import dev.cairn.runtime.invoke.OperatorUse;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns a call of an operator into one operation of the engine. Thread-safe. */
final class Invoker {
  private final ArrayRuntime runtime;
  private final DispatchTable table;
  private final ArrayOptions options;
  private final ArrayPushes pushes;

  Invoker(ArrayRuntime runtime, DispatchTable table, ArrayOptions options) {
    this.runtime = runtime;
    this.table = table;
    this.options = options;
    this.pushes = new ArrayPushes(runtime, options.maxPending());
  }

  List<NDArray> apply(String operator, Attributes attributes, int results, List<@Nullable NDArray> operands) {
    runtime.requireOpen();
    if (operator.equals(OperatorCalls.CONSTANT)) {
      return List.of(constant(attributes));
    }
    Optional<CompositeOperator> composite = options.operators().composite(operator);
    if (composite.isPresent()) {
      try {
        return composite.get().results(operands, attributes, results);
      } catch (StackOverflowError e) {
        throw new IllegalArgumentException("composite operators are nested too deeply, or contain each other: operator="
          + operator, e);
      }
    }
    CallFollower follower = FollowedCalls.follower();
    if (follower == null) {
      return run(operator, attributes, results, operands);
    }
    List<NDArray> made = follower.answer(runtime, operator, attributes, results, operands);
    if (made == null) {
      made = run(operator, attributes, results, operands);
      follower.ran(operator, attributes, operands, made);
    }
    return made;
  }

  private List<NDArray> run(String operator, Attributes attributes, int results, List<@Nullable NDArray> operands) {
    @Nullable
    NDArray[] given = operands.toArray(NDArray[]::new);
    try {
      return switch (dispatch(operator, attributes, results, given, true)) {
        case Dispatch.Alias(TensorType result) -> List.of(Objects.requireNonNull(given[0]).viewedAs(result, 0));
        case Dispatch.Fixed(TensorView value) -> List.of(runtime.copyOf(value));
        case Dispatch.Compute compute -> computed(operator, compute, given);
      };
    } finally {
      // Or an operand that is not named again could be found forgotten, and freed, before its use is pushed.
      Reference.reachabilityFence(operands);
    }
  }

  ArrayPushes pushes() {
    return pushes;
  }

  ArrayOptions options() {
    return options;
  }

  private NDArray constant(Attributes attributes) {
    if (attributes.find("value").orElse(null) instanceof AttributeValue.Tensor(TensorView value)) {
      return runtime.constant(value);
    }
    throw new IllegalArgumentException("a constant needs a tensor: attribute=value given=" + attributes);
  }

  /** Writes the operator's only result into an array. */
  void applyInto(NDArray target, String operator, Attributes attributes, List<NDArray> operands,
    boolean ignoresOldValue) {
    runtime.requireOpen();
    target.requireWritable(operands);
    @Nullable
    NDArray[] given = operands.toArray(NDArray[]::new);
    Dispatch dispatch = dispatch(operator, attributes, 1, given, true);
    if (!(dispatch instanceof Dispatch.Compute compute) || !compute.results().get(0).equals(target.type())) {
      throw new IllegalArgumentException("%s%s cannot be written into an array: result=%s array=%s".formatted(operator,
        types(given), dispatch.results(), target.type()));
    }
    List<NDArray> copies = new ArrayList<>();
    try {
      @Nullable
      ArrayRange[] read = ranges(given);
      for (int i = 0; i < read.length; i++) {
        NDArray operand = given[i];
        if (operand != null && mustBeCopied(operand.range(), target.range(), compute, i)) {
          NDArray copy = operand.copy();
          copies.add(copy);
          read[i] = copy.range();
        }
      }
      var written = new ArrayRange[] {target.range()};
      pushes.push(operator, read, written, new Invocation(compute, read, written), ignoresOldValue);
    } finally {
      copies.forEach(NDArray::close);
      Reference.reachabilityFence(operands);
      Reference.reachabilityFence(target);
    }
  }

  /** Whether the kernel would read what it has overwritten. */
  private static boolean mustBeCopied(ArrayRange operand, ArrayRange target, Dispatch.Compute compute, int index) {
    return operand.overlaps(target) && !(operand.equals(target) && compute.memory().allowsInPlace(index, 0));
  }

  /** @param waits whether to wait for values that types depend on */
  Dispatch dispatch(String operator, Attributes attributes, int results, @Nullable NDArray[] operands, boolean waits) {
    try {
      OperatorUse use = use(operator, attributes, results, operands);
      return waits ? found(use, operands) : table.find(use);
    } catch (InvalidGraph | UnsupportedOperators e) {
      if (!waits && e instanceof ValueDependentShape) {
        throw e;
      }
      throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
    }
  }

  private OperatorUse use(String operator, Attributes attributes, int results, @Nullable NDArray[] operands) {
    @Nullable
    TensorType[] types = new TensorType[operands.length];
    @Nullable
    TensorView @Nullable [] values = null;
    for (int i = 0; i < operands.length; i++) {
      NDArray operand = operands[i];
      if (operand != null) {
        runtime.requireMine(operand, operator);
        types[i] = operand.type();
        TensorView value = operand.constantValue();
        if (value != null) {
          values = values == null ? new TensorView[operands.length] : values;
          values[i] = value;
        }
      }
    }
    return values == null
      ? OperatorUse.of(operator, attributes, results, types)
      : OperatorUse.of(operator, attributes, results, types, values);
  }

  /** Values that types depend on are waited for (I-4). */
  private Dispatch found(OperatorUse first, @Nullable NDArray[] operands) {
    OperatorUse use = first;
    while (true) {
      try {
        return table.find(use);
      } catch (ValueDependentShape e) {
        NDArray operand = operands[e.input()];
        if (operand == null || use.hasValue(e.input())) {
          throw e;
        }
        use = use.withValue(e.input(), operand.toHost());
      }
    }
  }

  private List<NDArray> computed(String operator, Dispatch.Compute compute, @Nullable NDArray[] operands) {
    @Nullable
    ArrayRange[] read = ranges(operands);
    NDArray[] made = newArrays(operator, compute.results(), compute.requests());
    try {
      ArrayRange[] written = written(made);
      pushes.push(operator, read, written, new Invocation(compute, read, written), false);
      return made.length == 1 ? List.of(made[0]) : List.of(made);
    } catch (RuntimeException | Error e) {
      close(made);
      throw e;
    }
  }

  /** @param requests what memory they need; null to make the requests, which is done anyway where lines are noted */
  private NDArray[] newArrays(String operation, List<TensorType> types, @Nullable List<AllocationRequest> requests) {
    List<AllocationRequest> known = options.engine().captureSites() ? null : requests;
    var made = new NDArray[types.size()];
    try {
      for (int i = 0; i < made.length; i++) {
        TensorType type = types.get(i);
        made[i] = known == null ? runtime.newArray(operation, type) : runtime.newArray(known.get(i), type);
      }
      return made;
    } catch (RuntimeException | Error e) {
      close(made);
      throw e;
    }
  }

  private static ArrayRange[] written(NDArray[] made) {
    var written = new ArrayRange[made.length];
    for (int i = 0; i < made.length; i++) {
      written[i] = made[i].range();
    }
    return written;
  }

  /** Where a push fails, its results are closed. */
  private static void close(@Nullable NDArray[] made) {
    for (NDArray array : made) {
      if (array != null) {
        array.closeIfOpen();
      }
    }
  }

  /** Pushes a function as one operation. */
  List<NDArray> call(String name, List<NDArray> operands, List<TensorType> types, ArrayPushes.Besides besides,
    ArrayFunction function) {
    runtime.requireOpen();
    operands.forEach(it -> runtime.requireMine(it, name));
    if (types.isEmpty()) {
      throw new IllegalArgumentException("a function without results: name=" + name);
    }
    NDArray[] made = newArrays(name, types, null);
    try {
      ArrayRange[] read = operands.stream().map(NDArray::range).toArray(ArrayRange[]::new);
      ArrayRange[] written = written(made);
      pushes.push(name, read, written, besides,
        () -> function.run(Arrays.stream(read).map(ArrayRange::view).toList(), Arrays
          .stream(written).map(ArrayRange::taken).toList()),
        true);
      return List.of(made);
    } catch (RuntimeException | Error e) {
      close(made);
      throw e;
    } finally {
      Reference.reachabilityFence(operands);
    }
  }

  private static @Nullable ArrayRange[] ranges(@Nullable NDArray[] operands) {
    @Nullable
    ArrayRange[] ranges = new ArrayRange[operands.length];
    for (int i = 0; i < ranges.length; i++) {
      NDArray operand = operands[i];
      ranges[i] = operand == null ? null : operand.range();
    }
    return ranges;
  }

  private static List<String> types(@Nullable NDArray[] operands) {
    return Arrays.stream(operands).map(it -> it == null ? "_" : it.type().toString()).toList();
  }
}
