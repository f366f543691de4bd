package dev.cairn.runtime.autograd;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.SavedArray;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One recorded call. It holds what its gradient reads until a backward gives it up, or neither an open array nor a
 * later node needs it.
 */
abstract class TapeNode {
  final ArrayRuntime runtime;
  final String name;
  private final List<TensorType> results;
  /** How many open arrays and later nodes need this one. */
  private final AtomicInteger holders = new AtomicInteger();
  private volatile @Nullable TapeLink @Nullable [] links;
  private @Nullable String givenUpAt;

  /** @param links one for each operand; null for an omitted one */
  TapeNode(ArrayRuntime runtime, String name, @Nullable TapeLink[] links, List<TensorType> results) {
    this.runtime = runtime;
    this.name = name;
    this.links = links;
    this.results = List.copyOf(results);
  }

  /**
   * The gradients of the operands.
   *
   * @param heads one for each result; null where none flows
   * @param wanted the operands whose gradients are wanted
   */
  abstract List<RowTerm> gradients(@Nullable SharedGradient[] heads, BitSet wanted, boolean recorded);

  /** Why there is no gradient. */
  abstract Optional<String> lack();

  /** What the gradient reads; null where it reads nothing. */
  abstract @Nullable SavedArray[] saved();

  /** Is called once, when the node is not needed any more. */
  void givenUp() {}

  boolean isThere() {
    return links != null;
  }

  /** @throws IllegalStateException when it was given up */
  @Nullable
  TapeLink[] links() {
    @Nullable
    TapeLink[] there = links;
    if (there == null) {
      throw new IllegalStateException("the tape was given up by an earlier backward: operation=%s backward=%s; let "
        .formatted(name, givenUpAt == null ? "closed arrays" : givenUpAt)
        + "that retain it, with BackwardOptions.withRetain(true)");
    }
    return there;
  }

  List<TensorType> results() {
    return results;
  }

  void retain() {
    holders.incrementAndGet();
  }

  void release() {
    if (holders.decrementAndGet() == 0) {
      giveUp(null);
    }
  }

  /**
   * Lets go of what the gradient reads.
   *
   * @param site the line of the backward; null if nothing needs the node any more
   */
  void giveUp(@Nullable String site) {
    // This uses no recursion, as a tape may be long.
    if (!isThere()) {
      return;
    }
    Deque<TapeNode> left = new ArrayDeque<>();
    drop(site, left);
    while (!left.isEmpty()) {
      TapeNode node = left.pop();
      if (node.holders.decrementAndGet() == 0) {
        node.drop(null, left);
      }
    }
  }

  /** Runs a part of the node's making; what it throws leaves nothing held. */
  final void orLetGo(Runnable making) {
    boolean isDone = false;
    try {
      making.run();
      isDone = true;
    } finally {
      if (!isDone) {
        giveUp(null);
      }
    }
  }

  /** @param released takes the nodes that this one needed */
  private synchronized void drop(@Nullable String site, Deque<TapeNode> released) {
    @Nullable
    TapeLink[] there = links;
    if (there == null) {
      return;
    }
    links = null;
    givenUpAt = site;
    for (SavedArray saved : saved()) {
      if (saved != null) {
        saved.close();
      }
    }
    givenUp();
    for (TapeLink link : there) {
      if (link != null && link.place() instanceof TapeEntry(TapeNode node, int _)) {
        released.add(node);
      }
    }
  }

  /** @throws IllegalStateException when an array that the gradient reads was overwritten (T-6) */
  void requireUnchanged() {
    List<String> overwritten = new ArrayList<>();
    for (SavedArray saved : saved()) {
      if (saved != null && saved.isOverwritten()) {
        overwritten.add(saved.toString());
      }
    }
    if (!overwritten.isEmpty()) {
      throw new IllegalStateException("an array that the gradient needs was overwritten after it was recorded: "
        + "operation=%s arrays=%s; write to a copy, or after the backward".formatted(name, overwritten));
    }
  }

  /** Gives the results their places. */
  void place(List<NDArray> arrays) {
    for (int i = 0; i < arrays.size(); i++) {
      if (results.get(i).dtype().isFloat()) {
        retain();
        FollowedCalls.place(arrays.get(i), new TapeEntry(this, i));
      }
    }
  }

  @Override
  public String toString() {
    return name + Arrays.toString(links);
  }
}
