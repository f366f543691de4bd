package dev.cairn.runtime.invoke;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds how uses of operators run on one device. It remembers answers up to a limit, and drops the least recently used
 * ones. Reading takes no lock. Thread-safe. Kernels stay prepared with the answers; closing the table frees what they
 * hold.
 *
 * <p>The value of an operand is part of what it remembers only if the operator's rules read it, as the axes of {@code
 * ReduceSum}: a scalar that a kernel merely adds leads to the same answer whatever its value. Which values an operator
 * reads is learnt from its rules.
 */
public final class DispatchTable implements AutoCloseable {
  /** The usual limit. */
  public static final int LIMIT = 4096;

  /** Values of more elements are not remembered: to compare them would take as long as to look again. */
  private static final long MOST_VALUE_ELEMENTS = 64;

  /** A power of two. */
  private static final int RECENT = 512;

  /** A full table drops one in so many entries at once, so that it seldom looks for old ones. */
  private static final int PART_DROPPED = 8;

  private final OperatorTable operators;
  private final KernelCatalog catalog;
  private final int limit;
  private final ConcurrentHashMap<OperatorUse, Entry> entries = new ConcurrentHashMap<>();
  /** For each operator, the operands whose values its rules have read, as bits. */
  private final ConcurrentHashMap<String, Long> valuesRead = new ConcurrentHashMap<>();
  private final AtomicLong misses = new AtomicLong();
  /** Answers by their hash, the last one added of those in one place; any thread may see an older one. */
  private final @Nullable Entry[] recent = new Entry[RECENT];

  /** An answer, and how many misses there had been when it was last given. */
  private static final class Entry {
    private final OperatorUse use;
    private final Dispatch dispatch;
    private volatile long lastUse;
    private volatile boolean isDropped;

    Entry(OperatorUse use, Dispatch dispatch) {
      this.use = use;
      this.dispatch = dispatch;
    }
  }

  /** @param limit how many uses it remembers, at least 1 */
  public DispatchTable(OperatorTable operators, KernelCatalog catalog, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("at least one use is remembered: limit=" + limit);
    }
    this.operators = operators;
    this.catalog = catalog;
    this.limit = limit;
  }

  /**
   * How this use runs, remembered for equal uses. Errors are not remembered.
   *
   * @throws dev.cairn.runtime.operator.ValueDependentShape when a type depends on a value that the use lacks
   * @throws dev.cairn.runtime.graph.InvalidGraph when types or attributes break the operator's rules
   * @throws UnsupportedOperators when there is no such operator, or no kernel for these types
   */
  public Dispatch find(OperatorUse use) {
    return find(use.operator(), use);
  }

  /**
   * Like {@link #find(OperatorUse)}.
   *
   * @param name names the use in errors, such as a graph's node
   */
  public Dispatch find(String name, OperatorUse use) {
    OperatorUse key = key(use);
    Entry known = entries.get(key);
    if (known == null) {
      return add(name, use);
    }
    return used(known);
  }

  private Dispatch used(Entry known) {
    long now = misses.get();
    if (known.lastUse != now) {
      known.lastUse = now;
    }
    return known.dispatch;
  }

  /**
   * The answer for a use of one or two operands that does not depend on their values, if it is at hand; makes no object
   * to look for it.
   *
   * @param second null for a use of one operand
   * @param constants the operands whose values are known, one bit each: there is no answer if the operator's rules read
   *   one of these
   * @return null if {@link #find(OperatorUse)} must look
   */
  public @Nullable Dispatch recent(String operator, Attributes attributes, int results, TensorType first,
    @Nullable TensorType second, long constants) {
    if (constants != 0 && (valuesRead.getOrDefault(operator, 0L) & constants) != 0) {
      return null;
    }
    Entry entry = recent[OperatorUse.hash(operator, attributes, results, first, second) & (RECENT - 1)];
    return entry == null || entry.isDropped || !entry.use.is(operator, attributes, results, first, second)
      ? null
      : used(entry);
  }

  private OperatorUse key(OperatorUse use) {
    return use.hasValues() ? use.withValuesOf(valuesRead.getOrDefault(use.operator(), 0L)) : use;
  }

  private Dispatch add(String name, OperatorUse use) {
    var read = new ReadValues(use);
    Dispatch dispatch = resolve(name, use, read);
    valuesRead.merge(use.operator(), read.operands, (before, more) -> before | more);
    OperatorUse key = key(use);
    if (key.hasValuesBeyond(MOST_VALUE_ELEMENTS)) {
      return dispatch;
    }
    // The caller may free the memory of values.
    var entry = new Entry(key.withCopiedValues(), prepared(dispatch));
    entry.lastUse = misses.incrementAndGet();
    drop(entries.put(entry.use, entry));
    recent[entry.use.hashCode() & (RECENT - 1)] = entry;
    if (entries.size() > limit) {
      dropOldest();
    }
    return entry.dispatch;
  }

  /** The answer as it is kept: nothing in it is the caller's memory. */
  private static Dispatch prepared(Dispatch dispatch) {
    return switch (dispatch) {
      case Dispatch.Fixed(TensorView value) -> new Dispatch.Fixed(HeapTensor.copyOf(value));
      case Dispatch.Compute it when it.kernel().isRebindable() -> it.with(new PreparedKernel(it.kernel()));
      default -> dispatch;
    };
  }

  private static void drop(@Nullable Entry entry) {
    if (entry == null) {
      return;
    }
    entry.isDropped = true;
    if (entry.dispatch instanceof Dispatch.Compute compute && compute.kernel() instanceof PreparedKernel kernel) {
      kernel.close();
    }
  }

  private synchronized void dropOldest() {
    int surplus = entries.size() - limit;
    if (surplus > 0) {
      entries.entrySet().stream().map(it -> new Aged(it.getKey(), it.getValue().lastUse)).sorted(Comparator
        .comparingLong(Aged::lastUse)).limit(surplus + limit / PART_DROPPED)
        .forEach(it -> drop(entries.remove(it.use)));
    }
  }

  private record Aged(OperatorUse use, long lastUse) {}

  /** Frees what idle prepared kernels hold. Calls that still run free theirs when they end. */
  @Override
  public void close() {
    entries.keySet().forEach(it -> drop(entries.remove(it)));
  }

  /** How many uses are remembered. */
  public int size() {
    return entries.size();
  }

  /**
   * How this use runs; remembers nothing. All known values of the use count.
   *
   * @param name names the use in errors, such as a graph's node
   */
  public Dispatch resolve(String name, OperatorUse use) {
    return resolve(name, use, use::value);
  }

  private Dispatch resolve(String name, OperatorUse use, IntFunction<Optional<TensorView>> values) {
    OperatorDefinition row = operators.find(use.operator()).orElseThrow(() -> lack(name, use, "no such operator"));
    var context = new TypeContext(name, new NodeKind.Apply(use.operator(), use.attributes(), use.results()), use
      .types(), values);
    List<TensorType> types = row.resultTypes(context);
    if (row.memory().of(use.attributes()).alias() && types.size() == 1) {
      return new Dispatch.Alias(types.get(0));
    }
    Optional<TensorView> fixed;
    try {
      fixed = row.valueRule().value(context);
    } catch (ArithmeticException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw context.fault(e);
    }
    if (fixed.isPresent()) {
      return new Dispatch.Fixed(fixed.get());
    }
    return compute(use.operator(), new KernelSignature(use.types(), types, use.attributes())).orElseThrow(() -> lack(
      name, use, "no kernel for " + use.types().stream().map(it -> it.map(TensorType::toString).orElse("_")).toList()));
  }

  /** How an operator runs whose result types are known already; empty if no kernel serves them. Remembers nothing. */
  public Optional<Dispatch.Compute> compute(String operator, KernelSignature signature) {
    MemoryTraits memory = operators.find(operator).map(it -> it.memory().of(signature.attributes())).orElse(
      MemoryTraits.NONE);
    return catalog.find(operator, signature).map(row -> {
      // No operand is constant: its values may differ in the next call.
      Kernel kernel = row.kernel().planned(signature, Set.of()).kernel();
      return new Dispatch.Compute(row, kernel, signature, memory, kernel.workspaceBytes(signature));
    });
  }

  private static UnsupportedOperators lack(String name, OperatorUse use, String reason) {
    return new UnsupportedOperators(List.of(new UnsupportedOperators.Gap(name, use.operator(), reason)));
  }

  /** Gives known values to rules, and notes which operands they ask for. */
  private static final class ReadValues implements IntFunction<Optional<TensorView>> {
    private final OperatorUse use;
    private long operands;

    ReadValues(OperatorUse use) {
      this.use = use;
    }

    @Override
    public Optional<TensorView> apply(int operand) {
      if (operand >= Long.SIZE) {
        // No operator reads values of so many operands, so the operator is unknown.
        return Optional.empty();
      }
      operands |= 1L << operand;
      return use.value(operand);
    }
  }
}
