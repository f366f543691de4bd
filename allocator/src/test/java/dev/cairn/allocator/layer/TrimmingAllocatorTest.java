package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.cairn.testing.ManualClock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

class TrimmingAllocatorTest {
  private static final Duration PERIOD = Duration.ofMinutes(7);
  private static final TrimSchedule SCHEDULE = new TrimSchedule(PERIOD, TrimPolicy.EVERYTHING);

  @RegisterExtension
  final Validated validated = new Validated();
  private final ManualClock clock = new ManualClock();

  /** An upstream that says when a trim has ended, and whose trims fail when told to. */
  private static final class Upstream extends AllocatorLayer {
    private final Semaphore trims = new Semaphore(0);
    private volatile boolean failing;
    private boolean staysOpen;
    private volatile @Nullable Thread trimmer;

    Upstream() {
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
    public void close() {
      if (staysOpen) {
        throw new UnsupportedOperationException("on purpose");
      }
      upstream.close();
    }

    @Override
    public long trim(TrimPolicy policy) {
      trimmer = Thread.currentThread();
      try {
        if (failing) {
          throw new UnsupportedOperationException("on purpose");
        }
        return upstream.trim(policy);
      } finally {
        trims.release();
      }
    }
  }

  /** Moves the clock, and waits for so many trims, each of which must come. */
  private void trims(TrimmingAllocator allocator, Upstream upstream, int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      clock.advance(PERIOD);
      allocator.clockMoved();
      upstream.trims.acquire();
    }
  }

  @Test
  void theThreadEndsAlsoWhenTheUpstreamCannotBeClosed() throws InterruptedException {
    Upstream upstream = new Upstream();
    TrimmingAllocator allocator = validated.watch(new TrimmingAllocator(upstream, SCHEDULE, clock));
    trims(allocator, upstream, 1);
    upstream.staysOpen = true;
    assertThatThrownBy(allocator::close).isInstanceOf(UnsupportedOperationException.class);
    Objects.requireNonNull(upstream.trimmer).join();
    upstream.staysOpen = false;
    allocator.close();
  }

  @Test
  void memoryThatLiesIdleGoesBackByItselfUntilClosed() throws InterruptedException {
    Upstream upstream = new Upstream();
    TrimmingAllocator allocator = validated.watch(new TrimmingAllocator(upstream, SCHEDULE, clock));
    for (int i = 0; i < 3; i++) {
      Block block = allocator.allocate(10 << 20);
      allocator.free(block);
      trims(allocator, upstream, 1);
      assertThat(allocator.stats().poolBytes()).isZero();
    }
    Block held = allocator.allocate(1);
    assertThatIllegalStateException().isThrownBy(allocator::close);
    trims(allocator, upstream, 1);
    Thread trimmer = Objects.requireNonNull(upstream.trimmer);
    assertThat(trimmer.getName()).isEqualTo("cairn-trim-device:0");
    assertThat(trimmer.isDaemon()).isTrue();
    allocator.free(held);
    allocator.close();
    trimmer.join();
    assertThat(upstream.trims.availablePermits()).isZero();
    assertThatIllegalStateException().isThrownBy(allocator::close);
  }

  /** The clock alone decides: a look at it a nanosecond before the period is over trims nothing. */
  @Test
  void beforeThePeriodIsOverNothingIsTrimmed() throws InterruptedException {
    Upstream upstream = new Upstream();
    TrimmingAllocator allocator = validated.watch(new TrimmingAllocator(upstream, SCHEDULE, clock));
    clock.advance(PERIOD.minusNanos(1));
    allocator.clockMoved();
    Block block = allocator.allocate(1);
    allocator.free(block);
    clock.advance(Duration.ofNanos(1));
    allocator.clockMoved();
    upstream.trims.acquire();
    clock.advance(PERIOD.minusNanos(1));
    allocator.clockMoved();
    allocator.close();
    Objects.requireNonNull(upstream.trimmer).join();
    assertThat(upstream.trims.availablePermits()).isZero();
  }

  @Test
  void aTrimThatFailsIsLoggedOnceAndDoesNotEndIt() throws InterruptedException {
    Upstream upstream = new Upstream();
    upstream.failing = true;
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(TrimmingAllocator.class);
    logger.addAppender(log);
    logger.setAdditive(false);
    log.start();
    try {
      TrimmingAllocator allocator = validated.watch(new TrimmingAllocator(upstream, SCHEDULE, clock));
      trims(allocator, upstream, 5);
      upstream.failing = false;
      trims(allocator, upstream, 2);
      upstream.failing = true;
      trims(allocator, upstream, 5);
      allocator.close();
      Objects.requireNonNull(upstream.trimmer).join();
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
