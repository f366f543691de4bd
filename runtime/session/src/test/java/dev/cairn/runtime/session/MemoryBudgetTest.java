package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.report.OomReport;
import dev.cairn.allocator.report.Remedy;
import dev.cairn.runtime.budget.Budgets;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.testing.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions of several models that share one {@link MemoryBudget}. */
class MemoryBudgetTest extends SharedBudget {
  @Test
  void manyThreadsOfThreeModelsStayWithinTheBudgetAndAllGetThrough() throws Exception {
    shareOneBudget(16, 20, Duration.ZERO);
  }

  /** 10 minutes, or as long as {@code -Dcairn.soak.minutes} says. */
  @Test
  @Tag("soak")
  void soakOneBudget() throws Exception {
    shareOneBudget(64, 100, Duration.ofMinutes(Integer.getInteger("cairn.soak.minutes", 10)));
  }

  /** Fits two runs of the largest model at a time, and not the weights and plans of all three. */
  private void shareOneBudget(int threads, int runs, Duration atLeast) throws Exception {
    int[] batches = {100, 150, 200};
    MemoryBudget budget = Budgets.of(2 * need(200), new ManualClock());
    List<Session> sessions = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int batch : batches) {
        sessions.add(open(batch, batch / 100f, MemoryOptions.DEFAULT.withBudget(budget).withWaitingTime(Duration
          .ofMinutes(1)), RunObserver.Source.NONE));
      }
      long end = System.nanoTime() + atLeast.toNanos();
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        var random = new SplittableRandom(thread);
        all.add(pool.submit(() -> {
          for (int run = 0; run < runs || System.nanoTime() < end; run++) {
            int which = random.nextInt(batches.length);
            runAndCheck(sessions.get(which), batches[which], batches[which] / 100f, random.nextInt(9) - 4);
          }
        }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertThat(budget.peakBytes()).isLessThanOrEqualTo(budget.limitBytes()).isGreaterThan(need(200));
      assertThat(budget.bytesInUse()).isLessThanOrEqualTo(budget.limitBytes());
    } finally {
      sessions.forEach(Session::close);
    }
    assertThat(budget.bytesInUse()).isZero();
  }

  @Test
  void anIdleSessionGivesItsMemoryUpAndRunsAgainLater() {
    MemoryBudget budget = MemoryBudget.of(need(200));
    try (Session small = open(100, 2, budget); Session large = open(200, 3, budget)) {
      for (int i = 0; i < 3; i++) {
        runAndCheck(small, 100, 2, i);
        runAndCheck(large, 200, 3, -i);
      }
      assertThat(budget.peakBytes()).isEqualTo(budget.limitBytes());
    }
    assertThat(budget.bytesInUse()).isZero();
  }

  @Test
  void aRefusalNamesTheBudgetAndItsAdviceWorksWhenFollowed() {
    long fits = need(100);
    MemoryBudget tooSmall = MemoryBudget.of(fits);
    long advised;
    try (Session first = open(100, 1, tooSmall);
      Tensor x = input(100, 1);
      Result held = first.run(Map.of("x", x))) {
      assertThat(held.names()).hasSize(1);
      OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class, () -> open(150, 1, tooSmall).close());
      assertThat(refusal.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
      OutOfMemory.Budget facts = refusal.budget().orElseThrow();
      assertThat(facts.limitBytes()).isEqualTo(fits);
      assertThat(refusal.getMessage()).contains("budget: limitBytes=" + fits,
        "raise the limit of budget to " + facts.leastLimitBytes() + " bytes");
      assertThat(OomReport.of(refusal).remedies()).singleElement().satisfies(it -> {
        assertThat(it.kind()).isEqualTo(Remedy.Kind.RAISE_BUDGET);
        assertThat(it.sentence()).contains("(" + facts.leastLimitBytes() + " B)");
      });
      advised = facts.leastLimitBytes();
    }
    MemoryBudget raised = MemoryBudget.of(advised);
    try (Session first = open(100, 1, raised);
      Tensor x = input(100, 1);
      Result held = first.run(Map.of("x", x));
      Session second = open(150, 1, raised)) {
      assertThat(held.names()).hasSize(1);
      runAndCheck(second, 150, 1, 0.5f);
    }
  }

  @Test
  void aPartOfABudgetIsAQuota() {
    MemoryBudget whole = MemoryBudget.of(10 * need(200));
    MemoryBudget part = whole.within("small", need(100));
    try (Session small = open(100, 1, part); Session large = open(200, 1, whole)) {
      runAndCheck(small, 100, 1, 1);
      runAndCheck(large, 200, 1, 1);
      assertThat(whole.bytesInUse()).isGreaterThan(part.bytesInUse());
      assertThat(part.bytesInUse()).isLessThanOrEqualTo(part.limitBytes());
      OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class, () -> open(400, 1, part).close());
      assertThat(refusal.budget().orElseThrow().name()).isEqualTo("budget/small");
    }
    assertThat(whole.bytesInUse()).isZero();
  }

  @Test
  void aSessionThatItsOwnLimitRefusesTakesNothingFromOthers() {
    MemoryBudget budget = MemoryBudget.of(1L << 30);
    MemoryBudget tenant = budget.within("tenant", 1000);
    try (Session large = open(100, 1, budget)) {
      long held = budget.bytesInUse();
      assertThat(held).isPositive();
      MemoryOptions limited = MemoryOptions.DEFAULT.withBudget(budget).withLimitBytes(1000);
      assertThatThrownBy(() -> open(50, 1, limited, RunObserver.Source.NONE)).isInstanceOf(OutOfMemory.class);
      assertThatThrownBy(() -> open(50, 1, tenant)).isInstanceOf(OutOfMemory.class);
      assertThat(budget.bytesInUse()).isEqualTo(held);
      runAndCheck(large, 100, 1, 1);
    }
  }

  @Test
  void aBudgetIsOfOneDevice() {
    MemoryBudget budget = MemoryBudget.of(1 << 20);
    MemoryBudget.Member other = new MemoryBudget.Member() {
      @Override
      public void releaseExecutors() {}

      @Override
      public void releaseWeights() {}
    };
    budget.join(other, "cuda:0");
    assertThatThrownBy(() -> open(1, 1, budget)).isInstanceOf(IllegalArgumentException.class).hasMessage(
      "sessions of one budget must use one device: budget=budget device=cuda:0 session's=cpu");
    budget.leave(other);
    open(1, 1, budget).close();
    assertThatThrownBy(() -> MemoryBudget.of(-1)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "limitBytes=-1");
  }
}
