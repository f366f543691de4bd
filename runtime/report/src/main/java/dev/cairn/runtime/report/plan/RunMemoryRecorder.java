package dev.cairn.runtime.report.plan;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Owner;
import dev.cairn.runtime.trace.MemoryUse;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Records the memory of one run. As a listener of the session's allocator it records which blocks are granted; as an
 * observer of the run, which bytes each step's kernel gets. Give it to the session as both. Thread-safe.
 */
public final class RunMemoryRecorder implements RunObserver.Source, AllocationListener {
  private static final Pattern POOL = Pattern.compile("plan/pool(\\d+)");

  private final TreeMap<Long, Granted> granted = new TreeMap<>();
  private final List<Access> accesses = new ArrayList<>();
  private long inUse;
  private long mostInUse;
  private boolean armed;
  private @Nullable TracedGraph recorded;

  private record Granted(long address, long bytes, Owner owner) {}

  private record Access(int step, MemoryUse use, long address, long bytes) {}

  private final class OfRun implements RunObserver {
    @Override
    public boolean observesMemory() {
      return true;
    }

    @Override
    public void memoryUsed(int step, MemoryUse use, long address, long bytes) {
      add(new Access(step, use, address, bytes));
    }
  }

  /** Records the next run that begins, and forgets the one before. */
  public synchronized void recordNext() {
    armed = true;
    recorded = null;
    accesses.clear();
    mostInUse = inUse;
  }

  @Override
  public synchronized RunObserver observe(TracedGraph graph) {
    if (!armed) {
      return RunObserver.NONE;
    }
    armed = false;
    recorded = graph;
    return new OfRun();
  }

  private synchronized void add(Access access) {
    accesses.add(access);
  }

  @Override
  public synchronized void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
    granted.put(address, new Granted(address, bytes, owner));
    inUse += bytes;
    mostInUse = Math.max(mostInUse, inUse);
  }

  @Override
  public synchronized void freed(long allocationId, long address, long bytes) {
    granted.remove(address);
    inUse -= bytes;
  }

  /**
   * The memory that the run held. Call this before the session closes.
   *
   * @throws IllegalStateException when no run was recorded
   */
  public synchronized RunMemory memory() {
    TracedGraph graph = recorded;
    if (graph == null) {
      throw new IllegalStateException("no run was recorded: a run must follow recordNext()");
    }
    TreeMap<Integer, HeldValues> values = new TreeMap<>();
    List<Long> poolBytes = new ArrayList<>();
    for (Access it : accesses) {
      Map.Entry<Long, Granted> block = granted.floorEntry(it.address);
      if (block == null || it.address >= block.getValue().address + block.getValue().bytes) {
        continue; // memory of the caller, or of another allocator
      }
      Matcher name = POOL.matcher(block.getValue().owner.label());
      if (name.matches()) {
        int pool = Integer.parseInt(name.group(1));
        while (poolBytes.size() <= pool) {
          poolBytes.add(0L);
        }
        poolBytes.set(pool, block.getValue().bytes);
        add(it, it.address - block.getKey(), values.computeIfAbsent(pool, number -> new HeldValues(number, graph)));
      }
    }
    return new RunMemory(values.values().stream().flatMap(it -> it.values().stream()).toList(), poolBytes, mostInUse);
  }

  private static void add(Access access, long offset, HeldValues values) {
    if (access.use == MemoryUse.READ) {
      values.read(access.step, offset, offset + access.bytes);
    } else {
      values.write(access.step, access.use == MemoryUse.SCRATCH, offset, offset + access.bytes);
    }
  }
}
