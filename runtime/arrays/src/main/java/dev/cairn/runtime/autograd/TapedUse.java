package dev.cairn.runtime.autograd;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.invoke.OperatorUse;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A use of an operator while a thread records, and the recipes of its gradients: for calls of the same operator,
 * attributes and types, whose same operands are on the tape. Remembered. Thread-safe.
 */
final class TapedUse {
  private static final int MOST = 4_096;
  /** A power of two. */
  private static final int RECENT = 512;
  private static final ConcurrentHashMap<Key, TapedUse> ALL = new ConcurrentHashMap<>();
  /** Usual uses by their hash, so that no object is made to look for them; any thread may see an older one. */
  private static final @Nullable TapedUse[] RECENTLY = new TapedUse[RECENT];

  private final OperatorUse use;
  private final OperatorRegistry operators;
  private final @Nullable TensorType[] types;
  private final @Nullable TensorView[] values;
  private final List<TensorType> results;
  /** The operands that are on the tape. */
  private final BitSet taped;
  private final RowRecipe all;
  private final ConcurrentHashMap<Flow, RowRecipe> others = new ConcurrentHashMap<>();

  /** What decides a use. */
  private record Key(OperatorUse use, OperatorRegistry operators, BitSet taped, List<TensorType> results) {}

  /** The results to which a gradient flows, and the operands whose gradients are wanted. */
  private record Flow(BitSet heads, BitSet wanted) {}

  /** Its values are no array's. */
  private TapedUse(Key key, @Nullable TensorType[] types, @Nullable TensorView[] values) {
    this.use = key.use;
    this.operators = key.operators;
    this.types = types;
    this.values = values;
    this.results = key.results;
    this.taped = key.taped;
    var floats = new BitSet();
    for (int i = 0; i < results.size(); i++) {
      floats.set(i, results.get(i).dtype().isFloat());
    }
    this.all = made(floats, taped);
  }

  /** @param links of the operands; null for an omitted one */
  static TapedUse of(String operator, Attributes attributes, @Nullable TapeLink[] links, List<NDArray> results) {
    OperatorRegistry operators = FollowedCalls.options(results.get(0).runtime()).operators();
    TapeLink first = links.length == 1 || links.length == 2 ? links[0] : null;
    TapeLink second = links.length == 2 ? links[1] : null;
    boolean isUsual = results.size() == 1 && isVariable(first) && (links.length == 1 || isVariable(second));
    if (first == null || !isUsual) {
      return found(operator, attributes, links, results, operators);
    }
    TensorType secondType = second == null ? null : second.type();
    int place = OperatorUse.hash(operator, attributes, 1, first.type(), secondType) & (RECENT - 1);
    TapedUse known = RECENTLY[place];
    if (known == null || !known.use.is(operator, attributes, 1, first.type(), secondType) || !known.isOf(operators,
      first, second, results.get(0))) {
      known = found(operator, attributes, links, results, operators);
      RECENTLY[place] = known;
    }
    return known;
  }

  private static boolean isVariable(@Nullable TapeLink link) {
    return link != null && link.constant() == null;
  }

  private boolean isOf(OperatorRegistry others, TapeLink first, @Nullable TapeLink second, NDArray result) {
    return operators.equals(others) && taped.get(0) == (first.place() != null) && taped.get(1) == (second != null
      && second.place() != null) && results.get(0).equals(result.type());
  }

  private static TapedUse found(String operator, Attributes attributes, @Nullable TapeLink[] links,
    List<NDArray> results, OperatorRegistry operators) {
    @Nullable
    TensorType[] types = new TensorType[links.length];
    @Nullable
    TensorView[] values = new TensorView[links.length];
    var taped = new BitSet();
    for (int i = 0; i < links.length; i++) {
      TapeLink link = links[i];
      if (link != null) {
        types[i] = link.type();
        values[i] = link.constant();
        taped.set(i, link.place() != null);
      }
    }
    List<TensorType> resultTypes = results.stream().map(NDArray::type).toList();
    var use = OperatorUse.of(operator, attributes, resultTypes.size(), types, values);
    TapedUse known = ALL.get(new Key(use, operators, taped, resultTypes));
    return known != null ? known : added(use, types, values, new Key(use, operators, taped, resultTypes));
  }

  private static TapedUse added(OperatorUse use, @Nullable TensorType[] types, @Nullable TensorView[] values, Key key) {
    @Nullable
    TensorView[] copies = Arrays.stream(values).map(it -> it == null ? null : HeapTensor.copyOf(it)).toArray(
      TensorView[]::new);
    var own = new Key(OperatorUse.of(use.operator(), use.attributes(), use.results(), types, copies), key.operators,
      key.taped, key.results);
    var made = new TapedUse(own, types, copies);
    if (ALL.size() >= MOST) {
      ALL.clear();
    }
    ALL.put(own, made);
    return made;
  }

  private RowRecipe made(BitSet heads, BitSet wanted) {
    var kind = new NodeKind.Apply(use.operator(), use.attributes(), use.results());
    return RowRecipe.of(new RowRecipe.Use(kind, Arrays.asList(types), Arrays.asList(values), results), operators
      .table(), heads, wanted);
  }

  String operator() {
    return use.operator();
  }

  Attributes attributes() {
    return use.attributes();
  }

  List<TensorType> results() {
    return results;
  }

  /** The recipe of gradients to all operands on the tape, from all results that can have one. */
  RowRecipe all() {
    return all;
  }

  /**
   * The recipe of some gradients.
   *
   * @param heads one for each result; null where none flows
   * @param wanted the operands whose gradients are wanted
   */
  RowRecipe recipe(@Nullable SharedGradient[] heads, BitSet wanted) {
    boolean isAll = wanted.equals(taped);
    for (int i = 0; i < heads.length; i++) {
      isAll &= (heads[i] != null) == results.get(i).dtype().isFloat();
    }
    return isAll ? all : other(heads, (BitSet) wanted.clone());
  }

  private RowRecipe other(@Nullable SharedGradient[] heads, BitSet wanted) {
    var flowing = new BitSet();
    for (int i = 0; i < heads.length; i++) {
      flowing.set(i, heads[i] != null);
    }
    return others.computeIfAbsent(new Flow(flowing, wanted), it -> made(it.heads, it.wanted));
  }
}
