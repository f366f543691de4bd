package dev.cairn.runtime.autograd;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.invoke.OperatorUse;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The uses of operators that a runtime's tapes have recorded, the least recently used dropped first. A use that has a
 * large constant operand is not remembered: to compare it would take as long as to make it again. Thread-safe.
 */
final class TapedUses {
  static final int MOST = 4_096;
  private static final long MOST_VALUE_ELEMENTS = 64;
  /** A power of two. */
  private static final int RECENT = 512;

  private final OperatorRegistry operators;
  private final Map<Key, TapedUse> all = new LinkedHashMap<>(16, 0.75f, true) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<Key, TapedUse> eldest) {
      return size() > MOST;
    }
  };
  private int made;
  /** Usual uses by their hash, so that no object is made to look for them; any thread may see an older one. */
  private final @Nullable TapedUse[] recent = new TapedUse[RECENT];

  /**
   * What decides a use.
   *
   * @param values a hash of the constant operands, which the use's own hash leaves out
   */
  private record Key(OperatorUse use, int values, BitSet taped, List<TensorType> results) {}

  private TapedUses(OperatorRegistry operators) {
    this.operators = operators;
  }

  static TapedUses of(ArrayRuntime runtime) {
    return FollowedCalls.kept(runtime, TapedUses.class, () -> new TapedUses(FollowedCalls.options(runtime)
      .operators()));
  }

  /** @param links of the operands; null for an omitted one */
  TapedUse find(String operator, Attributes attributes, @Nullable TapeLink[] links, List<NDArray> results) {
    TapeLink first = links.length == 1 || links.length == 2 ? links[0] : null;
    TapeLink second = links.length == 2 ? links[1] : null;
    boolean isUsual = results.size() == 1 && isVariable(first) && (links.length == 1 || isVariable(second));
    if (first == null || !isUsual) {
      return found(operator, attributes, links, results);
    }
    TensorType secondType = second == null ? null : second.type();
    int place = OperatorUse.hash(operator, attributes, 1, first.type(), secondType) & (RECENT - 1);
    TapedUse known = recent[place];
    if (known == null || !known.is(operator, attributes, first, second, results.get(0))) {
      known = found(operator, attributes, links, results);
      recent[place] = known;
    }
    return known;
  }

  private static boolean isVariable(@Nullable TapeLink link) {
    return link != null && link.constant() == null;
  }

  private TapedUse found(String operator, Attributes attributes, @Nullable TapeLink[] links, List<NDArray> results) {
    @Nullable
    TensorType[] types = new TensorType[links.length];
    @Nullable
    TensorView[] values = new TensorView[links.length];
    var taped = new BitSet();
    int hash = 0;
    boolean isSmall = true;
    for (int i = 0; i < links.length; i++) {
      TapeLink link = links[i];
      if (link != null) {
        types[i] = link.type();
        taped.set(i, link.place() != null);
        TensorView value = link.constant();
        values[i] = value;
        if (value != null && value.elementCount() > MOST_VALUE_ELEMENTS) {
          isSmall = false;
        } else if (value != null) {
          hash = 31 * hash + Arrays.hashCode(value.segment().toArray(ValueLayout.JAVA_BYTE));
        }
      }
    }
    List<TensorType> resultTypes = results.stream().map(NDArray::type).toList();
    if (!isSmall) {
      return made(operator, attributes, types, values, taped, resultTypes);
    }
    var key = new Key(OperatorUse.of(operator, attributes, resultTypes.size(), types, values), hash, taped,
      resultTypes);
    synchronized (this) {
      TapedUse known = all.get(key);
      if (known != null) {
        return known;
      }
    }
    TapedUse made = made(operator, attributes, types, values, taped, resultTypes);
    synchronized (this) {
      this.made++;
      all.put(new Key(made.use(), hash, taped, resultTypes), made);
    }
    return made;
  }

  /** Makes a use whose values belong to no array. */
  private TapedUse made(String operator, Attributes attributes, @Nullable TensorType[] types,
    @Nullable TensorView[] values, BitSet taped, List<TensorType> results) {
    @Nullable
    TensorView[] copies = new TensorView[values.length];
    for (int i = 0; i < copies.length; i++) {
      TensorView value = values[i];
      copies[i] = value == null ? null : HeapTensor.copyOf(value);
    }
    return new TapedUse(OperatorUse.of(operator, attributes, results.size(), types, copies), operators, types, copies,
      taped, results);
  }

  /** How many uses it has made so far, to remember them. */
  synchronized int made() {
    return made;
  }

  /** How many uses are remembered. */
  synchronized int size() {
    return all.size();
  }
}
