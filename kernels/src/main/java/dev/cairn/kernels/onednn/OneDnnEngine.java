package dev.cairn.kernels.onednn;

import dev.cairn.kernels.device.ProcessorWaits;

/** oneDNN's engine for the processor, for kernels that use a number of threads. Thread-safe. */
final class OneDnnEngine implements AutoCloseable {
  private static final int PROCESSOR = 1;

  private final OneDnnCalls library;
  private final OneDnnCalls calls;
  private final OpenMpTeams teams;
  private final ProcessorWaits waits;
  private final int threads;
  private final NativeScope scope;
  private final long handle;

  /** @param threads that one kernel may use */
  OneDnnEngine(OneDnnCalls library, int threads) {
    this(library, threads, OpenMpTeams.OF_PROCESS, ProcessorWaits.OF_PROCESS);
  }

  /**
   * @param teams on which regions of several threads run
   * @param waits what is known of how these threads get processors
   */
  OneDnnEngine(OneDnnCalls library, int threads, OpenMpTeams teams, ProcessorWaits waits) {
    this.library = library;
    this.calls = new CallsOnThreads(library, threads);
    this.teams = teams;
    this.waits = waits;
    this.threads = threads;
    this.scope = new NativeScope(calls);
    this.handle = scope.createNew("engine", PROCESSOR, 0L);
  }

  private OneDnnEngine(OneDnnEngine other, int threads) {
    this.library = other.library;
    this.calls = new CallsOnThreads(library, threads);
    this.teams = other.teams;
    this.waits = other.waits;
    this.threads = threads;
    this.scope = new NativeScope(calls);
    this.handle = other.handle;
  }

  /**
   * The same engine for short work, for which threads would wait for one another longer than they work. Must not be
   * used after this is closed.
   */
  OneDnnEngine onOneThread() {
    return new OneDnnEngine(this, 1);
  }

  /** The library's functions, for primitives of this engine's number of threads. */
  OneDnnCalls calls() {
    return calls;
  }

  /** Threads that one kernel may use. */
  int threads() {
    return threads;
  }

  long handle() {
    return handle;
  }

  /** Runs primitives on all threads, and returns when they have ended. With several threads, waits for processors. */
  void run(Runnable primitives) {
    if (threads == 1) {
      primitives.run();
    } else {
      look();
      teams.run(threads, primitives);
    }
  }

  private void look() {
    waits.look();
    library.spin(waits.spins(OpenMpSpins.USUAL));
  }

  /** For the thread that runs primitives of several threads: counts the waits of its team from now on. */
  void joinTeam() {
    if (threads > 1 && !waits.hasJoined()) {
      library.runOnAll(threads, waits::join);
    }
  }

  /** Runs a part on all threads at once; on the caller alone while there are no processors for them. */
  void runOnAll(Runnable part) {
    look();
    if (!teams.tryRun(threads, () -> library.runOnAll(threads, part))) {
      part.run();
    }
  }

  @Override
  public void close() {
    scope.close();
  }
}
