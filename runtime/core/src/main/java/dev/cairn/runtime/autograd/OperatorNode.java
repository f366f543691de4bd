package dev.cairn.runtime.autograd;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.invoke.OperatorUse;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.SavedArray;
import dev.cairn.runtime.ndarray.TapePlace;
import dev.cairn.runtime.pass.gradient.GradientOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A recorded call of an operator, whose gradient is that of its row. */
final class OperatorNode extends TapeNode {
  private static final int MOST_RECIPES = 4_096;
  private static final ConcurrentHashMap<Key, RowRecipe> RECIPES = new ConcurrentHashMap<>();

  private final OperatorUse use;
  /** What the row reads, operands before results; null where it does not. */
  private final @Nullable SavedArray[] saved;
  private final RowRecipe all;
  private final BitSet taped;

  /** What decides a recipe. */
  private record Key(OperatorUse use, OperatorRegistry operators, BitSet heads, BitSet wanted) {}

  private OperatorNode(ArrayRuntime runtime, OperatorUse use, @Nullable TapeLink[] links, List<NDArray> results,
    BitSet taped) {
    super(runtime, use.operator(), links, results.stream().map(NDArray::type).toList());
    this.use = use;
    this.taped = taped;
    this.saved = new SavedArray[links.length + results.size()];
    this.all = recipe(floats(), taped);
  }

  static OperatorNode of(ArrayRuntime runtime, String operator, Attributes attributes,
    List<@Nullable NDArray> operands, List<NDArray> results) {
    @Nullable
    TapeLink[] links = new TapeLink[operands.size()];
    @Nullable
    TensorType[] types = new TensorType[links.length];
    @Nullable
    TensorView[] values = new TensorView[links.length];
    var taped = new BitSet();
    for (int i = 0; i < links.length; i++) {
      NDArray operand = operands.get(i);
      if (operand != null) {
        TapeLink link = TapeLink.of(operand);
        links[i] = link;
        types[i] = link.type();
        values[i] = link.constant();
        taped.set(i, link.place() != null);
      }
    }
    var use = OperatorUse.of(operator, attributes, results.size(), types, values);
    var node = new OperatorNode(runtime, use, links, results, taped);
    for (int i = 0; i < links.length; i++) {
      NDArray operand = operands.get(i);
      if (operand != null && node.all.readsOperand(i)) {
        node.saved[i] = SavedArray.of(operand);
      }
    }
    for (int i = 0; i < results.size(); i++) {
      if (node.all.readsResult(i)) {
        node.saved[links.length + i] = SavedArray.of(results.get(i));
      }
    }
    return node;
  }

  private BitSet floats() {
    var floats = new BitSet();
    for (int i = 0; i < results().size(); i++) {
      floats.set(i, results().get(i).dtype().isFloat());
    }
    return floats;
  }

  private RowRecipe recipe(BitSet heads, BitSet wanted) {
    OperatorRegistry operators = FollowedCalls.options(runtime).operators();
    var key = new Key(use, operators, heads, wanted);
    RowRecipe known = RECIPES.get(key);
    if (known != null) {
      return known;
    }
    RowRecipe made = made(heads, wanted);
    if (RECIPES.size() >= MOST_RECIPES) {
      RECIPES.clear();
    }
    RECIPES.put(new Key(copied(), operators, heads, (BitSet) wanted.clone()), made);
    return made;
  }

  /** Over values that no array holds. */
  private RowRecipe made(BitSet heads, BitSet wanted) {
    List<@Nullable TensorType> types = new ArrayList<>();
    for (TapeLink link : links()) {
      types.add(link == null ? null : link.type());
    }
    var kind = new NodeKind.Apply(use.operator(), use.attributes(), use.results());
    OperatorRegistry operators = FollowedCalls.options(runtime).operators();
    return RowRecipe.of(new RowRecipe.Use(kind, types, Arrays.asList(copiedValues()), results()),
      operators.gradients(GradientOptions.DEFAULT.table()).find(use.operator()), operators.table(), heads, wanted);
  }

  private OperatorUse copied() {
    @Nullable
    TensorType[] types = Arrays.stream(links()).map(it -> it == null ? null : it.type()).toArray(TensorType[]::new);
    return OperatorUse.of(use.operator(), use.attributes(), use.results(), types, copiedValues());
  }

  private @Nullable TensorView[] copiedValues() {
    @Nullable
    TapeLink[] links = links();
    @Nullable
    TensorView[] values = new TensorView[links.length];
    for (int i = 0; i < links.length; i++) {
      TapeLink link = links[i];
      TensorView value = link == null ? null : link.constant();
      values[i] = value == null ? null : HeapTensor.copyOf(value);
    }
    return values;
  }

  @Override
  Optional<String> lack() {
    return all.lack();
  }

  @Override
  List<RowTerm> gradients(@Nullable SharedGradient[] heads, BitSet wanted, boolean recorded) {
    var flowing = new BitSet();
    for (int i = 0; i < heads.length; i++) {
      flowing.set(i, heads[i] != null);
    }
    RowRecipe recipe = wanted.equals(taped) && flowing.equals(floats()) ? all : recipe(flowing, wanted);
    @Nullable
    TapeLink[] links = links();
    @Nullable
    NDArray[] restored = new NDArray[saved.length];
    for (int i = 0; i < saved.length; i++) {
      SavedArray kept = saved[i];
      boolean isRead = i < links.length ? recipe.readsOperand(i) : recipe.readsResult(i - links.length);
      if (isRead) {
        restored[i] = restored(i, Objects.requireNonNull(kept, name), recorded);
      }
    }
    return recipe.run(runtime, restored, heads);
  }

  private NDArray restored(int index, SavedArray kept, boolean recorded) {
    @Nullable
    TapeLink[] links = links();
    NDArray array = kept.restored();
    TapeLink link = index < links.length ? links[index] : null;
    TapePlace place = index < links.length
      ? link == null ? null : link.place()
      : new TapeEntry(this, index - links.length);
    if (recorded && place != null) {
      FollowedCalls.place(array, new BorrowedPlace(place));
    }
    return array;
  }

  OperatorUse use() {
    return use;
  }

  @Override
  List<SavedArray> saved() {
    List<SavedArray> there = new ArrayList<>();
    for (SavedArray it : saved) {
      if (it != null) {
        there.add(it);
      }
    }
    return there;
  }
}
