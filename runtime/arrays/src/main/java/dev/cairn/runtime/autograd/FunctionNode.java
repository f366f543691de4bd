package dev.cairn.runtime.autograd;

import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.SavedArray;
import dev.cairn.runtime.ndarray.TapePlace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A recorded call of a function that brings its own gradient. */
final class FunctionNode extends TapeNode {
  private final List<SavedArray> saved;
  private final TapedGradient gradient;
  /** Where the saved arrays stand on the tape, for gradients of the gradient. */
  private final @Nullable TapePlace[] places;

  /** @throws IllegalStateException when a saved array is closed; then nothing is held */
  FunctionNode(ArrayRuntime runtime, String name, List<NDArray> operands, List<NDArray> results, List<NDArray> saved,
    TapedGradient gradient) {
    super(runtime, name, operands.stream().map(TapeLink::of).toArray(TapeLink[]::new), results.stream().map(
      NDArray::type).toList());
    this.saved = new ArrayList<>();
    this.gradient = gradient;
    this.places = new TapePlace[saved.size()];
    for (int i = 0; i < places.length; i++) {
      int result = results.indexOf(saved.get(i));
      places[i] = result < 0 ? TapeLink.liveOf(saved.get(i)) : new TapeEntry(this, result);
    }
    orLetGo(() -> saved.forEach(it -> this.saved.add(SavedArray.of(it))));
  }

  @Override
  Optional<String> lack() {
    return Optional.empty();
  }

  @Override
  List<RowTerm> gradients(@Nullable SharedGradient[] heads, BitSet wanted, boolean recorded) {
    if (recorded && !gradient.isRecordable()) {
      throw new IllegalStateException("the gradient of a planned function cannot be recorded: function=%s; give it an "
        .formatted(name) + "inlineLimit of Integer.MAX_VALUE");
    }
    List<NDArray> given = new ArrayList<>();
    List<NDArray> temporary = new ArrayList<>();
    for (int i = 0; i < heads.length; i++) {
      SharedGradient head = heads[i];
      if (head == null) {
        NDArray zeros = runtime.zeros(results().get(i).dtype(), results().get(i).shape().extents());
        temporary.add(zeros);
        given.add(zeros);
      } else {
        given.add(head.array());
      }
    }
    List<NDArray> restored = saved.stream().map(SavedArray::restored).toList();
    for (int i = 0; recorded && i < places.length; i++) {
      TapePlace place = places[i];
      if (place != null) {
        FollowedCalls.place(restored.get(i), new BorrowedPlace(place));
      }
    }
    temporary.addAll(restored);
    List<@Nullable NDArray> made = gradient.of(restored, List.copyOf(given), wanted);
    List<RowTerm> terms = terms(made, wanted, given, restored);
    temporary.stream().filter(it -> !made.contains(it)).forEach(NDArray::close);
    return terms;
  }

  private List<RowTerm> terms(List<@Nullable NDArray> made, BitSet wanted, List<NDArray> heads,
    List<NDArray> restored) {
    @Nullable
    TapeLink[] links = links();
    if (made.size() != links.length) {
      throw new IllegalArgumentException("one gradient for each operand: function=%s operands=%d gradients=%d"
        .formatted(name, links.length, made.size()));
    }
    List<RowTerm> terms = new ArrayList<>();
    for (int i = 0; i < links.length; i++) {
      NDArray array = made.get(i);
      TapeLink link = links[i];
      if (array == null || link == null || !wanted.get(i)) {
        continue;
      }
      if (!array.type().equals(link.type())) {
        throw new IllegalArgumentException("a gradient has the type of its operand: function=%s operand=%d type=%s "
          .formatted(name, i, link.type()) + "gradient=" + array.type());
      }
      boolean isShared = heads.contains(array) || restored.contains(array) || made.indexOf(array) != i;
      terms.add(new RowTerm(i, new SharedGradient(isShared ? array.copy() : array, SharedGradient.Bytes.OWN)));
    }
    return terms;
  }

  @Override
  @Nullable
  SavedArray[] saved() {
    return saved.toArray(SavedArray[]::new);
  }

  @Override
  void givenUp() {
    gradient.givenUp();
  }
}
