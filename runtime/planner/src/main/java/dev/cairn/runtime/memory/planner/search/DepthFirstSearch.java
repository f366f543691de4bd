package dev.cairn.runtime.memory.planner.search;

import java.util.Arrays;

/**
 * Looks for a plan of a part within a capacity, or shows that there is none. At each node one section is decided: which
 * item lies at its floor, or that none does. What every plan without needless room can be built from; each in one way.
 *
 * <p>The bounds by section, the cut points and the name of the game are MiniMalloc's (Moffitt, ASPLOS 2023); the choice
 * of a section, where MiniMalloc goes through all buffers by offset, the bound on stacks and the memory of failed
 * states are not. Without recursion, as a search may be as deep as there are buffers. Not for several threads.
 */
final class DepthFirstSearch {
  /** The result of an attempt. */
  enum Outcome {
    /** A plan within the capacity: {@link #offset}. */
    FOUND,
    /** There is none. */
    IMPOSSIBLE,
    /** The attempt's steps are used up. */
    STOPPED
  }

  /** A range of sections that is searched by itself, the choices in it, and the ranges that the current one leaves. */
  private static final class Node {
    int first;
    int last;
    long state;
    int section;
    boolean mayLeave;
    int mark;
    /** Stack positions: choices not tried yet, from next on. */
    int firstChoice;
    int nextChoice;
    int endChoice;
    /** Stack positions: ranges still to search, as pairs of sections. */
    int firstRange;
    int nextRange;
    int endRange;
  }

  private final Skyline skyline;
  private final SearchRules rules;
  private final FailedStates failed;
  private final SearchLimit limit;
  private Node[] nodes = new Node[64];
  private int depth = -1;
  private int[] choices = new int[256];
  private int choiceTop;
  private int[] ranges = new int[256];
  private int rangeTop;
  private Strategy.Ranked strategy;

  DepthFirstSearch(Part part, SearchRules rules, SearchLimit limit) {
    this.limit = limit;
    this.skyline = new Skyline(part, rules);
    this.rules = rules;
    this.failed = new FailedStates(part.size() < 40 ? 12 : 18);
    this.strategy = Strategy.PORTFOLIO.getFirst().ranked(part, 0);
  }

  /** For each item, the plan that was found last. */
  long offset(int item) {
    return skyline.offset[item];
  }

  /** One attempt. Leaves nothing behind but the failed states. */
  Outcome attempt(long capacity, Strategy.Ranked newStrategy, long nodeLimit) {
    strategy = newStrategy;
    failed.begin(capacity);
    Outcome outcome = skyline.begin(capacity) ? search(nodeLimit) : Outcome.IMPOSSIBLE;
    skyline.trail.undo(0);
    depth = -1;
    choiceTop = 0;
    rangeTop = 0;
    return outcome;
  }

  private Outcome search(long nodeLimit) {
    long entered = 0;
    Node root = push();
    root.first = 0;
    root.last = skyline.part.members.length - 1;
    addRanges(root);
    while (depth >= 0) {
      limit.spend(skyline.takeSteps());
      if (entered >= nodeLimit || limit.isReached()) {
        return Outcome.STOPPED;
      }
      Node node = nodes[depth];
      if (node.nextRange == node.endRange) {
        pop(node); // all remaining items are placed
      } else {
        entered++;
        if (!enter(ranges[node.nextRange++], ranges[node.nextRange++]) && !goBack()) {
          return Outcome.IMPOSSIBLE;
        }
      }
    }
    return Outcome.FOUND;
  }

  /** Begins with a range of sections; false if it cannot be done. */
  private boolean enter(int first, int last) {
    long state = rules.failedStates() ? FailedStates.hash(skyline, first, last) : 0;
    if (rules.failedStates() && failed.contains(state)) {
      return false;
    }
    Node node = push();
    node.first = first;
    node.last = last;
    node.state = state;
    node.section = strategy.choice.choose(skyline, first, last);
    node.mayLeave = skyline.mayLeave(node.section);
    addChoices(node);
    return tryNext(node);
  }

  /** Goes back to the nearest node with a choice left, and continues from there; false if there is none. */
  private boolean goBack() {
    while (depth >= 0) {
      Node node = nodes[depth];
      if (depth > 0 && tryNext(node)) {
        return true;
      }
      if (rules.failedStates() && depth > 0) {
        failed.add(node.state);
      }
      pop(node);
    }
    return false;
  }

  /** Takes the current choice back, and the next one that is possible. */
  private boolean tryNext(Node node) {
    while (node.nextChoice < node.endChoice || node.mayLeave) {
      skyline.trail.undo(node.mark);
      rangeTop = node.firstRange;
      boolean possible;
      if (node.nextChoice < node.endChoice) {
        possible = skyline.place(choices[node.nextChoice++]);
      } else {
        node.mayLeave = false;
        possible = skyline.leave(node.section);
      }
      if (possible) {
        addRanges(node);
        return true;
      }
    }
    skyline.trail.undo(node.mark);
    return false;
  }

  /** The items that can be placed at the floor of the node's section, best first. */
  private void addChoices(Node node) {
    long floor = skyline.floor[node.section];
    for (int item : skyline.members(node.section)) {
      if (skyline.lowest[item] == floor && skyline.isCarried(item)) {
        if (rules.harmless() && skyline.isHarmless(item)) {
          choiceTop = node.firstChoice;
          addChoice(node, item);
          node.mayLeave = false;
          break;
        }
        if (!rules.twins() || !isSecondTwin(item)) {
          addChoice(node, item);
        }
      }
    }
    node.endChoice = choiceTop;
  }

  private boolean isSecondTwin(int item) {
    int twin = skyline.part.twins[item];
    return twin >= 0 && skyline.lowest[twin] == skyline.lowest[item] && skyline.isCarried(twin);
  }

  private void addChoice(Node node, int item) {
    if (choiceTop == choices.length) {
      choices = Arrays.copyOf(choices, 2 * choiceTop);
    }
    int at = choiceTop++;
    while (at > node.firstChoice && strategy.ranks[choices[at - 1]] > strategy.ranks[item]) {
      choices[at] = choices[at - 1];
      at--;
    }
    choices[at] = item;
  }

  /** What is left of the node's range: cut where no waiting item is held on both sides. */
  private void addRanges(Node node) {
    node.firstRange = rangeTop;
    int begin = node.first;
    while (begin <= node.last) {
      int end = rules.cutPoints() ? begin : node.last;
      while (end < node.last && skyline.crossing[end] > 0) {
        end++;
      }
      if (!rules.cutPoints() ? anyWaiting(begin, end) : skyline.waiting[begin] > 0) {
        addRange(begin, end);
      }
      begin = end + 1;
    }
    node.nextRange = node.firstRange;
    node.endRange = rangeTop;
  }

  private void addRange(int begin, int end) {
    if (rangeTop + 2 > ranges.length) {
      ranges = Arrays.copyOf(ranges, 2 * ranges.length);
    }
    ranges[rangeTop++] = begin;
    ranges[rangeTop++] = end;
  }

  private boolean anyWaiting(int begin, int end) {
    for (int section = begin; section <= end; section++) {
      if (skyline.waiting[section] > 0) {
        return true;
      }
    }
    return false;
  }

  private Node push() {
    if (++depth == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * depth);
    }
    if (nodes[depth] == null) {
      nodes[depth] = new Node();
    }
    Node node = nodes[depth];
    node.mark = skyline.trail.mark();
    node.mayLeave = false;
    node.firstChoice = choiceTop;
    node.nextChoice = choiceTop;
    node.endChoice = choiceTop;
    node.firstRange = rangeTop;
    node.nextRange = rangeTop;
    node.endRange = rangeTop;
    return node;
  }

  private void pop(Node node) {
    choiceTop = node.firstChoice;
    rangeTop = node.firstRange;
    depth--;
  }
}
