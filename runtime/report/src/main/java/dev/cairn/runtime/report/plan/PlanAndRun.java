package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A plan beside what a run held: which held values the plan has no room for, and how long buffers were really held. */
public final class PlanAndRun {
  private final PlanView view;
  private final List<List<Lifetime>> active;
  private final List<HeldValue> outside = new ArrayList<>();
  private final Map<Integer, Lifetime> lives = new HashMap<>();
  private double heldBytes;

  /** @param view of the plan that the run had */
  public PlanAndRun(PlanView view, RunMemory run) {
    this.view = view;
    this.active = view.problem().active();
    for (HeldValue it : run.values()) {
      IntStream.range(0, active.size()).filter(i -> hasRoom(i, it)).findFirst().ifPresentOrElse(i -> {
        lives.merge(i, it.life(), Lifetime::hull);
        heldBytes += (double) it.bytes() * it.life().length();
      }, () -> outside.add(it));
    }
  }

  private boolean hasRoom(int buffer, HeldValue value) {
    Placement at = view.plan().placements().get(buffer);
    return at.pool() == value.pool() && at.offset() <= value.offset()
      && value.end() <= at.offset() + view.problem().buffer(buffer).reservedBytes()
      && active.get(buffer).stream().anyMatch(it -> it.first() <= value.life().first() && value.life().end() <= it
        .end());
  }

  /** Held values that no buffer of the plan has room for: other bytes, or other steps. */
  public List<HeldValue> outside() {
    return List.copyOf(outside);
  }

  /** From the first step at which a value within a buffer was held until after the last; empty if there was none. */
  Optional<Lifetime> held(int buffer) {
    return Optional.ofNullable(lives.get(buffer));
  }

  /** Bytes times steps that the plan reserves for a buffer, and the run did not hold at its begin or at its end. */
  double unheldBytes(int buffer) {
    Buffer planned = view.problem().buffer(buffer);
    Lifetime held = lives.get(buffer);
    long steps = 0;
    for (Lifetime it : active.get(buffer)) {
      steps += it.length() - (held == null
        ? 0
        : Math.max(0, Math.min(it.end(), held.end()) - Math.max(it.first(), held.first())));
    }
    return (double) planned.reservedBytes() * steps;
  }

  /** Which part of what the plan reserves, in bytes times steps, the run held: 0 to 1. */
  public double share() {
    double planned = 0;
    for (int i = 0; i < active.size(); i++) {
      planned += (double) view.problem().buffer(i).reservedBytes() * active.get(i).stream().mapToInt(Lifetime::length)
        .sum();
    }
    return planned == 0 ? 1 : heldBytes / planned;
  }
}
