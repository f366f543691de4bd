package dev.cairn.kernels.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Supplier;
import jcuda.driver.CUstream;
import org.junit.jupiter.api.Test;

class StreamMarksTest {
  /** Ends a call when it makes the context current: there is no driver. */
  private static final class Entered extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * A virtual thread that waits for the monitor may continue on another thread of the operating system. A context that
   * it had made current before is not current there.
   */
  @Test
  void theContextIsMadeCurrentInsideTheMonitor() {
    var marks = new StreamMarks(new CUstream());
    var entries = new int[1];
    Supplier<CudaDriver> entry = () -> {
      assertThat(Thread.holdsLock(marks)).isTrue();
      entries[0]++;
      throw new Entered();
    };
    List<Runnable> calls = List.of(() -> marks.record(entry), () -> marks.hasPassed(entry, 1), () -> marks.letWait(
      entry, null, 1), () -> marks.destroy(entry));
    for (Runnable call : calls) {
      assertThatThrownBy(call::run).isInstanceOf(Entered.class);
    }
    assertThat(entries[0]).isEqualTo(calls.size());
  }
}
