package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.value.Ownership;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** A runtime that is never closed is named in the log, and its threads and memory go back. */
class ForgottenRuntimeTest {
  private static final class Reports extends AppenderBase<ILoggingEvent> {
    private final CountDownLatch reported = new CountDownLatch(1);

    @Override
    protected void append(ILoggingEvent event) {
      if (event.getFormattedMessage().contains("never closed") && event.getFormattedMessage().contains("arrays on")) {
        reported.countDown();
      }
    }
  }

  /** Nothing of the runtime is on this thread's stack afterwards. */
  private static Engines forgotten(Kind kind) {
    ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(kind));
    NDArray x = arrays.ones(DType.FLOAT32, 1000);
    x.add(1).waitToRead();
    NDArray open = x.add(2);
    arrays.waitAll();
    Reference.reachabilityFence(open);
    return new Engines(new WeakReference<>(arrays), arrays.devices().host());
  }

  private record Engines(WeakReference<ArrayRuntime> runtime, ArrayDevice device) {}

  @ParameterizedTest
  @EnumSource(Kind.class)
  void isReportedAndReclaimed(Kind kind) throws InterruptedException {
    var logger = (Logger) LoggerFactory.getLogger(Ownership.class);
    var reports = new Reports();
    reports.start();
    logger.addAppender(reports);
    try {
      Engines left = forgotten(kind);
      while (!reports.reported.await(10, TimeUnit.MILLISECONDS)) {
        System.gc();
      }
      assertThat(left.runtime.get()).isNull();
      while (left.device.stats().poolBytes() > 0) {
        Thread.onSpinWait();
      }
    } finally {
      logger.detachAppender(reports);
    }
  }
}
