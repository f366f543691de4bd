package dev.cairn.benchmarks.allocator.workload;

import dev.cairn.benchmarks.allocator.arena.Arena;
import dev.cairn.benchmarks.allocator.arena.ArenaKind;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A new arena for each trial, used by all threads of it. */
@State(Scope.Benchmark)
public abstract class ArenaState {
  /** Whose. */
  @Param("CAIRN")
  public ArenaKind kind = ArenaKind.CAIRN;
  /** How many operations one invocation does. */
  @Param("1")
  public int operations = 1;

  @SuppressWarnings("NullAway.Init")
  Arena arena;

  /** Begins the trial. */
  @Setup(Level.Trial)
  public void open() {
    arena = kind.open();
  }

  /** Ends the trial. */
  @TearDown(Level.Trial)
  public void close() {
    arena.close();
  }
}
