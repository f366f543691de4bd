package dev.cairn.runtime.autograd;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.ndarray.CallFollower;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.LeafGradient;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.SavedArray;
import dev.cairn.runtime.ndarray.TapePlace;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One way back along the tape (T-3). It checks everything before the first operation. Nodes come in the reverse of the
 * order that a graph of them would have, and the terms of a gradient are added in the order in which they arise: so the
 * sums have the bits of a planned gradient.
 */
final class BackwardRun {
  private final List<NDArray> ys;
  private final BackwardOptions options;
  /** What gradients are wanted of; null for all leaves. */
  private final @Nullable Set<TapePlace> wanted;
  private final List<TapeNode> order;
  /** The nodes that depend on an array whose gradient is wanted. */
  private final Set<TapeNode> needed = new HashSet<>();
  /** For each wanted place or needed result: its terms so far, and how many links may still bring one. */
  private final Map<TapePlace, GradientSum> sums = new LinkedHashMap<>();
  /** Whether this run reads attached gradients, so that it writes them last. */
  private boolean readsGradients;
  private final Map<LeafGradient, GradientSum> late = new LinkedHashMap<>();

  /** @param wanted null for all leaves */
  BackwardRun(List<NDArray> ys, @Nullable Set<TapePlace> wanted, BackwardOptions options) {
    this.ys = ys;
    this.options = options;
    this.wanted = wanted;
    this.order = order(ys);
    expect();
    check();
  }

  /** Each node after those that it reads, as in a graph with these outputs; without recursion. */
  static List<TapeNode> order(List<NDArray> ys) {
    List<TapeNode> order = new ArrayList<>();
    Set<TapeNode> begun = new HashSet<>();
    Set<TapeNode> ended = new HashSet<>();
    Deque<TapeNode> stack = new ArrayDeque<>();
    for (NDArray y : ys) {
      if (place(y) instanceof TapeEntry(TapeNode root, int _)) {
        stack.push(root);
      }
      while (!stack.isEmpty()) {
        TapeNode node = stack.peek();
        if (begun.add(node)) {
          @Nullable
          TapeLink[] links = node.links();
          for (int i = links.length - 1; i >= 0; i--) {
            TapeLink link = links[i];
            if (link != null && link.place() instanceof TapeEntry(TapeNode below, int _) && !begun.contains(below)) {
              stack.push(below);
            }
          }
        } else {
          stack.pop();
          if (ended.add(node)) {
            order.add(node);
          }
        }
      }
    }
    return order;
  }

  /** Where an array that gradients are taken of, or with respect to, stands. */
  static @Nullable TapePlace place(NDArray array) {
    TapePlace place = FollowedCalls.placeOf(array);
    return place instanceof BorrowedPlace(TapePlace lent) ? lent : place;
  }

  private boolean isWanted(TapePlace place) {
    return wanted == null ? place instanceof LeafGradient && place.isOnTape() : wanted.contains(place);
  }

  /** Finds the nodes on the way, and counts the links that lead to each place. */
  private void expect() {
    for (TapeNode node : order) {
      for (TapeLink link : node.links()) {
        if (link != null && link.place() != null && leads(link.place())) {
          needed.add(node);
          sums.computeIfAbsent(link.place(), it -> new GradientSum(link.type())).expect();
        }
      }
    }
    for (NDArray y : ys) {
      TapePlace place = place(y);
      if (place != null && leads(place)) {
        sums.computeIfAbsent(place, it -> new GradientSum(y.type())).expect();
      }
    }
  }

  /** Whether a gradient is wanted of the place, or of what it was computed from. */
  private boolean leads(TapePlace place) {
    return isWanted(place) || (place instanceof TapeEntry(TapeNode node, int _) && needed.contains(node));
  }

  private void check() {
    if (sums.isEmpty() && wanted == null) {
      throw new IllegalStateException("no array with an attached gradient is in reach: of=%s; attach one before it is "
        .formatted(ys.stream().map(NDArray::type).toList()) + "recorded");
    }
    List<UnsupportedOperators.Gap> gaps = new ArrayList<>();
    for (TapeNode node : order) {
      if (needed.contains(node)) {
        node.requireUnchanged();
        for (SavedArray saved : node.saved()) {
          readsGradients |= saved.isGradient();
        }
        node.lack().ifPresent(it -> gaps.add(new UnsupportedOperators.Gap("tape", node.name, it)));
      }
    }
    if (!gaps.isEmpty()) {
      throw new UnsupportedOperators(gaps);
    }
  }

  boolean reaches(TapePlace place) {
    return sums.containsKey(place);
  }

  /**
   * Pushes all operations.
   *
   * @param heads one for each y; null for ones
   * @return the gradients by place, those of leaves only where places were named; the caller releases them
   */
  Map<TapePlace, GradientSum> run(List<? extends @Nullable NDArray> heads) {
    CallFollower follower = FollowedCalls.follower();
    FollowedCalls.follow(options.createGraph() ? TapeRecorder.INSTANCE : null);
    // Or giving up a node would give up those below it before their turn.
    order.forEach(TapeNode::retain);
    readsGradients |= heads.stream().anyMatch(it -> it != null && FollowedCalls.isGradient(it));
    try {
      for (int i = 0; i < ys.size(); i++) {
        begin(ys.get(i), heads.get(i));
      }
      String site = options.keepsTape() ? "" : FollowedCalls.site();
      for (TapeNode node : order.reversed()) {
        if (needed.contains(node)) {
          visit(node);
        }
        if (!options.keepsTape()) {
          node.giveUp(site);
        }
      }
      late.forEach(BackwardRun::write);
      return sums;
    } finally {
      order.forEach(TapeNode::release);
      FollowedCalls.follow(follower);
    }
  }

  private void begin(NDArray y, @Nullable NDArray head) {
    TapePlace place = place(y);
    if (place == null || !leads(place)) {
      return;
    }
    TensorType type = y.type();
    if (head != null) {
      add(place, new SharedGradient(head, SharedGradient.Bytes.GIVEN));
      return;
    }
    try (var _ = y.runtime().on(y.device())) {
      add(place, new SharedGradient(y.runtime().full(1, type.dtype(), type.shape().extents()),
        SharedGradient.Bytes.OWN));
    }
  }

  private void visit(TapeNode node) {
    int results = node.results().size();
    @Nullable
    SharedGradient[] heads = new SharedGradient[results];
    boolean any = false;
    for (int i = 0; i < results; i++) {
      GradientSum sum = sums.get(new TapeEntry(node, i));
      heads[i] = sum == null ? null : sum.total();
      any |= heads[i] != null;
    }
    @Nullable
    TapeLink[] links = node.links();
    var wantedOperands = new BitSet();
    for (int i = 0; i < links.length; i++) {
      TapeLink link = links[i];
      wantedOperands.set(i, link != null && link.place() != null && leads(link.place()));
    }
    if (any) {
      for (RowTerm term : gradients(node, heads, wantedOperands)) {
        TapeLink link = links[term.operand()];
        String device = link == null ? term.gradient().array().device() : link.device();
        sum(links, term.operand()).add(term.gradient().on(device), options.createGraph());
      }
    }
    for (int i = 0; i < results; i++) {
      SharedGradient head = heads[i];
      if (head != null && !isWanted(new TapeEntry(node, i))) {
        head.release();
      }
    }
    for (int i = wantedOperands.nextSetBit(0); i >= 0; i = wantedOperands.nextSetBit(i + 1)) {
      arrived(place(links, i));
    }
  }

  /** What a row makes from numbers alone lies where its heads do. */
  private List<RowTerm> gradients(TapeNode node, @Nullable SharedGradient[] heads, BitSet wantedOperands) {
    if (FollowedCalls.isOnOneDevice(node.runtime)) {
      return node.gradients(heads, wantedOperands, options.createGraph());
    }
    SharedGradient head = Arrays.stream(heads).filter(Objects::nonNull).findFirst().orElseThrow();
    try (var _ = node.runtime.on(head.array().device())) {
      return node.gradients(heads, wantedOperands, options.createGraph());
    }
  }

  private static TapePlace place(@Nullable TapeLink[] links, int operand) {
    TapeLink link = links[operand];
    if (link == null || link.place() == null) {
      throw new AssertionError("a gradient that nobody wants: operand=" + operand);
    }
    return link.place();
  }

  private GradientSum sum(@Nullable TapeLink[] links, int operand) {
    GradientSum sum = sums.get(place(links, operand));
    if (sum == null) {
      throw new AssertionError("a gradient that was not expected: operand=" + operand);
    }
    return sum;
  }

  private void add(TapePlace place, SharedGradient term) {
    GradientSum sum = sums.get(place);
    if (sum != null) {
      sum.add(term, options.createGraph());
      arrived(place);
    }
  }

  /** One link less may bring a term; the gradient of a leaf is written as soon as it is complete. */
  private void arrived(TapePlace place) {
    GradientSum sum = sums.get(place);
    if (sum != null && sum.arrived() && wanted == null && place instanceof LeafGradient leaf) {
      if (readsGradients) {
        late.put(leaf, sum);
      } else {
        write(leaf, sum);
      }
    }
  }

  private static void write(LeafGradient leaf, GradientSum sum) {
    SharedGradient total = sum.total();
    if (total != null) {
      leaf.accumulate(total.array());
      total.release();
    } else {
      leaf.accumulateZeros();
    }
  }
}
