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
import java.util.SequencedMap;
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
  /** The places whose gradients are wanted; null for all leaves. */
  private final @Nullable Set<TapePlace> wanted;
  /** One for each node, after those of the nodes that it reads. */
  private final SequencedMap<TapeNode, Visit> visits = new LinkedHashMap<>();
  private final Map<TapePlace, GradientSum> leaves = new LinkedHashMap<>();
  /** Whether this run reads attached gradients, so that it writes them last. */
  private boolean readsGradients;
  private final List<GradientSum> late = new ArrayList<>();

  /** A node on the way back. */
  private static final class Visit {
    private final TapeNode node;
    /** The gradient of each result while its terms arrive; null where none is wanted. */
    private final @Nullable GradientSum[] heads;
    /** Where the gradient of each operand goes; null where none is wanted. */
    private final @Nullable GradientSum[] targets;
    /** The operands whose gradients are wanted. */
    private final BitSet wanted = new BitSet();

    Visit(TapeNode node) {
      this.node = node;
      this.heads = new GradientSum[node.results().size()];
      this.targets = new GradientSum[node.links().length];
    }

    /** Whether it depends on an array whose gradient is wanted. */
    boolean isNeeded() {
      return !wanted.isEmpty();
    }

    GradientSum target(int operand) {
      return Objects.requireNonNull(targets[operand], "a gradient that nothing wants");
    }
  }

  /** @param wanted null for all leaves */
  BackwardRun(List<NDArray> ys, @Nullable Set<TapePlace> wanted, BackwardOptions options) {
    this.ys = ys;
    this.options = options;
    this.wanted = wanted;
    order(ys).forEach(it -> visits.put(it, new Visit(it)));
    expect();
    check();
  }

  /** Like {@link Autograd#backward(List, List, BackwardOptions)}. */
  static void backward(List<NDArray> ys, List<? extends @Nullable NDArray> heads, BackwardOptions options) {
    requireRecorded(ys, heads);
    new BackwardRun(List.copyOf(ys), null, options).run(heads);
  }

  /** @throws IllegalStateException when an array is not on a tape, or this thread sketches */
  static void requireRecorded(List<NDArray> ys, List<? extends @Nullable NDArray> heads) {
    if (TapeRecorder.isSketching()) {
      throw new IllegalStateException("a function that is being sketched cannot go backwards; record its call instead");
    }
    if (ys.isEmpty() || heads.size() != ys.size()) {
      throw new IllegalArgumentException("one head for each array is wanted: arrays=%d heads=%d".formatted(ys.size(),
        heads.size()));
    }
    for (int i = 0; i < ys.size(); i++) {
      NDArray y = ys.get(i);
      NDArray head = heads.get(i);
      if (place(y) == null) {
        throw new IllegalStateException("nothing was recorded for this array: array=%s; compute it while "
          .formatted(y.type()) + "Autograd.record() is open, from an array with an attached gradient");
      }
      if (head != null && !head.type().equals(y.type())) {
        throw new IllegalArgumentException("a head gradient has the array's type: array=%s head=%s".formatted(y.type(),
          head.type()));
      }
    }
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

  /** The place on the tape of an array that gradients are taken of, or with respect to. */
  static @Nullable TapePlace place(NDArray array) {
    TapePlace place = FollowedCalls.placeOf(array);
    return place instanceof BorrowedPlace(TapePlace lent) ? lent : place;
  }

  private boolean isWanted(TapePlace place) {
    return wanted == null ? place instanceof LeafGradient && place.isOnTape() : wanted.contains(place);
  }

  /** Finds where gradients go, and counts how many ways lead there. */
  private void expect() {
    for (Visit visit : visits.values()) {
      @Nullable
      TapeLink[] links = visit.node.links();
      for (int i = 0; i < links.length; i++) {
        TapeLink link = links[i];
        GradientSum sum = link == null || link.place() == null ? null : sum(link.place(), link.type());
        if (sum != null) {
          sum.expect();
          visit.targets[i] = sum;
          visit.wanted.set(i);
        }
      }
    }
    for (NDArray y : ys) {
      TapePlace place = place(y);
      GradientSum sum = place == null ? null : sum(place, y.type());
      if (sum != null) {
        sum.expect();
      }
    }
  }

  /** The sum of a place; null where no gradient is wanted of it, nor of what it was computed from. */
  private @Nullable GradientSum sum(TapePlace place, TensorType type) {
    boolean isWanted = isWanted(place);
    if (!(place instanceof TapeEntry(TapeNode node, int index))) {
      return isWanted ? leaves.computeIfAbsent(place, it -> new GradientSum(type, it)) : null;
    }
    Visit visit = Objects.requireNonNull(visits.get(node), "a node before those that it reads");
    if (visit.heads[index] == null && (isWanted || visit.isNeeded())) {
      visit.heads[index] = new GradientSum(type, place);
    }
    return visit.heads[index];
  }

  /** The sum of a place; null where no gradient goes. */
  @Nullable
  GradientSum sum(TapePlace place) {
    if (!(place instanceof TapeEntry(TapeNode node, int index))) {
      return leaves.get(place);
    }
    Visit visit = visits.get(node);
    return visit == null ? null : visit.heads[index];
  }

  private void check() {
    if (leaves.isEmpty() && wanted == null) {
      throw new IllegalStateException("no array with an attached gradient is in reach: of=%s; attach one before it is "
        .formatted(ys.stream().map(NDArray::type).toList()) + "recorded");
    }
    List<UnsupportedOperators.Gap> gaps = new ArrayList<>();
    for (Visit visit : visits.values()) {
      if (visit.isNeeded()) {
        TapeNode node = visit.node;
        node.requireUnchanged();
        for (SavedArray saved : node.saved()) {
          readsGradients |= saved != null && saved.isGradient();
        }
        node.lack().ifPresent(it -> gaps.add(new UnsupportedOperators.Gap("tape", node.name, it)));
      }
    }
    if (!gaps.isEmpty()) {
      throw new UnsupportedOperators(gaps);
    }
  }

  /**
   * Pushes all operations. What {@link #sum} gives then, for places that were named, the caller releases.
   *
   * @param heads one for each y; null for ones
   */
  void run(List<? extends @Nullable NDArray> heads) {
    CallFollower follower = FollowedCalls.follower();
    FollowedCalls.follow(options.createGraph() ? TapeRecorder.INSTANCE : null);
    // All nodes are retained. Otherwise a node that is given up would give up the nodes below it before their turn.
    visits.keySet().forEach(TapeNode::retain);
    readsGradients |= heads.stream().anyMatch(it -> it != null && FollowedCalls.isGradient(it));
    try {
      for (int i = 0; i < ys.size(); i++) {
        begin(ys.get(i), heads.get(i));
      }
      String site = options.keepsTape() ? "" : FollowedCalls.site();
      for (Visit visit : visits.sequencedValues().reversed()) {
        if (visit.isNeeded()) {
          run(visit);
        }
        if (!options.keepsTape()) {
          visit.node.giveUp(site);
        }
      }
      late.forEach(BackwardRun::write);
    } finally {
      visits.keySet().forEach(TapeNode::release);
      FollowedCalls.follow(follower);
    }
  }

  private void begin(NDArray y, @Nullable NDArray head) {
    TapePlace place = place(y);
    GradientSum sum = place == null ? null : sum(place);
    if (sum == null) {
      return;
    }
    if (head != null) {
      sum.add(new SharedGradient(head, SharedGradient.Bytes.GIVEN), options.createGraph());
    } else {
      try (var _ = y.runtime().on(y.device())) {
        sum.add(new SharedGradient(y.runtime().full(1, y.dtype(), y.shape().extents()), SharedGradient.Bytes.OWN),
          options.createGraph());
      }
    }
    arrived(sum);
  }

  private void run(Visit visit) {
    @Nullable
    SharedGradient[] heads = new SharedGradient[visit.heads.length];
    boolean any = false;
    for (int i = 0; i < heads.length; i++) {
      GradientSum sum = visit.heads[i];
      heads[i] = sum == null ? null : sum.total();
      any |= heads[i] != null;
    }
    if (any) {
      @Nullable
      TapeLink[] links = visit.node.links();
      for (RowTerm term : gradients(visit.node, heads, visit.wanted)) {
        TapeLink link = links[term.operand()];
        String device = link == null ? term.gradient().array().device() : link.device();
        visit.target(term.operand()).add(term.gradient().on(device), options.createGraph());
      }
    }
    for (int i = 0; i < heads.length; i++) {
      SharedGradient head = heads[i];
      if (head != null && (wanted == null || !wanted.contains(new TapeEntry(visit.node, i)))) {
        head.release();
      }
    }
    for (GradientSum target : visit.targets) {
      if (target != null) {
        arrived(target);
      }
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

  /** One way less may bring a term; the gradient of a leaf is written as soon as it is complete. */
  private void arrived(GradientSum sum) {
    if (sum.arrived() && wanted == null && sum.place() instanceof LeafGradient) {
      if (readsGradients) {
        late.add(sum);
      } else {
        write(sum);
      }
    }
  }

  private static void write(GradientSum sum) {
    if (sum.place() instanceof LeafGradient leaf) {
      SharedGradient total = sum.total();
      if (total != null) {
        leaf.accumulate(total.array());
        total.release();
      } else {
        leaf.accumulateZeros();
      }
    }
  }
}
