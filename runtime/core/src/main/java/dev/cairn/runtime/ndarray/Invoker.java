package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.CompositeOperator;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.Footprint;
import dev.cairn.runtime.engine.Operation;
import dev.cairn.runtime.engine.Variable;
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
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Turns a call of an operator into one operation of the engine. Thread-safe. */
final class Invoker {
  private static final int MOST_UNLOOKED = 256;
  private static final long LOOK_NANOS = 20_000;

  private final ArrayRuntime runtime;
  private final DispatchTable table;
  private final ArrayOptions options;
  private final int maxPending;
  private final int lookEvery;
  /** Counted without care: a look more or less at how many are pending changes nothing. */
  private int pushes;

  Invoker(ArrayRuntime runtime, DispatchTable table, ArrayOptions options) {
    this.runtime = runtime;
    this.table = table;
    this.options = options;
    this.maxPending = options.maxPending();
    this.lookEvery = Math.clamp(maxPending / 4, 1, MOST_UNLOOKED);
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
      push(operator, read, written, new Invocation(compute, read, written), ignoresOldValue);
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
    TensorView[] values = new TensorView[operands.length];
    for (int i = 0; i < operands.length; i++) {
      NDArray operand = operands[i];
      if (operand != null) {
        runtime.requireMine(operand, operator);
        types[i] = operand.type();
        values[i] = operand.constantValue();
      }
    }
    return OperatorUse.of(operator, attributes, results, types, values);
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
    return made(operator, compute.results(), written -> push(operator, read, written, new Invocation(compute, read,
      written), false));
  }

  /** New arrays, or none if the push fails. */
  private List<NDArray> made(String operator, List<TensorType> types, Consumer<ArrayRange[]> push) {
    List<NDArray> made = new ArrayList<>();
    boolean pushed = false;
    try {
      for (TensorType type : types) {
        made.add(runtime.newArray(operator, type));
      }
      push.accept(made.stream().map(NDArray::range).toArray(ArrayRange[]::new));
      pushed = true;
      return made;
    } finally {
      if (!pushed) {
        made.forEach(NDArray::closeIfOpen);
      }
    }
  }

  /** Variables that an operation reads and writes besides those of its arrays. */
  record Besides(List<Variable> reads, List<Variable> writes) {
    static final Besides NOTHING = new Besides(List.of(), List.of());
  }

  /** Pushes a function as one operation. */
  List<NDArray> call(String name, List<NDArray> operands, List<TensorType> types, Besides besides,
    ArrayFunction function) {
    runtime.requireOpen();
    operands.forEach(it -> runtime.requireMine(it, name));
    if (types.isEmpty()) {
      throw new IllegalArgumentException("a function without results: name=" + name);
    }
    try {
      ArrayRange[] read = operands.stream().map(NDArray::range).toArray(ArrayRange[]::new);
      return made(name, types, written -> push(name, read, written, besides, () -> function.run(Arrays.stream(read)
        .map(ArrayRange::view).toList(), Arrays.stream(written).map(ArrayRange::taken).toList()), true));
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

  /** @param ignoresOldValue whether a value that was never computed is made good, where everything is written */
  void push(String name, @Nullable ArrayRange[] read, ArrayRange[] written, Runnable work, boolean ignoresOldValue) {
    push(name, read, written, Besides.NOTHING, work, ignoresOldValue);
  }

  private void push(String name, @Nullable ArrayRange[] read, ArrayRange[] written, Besides besides, Runnable work,
    boolean ignoresOldValue) {
    List<Variable> writes = new ArrayList<>(written.length + besides.writes.size());
    writes.addAll(besides.writes);
    boolean overwrites = ignoresOldValue;
    for (ArrayRange range : written) {
      range.storage().requireValues(name);
      range.storage().countWrite();
      writes.add(range.storage().variable);
      overwrites &= range.coversStorage();
    }
    List<Variable> reads = new ArrayList<>(read.length + besides.reads.size());
    reads.addAll(besides.reads);
    for (ArrayRange range : read) {
      // What nobody writes needs no place in the order; the engine refuses what is both read and written.
      if (range != null && !range.storage().isConstant) {
        range.storage().requireValues(name);
        if (!writes.contains(range.storage().variable)) {
          reads.add(range.storage().variable);
        } else {
          overwrites = false;
        }
      }
    }
    throttle();
    String site = runtime.site();
    Operation made = Operation.of(name, Footprint.of(reads, writes), work);
    Operation operation = site == null ? made : made.at(site);
    runtime.engine().push(overwrites ? operation.overwriting() : operation);
  }

  /** a program that runs far ahead waits, but never inside an operation. */
  private void throttle() {
    Engine engine = runtime.engine();
    if (++pushes % lookEvery != 0 || engine.pending() < maxPending || runtime.access().isInside()) {
      return;
    }
    boolean interrupted = false;
    while (engine.pending() > maxPending / 2) {
      LockSupport.parkNanos(this, LOOK_NANOS);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<String> types(@Nullable NDArray[] operands) {
    return Arrays.stream(operands).map(it -> it == null ? "_" : it.type().toString()).toList();
  }
}
