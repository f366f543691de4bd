package dev.cairn.kernels.onednn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.device.ProcessorWaits;
import dev.cairn.kernels.device.Rethrown;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Java on the threads of libgomp. */
class OpenMpRegionsTest {
  private final OneDnnCalls calls = OneDnnFixture.library().calls();

  /** An exception that leaves the part for native code would end the process. */
  @Test
  void whateverAPartThrowsReachesTheCaller() {
    for (Throwable failure : List.of(new IOException("checked"), new IllegalStateException("bad"),
      new OutOfMemoryError("heap"))) {
      assertThatThrownBy(() -> calls.runOnAll(2, () -> {
        throw Rethrown.asItIs(failure);
      })).isSameAs(failure);
    }
    Thread caller = Thread.currentThread();
    for (boolean onCaller : new boolean[] {true, false}) {
      var ended = new AtomicInteger();
      assertThatThrownBy(() -> calls.runOnAll(2, () -> {
        if (caller.equals(Thread.currentThread()) == onCaller) {
          throw Rethrown.asItIs(new IOException("of one thread"));
        }
        ended.incrementAndGet();
      })).isInstanceOf(IOException.class).hasMessage("of one thread");
      assertThat(ended).hasValue(1);
    }
    var parts = new AtomicInteger();
    calls.runOnAll(2, parts::incrementAndGet);
    assertThat(parts).hasValue(2);
  }

  /** libgomp makes a team for each thread that forks, and keeps it until that thread ends. */
  @Test
  void teamsDoNotGrowWithTheNumberOfCallers() throws InterruptedException {
    int count = 16;
    // Leases for two callers, and one host.
    var teams = new OpenMpTeams(2, 4, new Semaphore(2));
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    var parts = new AtomicInteger();
    try (var engine = new OneDnnEngine(calls, 2, teams, ProcessorWaits.OF_PROCESS)) {
      OpenMpTeamsTest.whileAllLive(count, _ -> engine.runOnAll(() -> {
        parts.incrementAndGet();
        threads.add(Thread.currentThread());
      }));
    }
    assertThat(parts).hasValue(2 * count);
    // The thread is a caller with a lease, or the host, or the other thread of its team.
    assertThat(threads).hasSize(2 * 3);
  }
}
