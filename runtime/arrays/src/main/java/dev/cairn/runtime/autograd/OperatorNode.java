package dev.cairn.runtime.autograd;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.SavedArray;
import dev.cairn.runtime.ndarray.TapePlace;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A recorded call of an operator, whose gradient is that of its row. */
final class OperatorNode extends TapeNode {
  private final TapedUse use;
  /** What the row reads, operands before results; null where it does not. */
  private final @Nullable SavedArray[] saved;

  private OperatorNode(ArrayRuntime runtime, TapedUse use, @Nullable TapeLink[] links) {
    super(runtime, use.operator(), links, use.results());
    this.use = use;
    this.saved = new SavedArray[links.length + use.results().size()];
  }

  static OperatorNode of(String operator, Attributes attributes, List<@Nullable NDArray> operands,
    List<NDArray> results) {
    @Nullable
    TapeLink[] links = new TapeLink[operands.size()];
    for (int i = 0; i < links.length; i++) {
      NDArray operand = operands.get(i);
      links[i] = operand == null ? null : TapeLink.of(operand);
    }
    var node = new OperatorNode(results.get(0).runtime(), TapedUses.of(results.get(0).runtime()).find(operator,
      attributes, links, results), links);
    node.orLetGo(() -> node.save(operands, results));
    return node;
  }

  private void save(List<@Nullable NDArray> operands, List<NDArray> results) {
    RowRecipe all = use.all();
    for (int i = 0; i < operands.size(); i++) {
      NDArray operand = operands.get(i);
      if (operand != null && all.readsOperand(i)) {
        saved[i] = SavedArray.of(operand);
      }
    }
    for (int i = 0; i < results.size(); i++) {
      if (all.readsResult(i)) {
        saved[operands.size() + i] = SavedArray.of(results.get(i));
      }
    }
  }

  @Override
  Optional<String> lack() {
    return use.all().lack();
  }

  @Override
  List<RowTerm> gradients(@Nullable SharedGradient[] heads, BitSet wanted, boolean recorded) {
    RowRecipe recipe = use.recipe(heads, wanted);
    int operands = saved.length - heads.length;
    @Nullable
    NDArray[] restored = new NDArray[saved.length];
    for (int i = 0; i < saved.length; i++) {
      if (i < operands ? recipe.readsOperand(i) : recipe.readsResult(i - operands)) {
        restored[i] = restored(i, Objects.requireNonNull(saved[i], name), recorded);
      }
    }
    return recipe.run(runtime, restored, heads);
  }

  private NDArray restored(int index, SavedArray kept, boolean recorded) {
    NDArray array = kept.restored();
    if (recorded) {
      @Nullable
      TapeLink[] links = links();
      TapeLink link = index < links.length ? links[index] : null;
      TapePlace place = index >= links.length
        ? new TapeEntry(this, index - links.length)
        : link == null ? null : link.place();
      if (place != null) {
        FollowedCalls.place(array, new BorrowedPlace(place));
      }
    }
    return array;
  }

  Attributes attributes() {
    return use.attributes();
  }

  @Override
  @Nullable
  SavedArray[] saved() {
    return saved;
  }
}
