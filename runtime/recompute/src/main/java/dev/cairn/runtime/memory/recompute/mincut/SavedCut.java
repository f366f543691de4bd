package dev.cairn.runtime.memory.recompute.mincut;

import dev.cairn.runtime.memory.recompute.cut.MinimumCut;
import dev.cairn.runtime.memory.recompute.mincut.JointGraph.JointNode;
import dev.cairn.runtime.memory.recompute.mincut.JointGraph.Trait;
import java.util.BitSet;
import java.util.PriorityQueue;

/** The cheapest set of values to keep, when some nodes may not run again. */
final class SavedCut {
  private static final int FAR = 3;
  private static final int NEVER_READ = 1000;
  private static final int LONG_CHAIN = 100;
  private static final int REDUCTION = 4;
  private static final double BIAS = 1.1;
  private static final int MOST_BIASED = 100;

  private final JointGraph graph;
  private final int[][] users;
  private final int[] distances;
  private final Bans bans;
  private final BitSet allowed;
  private final BitSet banned = new BitSet();

  /** Which bans keep nodes from running again: all, all but those of neighbours, or only those of costly nodes. */
  enum Bans {
    ALL,
    NEIGHBOURS_MAY,
    ONLY_COSTLY
  }

  /** @param allowed nodes that may run again whatever the bans say */
  SavedCut(JointGraph graph, Bans bans, BitSet allowed) {
    this.graph = graph;
    this.bans = bans;
    this.allowed = allowed;
    this.users = graph.users();
    this.distances = graph.distances(users);
    for (int i = 0; i < graph.nodes().size(); i++) {
      if (!node(i).is(Trait.BACKWARD) && isBanned(i)) {
        ban(i);
      }
    }
    if (bans == Bans.ALL) {
      banFarApart();
      banLongChains();
    }
  }

  BitSet banned() {
    return banned;
  }

  int distance(int node) {
    return distances[node];
  }

  private JointNode node(int index) {
    return graph.nodes().get(index);
  }

  private void ban(int index) {
    if (!allowed.get(index) && !node(index).is(Trait.INPUT) && !node(index).is(Trait.RECOMPUTE) && !node(index).is(
      Trait.VIEW)) {
      banned.set(index);
    }
  }

  private boolean isBanned(int index) {
    JointNode node = node(index);
    if (bans == Bans.ONLY_COSTLY ? node.is(Trait.RANDOM) || node.is(Trait.HEAVY) : !node.is(Trait.CHEAP)) {
      return true;
    }
    if (bans == Bans.ALL && isMaterialisedBackward(index)) {
      return true;
    }
    if (distances[index] < NEVER_READ && distances[index] > FAR) {
      return true;
    }
    long read = node.inputs().stream().mapToLong(input -> node(input).bytes()).sum();
    return node.bytes() * REDUCTION < read;
  }

  private boolean fuse(int from, int to) {
    return node(from).fuses() && node(to).fuses();
  }

  /** Whether some node of the backward pass reads its bytes and is no part of its kernel, perhaps through views. */
  private boolean isMaterialisedBackward(int index) {
    for (int user : users[index]) {
      if (!node(user).isForward() && (!fuse(index, user) || (node(user).is(Trait.VIEW) && isMaterialisedBackward(
        user)))) {
        return true;
      }
    }
    return false;
  }

  private void banFarApart() {
    for (int i = 0; i < graph.nodes().size(); i++) {
      if (node(i).isForward()) {
        int last = lastForwardUser(i);
        int border = last < 0 ? last : firstThatDoesNotFuse(i, last);
        for (int user : users[i]) {
          if (node(user).isForward() && user > border && last >= 0 && fuse(i, user)) {
            ban(user);
          }
        }
      }
    }
  }

  private int lastForwardUser(int index) {
    int last = -1;
    for (int user : users[index]) {
      last = node(user).isForward() ? user : last;
    }
    return last;
  }

  private int firstThatDoesNotFuse(int start, int last) {
    var waiting = new PriorityQueue<Integer>();
    var met = new BitSet();
    var outside = new BitSet();
    enter(start, last, waiting, met, outside, true);
    while (!waiting.isEmpty()) {
      int next = waiting.remove();
      if (outside.get(next)) {
        return next;
      }
      enter(next, last, waiting, met, outside, false);
    }
    return last;
  }

  private void enter(int from, int last, PriorityQueue<Integer> waiting, BitSet met, BitSet outside, boolean isStart) {
    for (int user : users[from]) {
      if (node(user).isForward() && user <= last) {
        if (!isStart && !fuse(from, user)) {
          outside.set(user);
        }
        if (!met.get(user)) {
          met.set(user);
          waiting.add(user);
        }
      }
    }
  }

  private void banLongChains() {
    var visited = new BitSet();
    for (int start = 0; start < graph.nodes().size(); start++) {
      if (node(start).isForward()) {
        var chain = new PriorityQueue<Integer>();
        chain.add(start);
        while (!chain.isEmpty()) {
          int next = chain.remove();
          if (visited.get(next)) {
            continue;
          }
          visited.set(next);
          if (next > start + LONG_CHAIN && chain.isEmpty()) {
            ban(next);
            break;
          }
          for (int user : users[next]) {
            if (node(user).isForward() && fuse(next, user) && !banned.get(user)) {
              chain.add(user);
            }
          }
        }
      }
    }
  }

  /** The nodes whose results are kept: those on which the minimum cut falls. */
  BitSet saved() {
    int count = graph.nodes().size();
    var network = new MinimumCut(2 + 2 * count);
    for (int i = 0; i < count; i++) {
      JointNode node = node(i);
      if (node.is(Trait.BACKWARD)) {
        network.edge(in(i), MinimumCut.SINK, MinimumCut.UNLIMITED);
      } else {
        if (node.is(Trait.INPUT) || banned.get(i)) {
          network.edge(MinimumCut.SOURCE, in(i), MinimumCut.UNLIMITED);
        }
        if (node.is(Trait.RECOMPUTE)) {
          network.edge(in(i), MinimumCut.SINK, MinimumCut.UNLIMITED);
        }
        network.edge(in(i), out(i), weight(i));
        for (int user : users[i]) {
          network.edge(out(i), in(user), MinimumCut.UNLIMITED);
        }
      }
    }
    network.flow();
    var saved = new BitSet();
    for (int i = 0; i < count; i++) {
      if (!node(i).is(Trait.BACKWARD) && network.isOnSourceSide(in(i)) && !network.isOnSourceSide(out(i))) {
        saved.set(i);
      }
    }
    return saved;
  }

  private static int in(int node) {
    return 2 + 2 * node;
  }

  private static int out(int node) {
    return 3 + 2 * node;
  }

  /** Values far from the backward pass weigh more, and twice as much if their bytes are another value's. */
  private long weight(int index) {
    int distance = Math.max(1, Math.min(MOST_BIASED, distances[index]));
    long weight = (long) (node(index).bytes() * Math.pow(BIAS, distance));
    boolean isInside = !node(index).is(Trait.INPUT);
    for (int user : users[index]) {
      isInside = isInside && fuse(index, user);
    }
    return isInside ? 2 * weight : weight;
  }
}
