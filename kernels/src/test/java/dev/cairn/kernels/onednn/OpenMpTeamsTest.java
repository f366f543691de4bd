package dev.cairn.kernels.onednn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.device.Rethrown;
import dev.cairn.testing.Gate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Which threads run regions of OpenMP: their number does not grow with the number of threads that call. */
class OpenMpTeamsTest {
  private final Semaphore processors = new Semaphore(2);
  private final OpenMpTeams teams = new OpenMpTeams(2, 4, processors);

  private static Thread threadOf(OpenMpTeams teams, int threads) {
    var found = new CompletableFuture<Thread>();
    teams.run(threads, () -> found.complete(Thread.currentThread()));
    return found.join();
  }

  /** Lets so many threads do something, one after the other. All of them live until the last one has done it. */
  static List<Thread> whileAllLive(int count, Consumer<Thread> work) throws InterruptedException {
    var end = new CountDownLatch(1);
    List<Thread> callers = new ArrayList<>();
    var failures = new AtomicInteger();
    for (int i = 0; i < count; i++) {
      var done = new CountDownLatch(1);
      callers.add(Thread.ofPlatform().start(() -> {
        try {
          work.accept(Thread.currentThread());
        } catch (RuntimeException | Error e) {
          failures.incrementAndGet();
        } finally {
          done.countDown();
        }
        try {
          end.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }));
      done.await();
    }
    end.countDown();
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(failures).hasValue(0);
    return callers;
  }

  @Test
  void theFirstCallersRunTheirOwnRegionsAndAllOthersShareHosts() throws InterruptedException {
    Set<Thread> runners = ConcurrentHashMap.newKeySet();
    List<Thread> callers = whileAllLive(20, _ -> {
      for (int i = 0; i < 3; i++) {
        runners.add(threadOf(teams, 2));
      }
    });
    Set<Thread> hosts = new HashSet<>(runners);
    callers.forEach(hosts::remove);
    // Four threads are leased, two for each caller; a region takes both processors, so there is one host.
    assertThat(runners).contains(callers.get(0), callers.get(1)).hasSize(3);
    assertThat(hosts).singleElement().satisfies(it -> {
      assertThat(it.getName()).isEqualTo("cairn-openmp-2-1");
      assertThat(it.isDaemon()).isTrue();
    });
  }

  @Test
  void theLeaseOfAThreadThatHasEndedGoesToAnother() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      Set<Thread> runners = ConcurrentHashMap.newKeySet();
      List<Thread> callers = whileAllLive(2, _ -> runners.add(threadOf(teams, 2)));
      assertThat(runners).containsExactlyInAnyOrderElementsOf(callers);
    }
  }

  @Test
  void aLeaseGrowsWhileThereIsRoom() throws InterruptedException {
    whileAllLive(1, caller -> {
      assertThat(threadOf(teams, 2)).isEqualTo(caller);
      assertThat(threadOf(teams, 3)).isEqualTo(caller);
      assertThat(threadOf(teams, 4)).isEqualTo(caller);
      assertThat(threadOf(teams, 5)).isNotEqualTo(caller);
      assertThat(threadOf(teams, 4)).isEqualTo(caller);
      assertThat(threadOf(teams, 2)).isEqualTo(caller);
    });
  }

  /** A lease belongs to a thread of the operating system. */
  @Test
  void virtualThreadsRunOnHosts() throws InterruptedException {
    var ran = new CompletableFuture<Thread>();
    Thread caller = Thread.ofVirtual().start(() -> ran.complete(threadOf(teams, 2)));
    caller.join();
    assertThat(ran.join().isVirtual()).isFalse();
    assertThat(ran.join().getName()).startsWith("cairn-openmp-2-");
  }

  @Test
  void aFailureReachesTheCallerAndTheProcessorsAreFree() throws InterruptedException {
    for (Throwable failure : List.of(new IllegalStateException("bad"), new StackOverflowError(), new IOException())) {
      // Two callers with a lease and one without.
      whileAllLive(3, _ -> {
        assertThatThrownBy(() -> teams.run(2, () -> {
          throw Rethrown.asItIs(failure);
        })).isSameAs(failure);
        assertThatThrownBy(() -> teams.tryRun(2, () -> {
          throw Rethrown.asItIs(failure);
        })).isSameAs(failure);
      });
      assertThat(processors.availablePermits()).isEqualTo(2);
    }
  }

  @Test
  void withoutProcessorsNothingIsTried() throws InterruptedException {
    processors.acquire();
    assertThat(teams.tryRun(2, () -> {
      throw new AssertionError("runs");
    })).isFalse();
    processors.release();
    var runs = new AtomicInteger();
    assertThat(teams.tryRun(2, runs::incrementAndGet)).isTrue();
    assertThat(runs).hasValue(1);
  }

  /** The region still reads and writes the caller's memory. */
  @Test
  void anInterruptedCallerWaitsForItsHost() throws InterruptedException {
    var gate = new Gate();
    var ended = new CompletableFuture<String>();
    whileAllLive(2, _ -> threadOf(teams, 2));
    Thread caller = Thread.ofVirtual().unstarted(() -> {
      var done = new AtomicInteger();
      teams.run(2, () -> {
        gate.pass();
        done.incrementAndGet();
      });
      ended.complete(done + " " + Thread.currentThread().isInterrupted());
    });
    caller.start();
    gate.awaitArrival();
    caller.interrupt();
    gate.open();
    assertThat(ended.join()).isEqualTo("1 true");
  }

  /** A region that a host runs may begin another one: there are hosts for as many as there are processors for. */
  @Test
  void nestedRegionsFindHosts() {
    var many = new OpenMpTeams(6, 0, new Semaphore(6));
    var runs = new AtomicInteger();
    many.run(2, () -> many.run(2, () -> many.run(2, runs::incrementAndGet)));
    assertThat(many.tryRun(6, runs::incrementAndGet)).isTrue();
    assertThat(runs).hasValue(2);
  }

  /** More threads than processors take all processors. */
  @Test
  void regionsOfMoreThreadsThanProcessorsRun() {
    assertThat(threadOf(teams, 100).getName()).startsWith("cairn-openmp-100-");
    assertThat(processors.availablePermits()).isEqualTo(2);
  }
}
