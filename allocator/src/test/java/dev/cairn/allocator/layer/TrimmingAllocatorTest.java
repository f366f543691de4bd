package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

class TrimmingAllocatorTest {
  private static final TrimSchedule OFTEN = new TrimSchedule(Duration.ofMillis(1), TrimPolicy.EVERYTHING);

  @RegisterExtension
  final Validated validated = new Validated();

  private static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("condition not met in time").isLessThan(deadline);
      LockSupport.parkNanos(100_000);
    }
  }

  private static Set<Thread> trimmers() {
    return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().startsWith("cairn-trim"))
      .collect(Collectors.toSet());
  }

  @Test
  void whatLiesIdleGoesBackByItselfUntilClosed() {
    Set<Thread> others = trimmers();
    TrimmingAllocator allocator = validated
      .watch(new TrimmingAllocator(new BfcAllocator(FakeSubAllocator.scattered(1L << 40), BfcOptions.DEFAULT), OFTEN));
    for (int i = 0; i < 3; i++) {
      Block block = allocator.allocate(10 << 20);
      allocator.free(block);
      until(() -> allocator.stats().poolBytes() == 0);
    }
    Block held = allocator.allocate(1);
    assertThatIllegalStateException().isThrownBy(allocator::close);
    Set<Thread> own = trimmers();
    own.removeAll(others);
    assertThat(own).hasSize(1);
    allocator.free(held);
    allocator.close();
    until(() -> own.stream().noneMatch(Thread::isAlive));
    assertThatIllegalStateException().isThrownBy(allocator::close);
  }

  /** An upstream whose trims fail when told to. */
  private static final class Untrimmable extends AllocatorLayer {
    final AtomicInteger trims = new AtomicInteger();
    volatile boolean failing = true;

    Untrimmable() {
      super(new BfcAllocator(FakeSubAllocator.scattered(1L << 40), BfcOptions.DEFAULT));
    }

    @Override
    Block grant(AllocationRequest request, Way way) {
      return way.from(upstream, request);
    }

    @Override
    public void free(Block block) {
      upstream.free(block);
    }

    @Override
    public long trim(TrimPolicy policy) {
      trims.incrementAndGet();
      if (failing) {
        throw new UnsupportedOperationException("on purpose");
      }
      return upstream.trim(policy);
    }

    void untilTrimmed(int times) {
      int before = trims.get();
      until(() -> trims.get() >= before + times);
    }
  }

  @Test
  void aTrimThatFailsIsLoggedOnceAndDoesNotEndIt() {
    Untrimmable upstream = new Untrimmable();
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(TrimmingAllocator.class);
    logger.addAppender(log);
    logger.setAdditive(false);
    log.start();
    try {
      TrimmingAllocator allocator = validated.watch(new TrimmingAllocator(upstream, OFTEN));
      upstream.untilTrimmed(5);
      assertThat(log.list).hasSize(1);
      upstream.failing = false;
      upstream.untilTrimmed(2);
      upstream.failing = true;
      upstream.untilTrimmed(5);
      allocator.close();
    } finally {
      logger.setAdditive(true);
      logger.detachAppender(log);
    }
    assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).hasSize(2).allMatch(
      message -> message.startsWith("trimming failed, will try again: space=device:0"));
  }

  @Test
  void aPeriodIsPositive() {
    assertThatIllegalArgumentException().isThrownBy(() -> new TrimSchedule(Duration.ZERO, TrimPolicy.EVERYTHING));
  }
}
