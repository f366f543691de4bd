package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One simulated run of a schedule for {@link ConcurrentPlanValidator}. A stream's clock counts, for each stream, how
 * many of its steps are known to have ended; a step's stamp is the clock of its stream when it ends. Memory is cut at
 * every buffer's bottom and top into cells, which remember the last write and the last read of each stream since.
 */
final class SimulatedRun {
  private final MemoryProblem problem;
  private final MemoryPlan plan;
  private final StreamSchedule schedule;
  private final int mostFaults;
  private final List<ConcurrencyFault> faults = new ArrayList<>();
  /** For each pool, by offset. */
  private final List<TreeMap<Long, Cell>> memory = new ArrayList<>();
  private final Map<Integer, List<Map.Entry<Long, Cell>>> variables = new HashMap<>();
  private final int[][] clocks;
  private final List<int[]> stamps = new ArrayList<>();

  /** A range of bytes that each buffer has as a whole or not at all. */
  private static final class Cell {
    private int writer = -1;
    private int owner;
    /**
     * For each stream, the last step that has read the cell since the last write, or -1; and the buffer for which it
     * has read.
     */
    private final int[] readers;
    private final int[] readFor;

    Cell(int streams, int owner) {
      this.owner = owner;
      readers = new int[streams];
      readFor = new int[streams];
      Arrays.fill(readers, -1);
    }
  }

  private record Touch(int step, int buffer) {}

  SimulatedRun(MemoryProblem problem, MemoryPlan plan, StreamSchedule schedule, int mostFaults) {
    this.problem = problem;
    this.plan = plan;
    this.schedule = schedule;
    this.mostFaults = mostFaults;
    this.clocks = new int[schedule.streams()][schedule.streams()];
    cutMemory();
  }

  List<ConcurrencyFault> faults() {
    for (int step = 0; step < schedule.steps().size() && faults.size() < mostFaults; step++) {
      run(step);
    }
    for (int i = 0; i < problem.size(); i++) {
      if (problem.buffer(i).output()) {
        readBack(i);
      }
    }
    return List.copyOf(faults.subList(0, Math.min(faults.size(), mostFaults)));
  }

  private void cutMemory() {
    List<TreeSet<Long>> cuts = new ArrayList<>();
    plan.pools().forEach(pool -> cuts.add(new TreeSet<>()));
    for (int i = 0; i < problem.size(); i++) {
      Placement placement = plan.placements().get(i);
      if (problem.buffer(i).reservedBytes() > 0) {
        cuts.get(placement.pool()).add(placement.offset());
        cuts.get(placement.pool()).add(placement.offset() + problem.buffer(i).reservedBytes());
      }
    }
    for (TreeSet<Long> ofPool : cuts) {
      TreeMap<Long, Cell> cells = new TreeMap<>();
      ofPool.forEach(cut -> cells.put(cut, new Cell(schedule.streams(), -1)));
      memory.add(cells);
    }
  }

  /** The buffers with their offsets. A variable is one cell in no pool. */
  private Iterable<Map.Entry<Long, Cell>> cells(int buffer) {
    if (buffer >= problem.size()) {
      return variables.computeIfAbsent(buffer, index -> List.of(Map.entry(0L, new Cell(schedule.streams(), index))));
    }
    Placement placement = plan.placements().get(buffer);
    long top = placement.offset() + problem.buffer(buffer).reservedBytes();
    return memory.get(placement.pool()).subMap(placement.offset(), top).entrySet();
  }

  private void run(int step) {
    StreamSchedule.Step it = schedule.steps().get(step);
    int[] clock = clocks[it.stream()];
    for (int waited : it.waits()) {
      if (waited < 0 || waited >= step) {
        faults.add(new ConcurrencyFault.EndlessWait(step, waited));
      } else {
        for (int stream = 0; stream < clock.length; stream++) {
          clock[stream] = Math.max(clock[stream], stamps.get(waited)[stream]);
        }
      }
    }
    it.uses().reads().forEach(buffer -> read(step, buffer));
    it.uses().writes().forEach(buffer -> write(step, buffer));
    clock[it.stream()]++;
    stamps.add(clock.clone());
  }

  private void read(int step, int buffer) {
    int stream = schedule.steps().get(step).stream();
    for (var entry : cells(buffer)) {
      Cell cell = entry.getValue();
      if (cell.owner != buffer) {
        faults.add(overwritten(step, buffer, cell, entry.getKey()));
      } else if (cell.writer >= 0 && !isKnown(cell.writer, stream)) {
        faults.add(race(step, buffer, cell.writer, cell.owner, entry.getKey()));
      }
      cell.readers[stream] = step;
      cell.readFor[stream] = buffer;
    }
  }

  private void write(int step, int buffer) {
    for (var entry : cells(buffer)) {
      Cell cell = entry.getValue();
      judgeWrite(new Touch(step, buffer), new Touch(cell.writer, cell.owner), entry.getKey());
      for (int other = 0; other < cell.readers.length; other++) {
        judgeWrite(new Touch(step, buffer), new Touch(cell.readers[other], cell.readFor[other]), entry.getKey());
      }
      cell.writer = step;
      cell.owner = buffer;
      Arrays.fill(cell.readers, -1);
    }
  }

  /** A step may overwrite its own operand only in place, that is, in the same buffer. */
  private void judgeWrite(Touch write, Touch before, long offset) {
    boolean ordered = before.step < 0 || (before.step == write.step
      ? before.buffer == write.buffer
      : isKnown(before.step, schedule.steps().get(write.step).stream()));
    if (!ordered) {
      faults.add(race(write.step, write.buffer, before.step, before.buffer, offset));
    }
  }

  /** After the last step all streams are waited for: only the content counts. */
  private void readBack(int buffer) {
    for (var entry : cells(buffer)) {
      if (entry.getValue().owner != buffer) {
        faults.add(overwritten(schedule.steps().size(), buffer, entry.getValue(), entry.getKey()));
      }
    }
  }

  /** Whether the stream's clock says that the step has ended. */
  private boolean isKnown(int step, int stream) {
    int home = schedule.steps().get(step).stream();
    return stamps.get(step)[home] <= clocks[stream][home];
  }

  private ConcurrencyFault overwritten(int step, int buffer, Cell cell, long offset) {
    return new ConcurrencyFault.Overwritten(step, name(buffer), cell.owner < 0 ? "" : name(cell.owner),
      pool(buffer), offset);
  }

  private ConcurrencyFault race(int step, int buffer, int otherStep, int otherBuffer, long offset) {
    return new ConcurrencyFault.Race(step, name(buffer), otherStep, name(otherBuffer), pool(buffer), offset);
  }

  private String name(int buffer) {
    return buffer < problem.size() ? problem.buffer(buffer).name() : "variable " + (buffer - problem.size());
  }

  private int pool(int buffer) {
    return buffer < problem.size() ? plan.placements().get(buffer).pool() : -1;
  }
}
