package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.device.ThreadTimes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code cairn run} says of threads that had to wait for processors. The scheduler's counts are the test's. */
class WaitReportTest {
  private static final long MILLI = 1_000_000;
  /** Before the timed runs. */
  private static final ThreadTimes BEFORE = new ThreadTimes(500 * MILLI, 900 * MILLI, 70);
  private static final ThreadTimes FOUR_MILLIS_OF_TEN = new ThreadTimes(506 * MILLI, 904 * MILLI, 72);
  private static final ThreadTimes ONE_MILLI_OF_TEN = new ThreadTimes(509 * MILLI, 901 * MILLI, 72);

  private static String run(ThreadTimes after, String... more) {
    Queue<ThreadTimes> counted = new ArrayDeque<>(List.of(BEFORE, after));
    var out = new StringWriter();
    var err = new StringWriter();
    int code = Main.execute(Stream.concat(Stream.of("run", "mlp", "--iterations", "2", "--warmup", "0"), Stream.of(
      more)).toArray(String[]::new), new PrintWriter(out, true), new PrintWriter(err, true), new RuntimeOptions(false,
        Map.of(), System::nanoTime, counted::remove));
    assertThat(code).as(err.toString()).isZero();
    return out.toString();
  }

  @Test
  void threadsThatWaitedAreToldOf() {
    assertThat(run(FOUR_MILLIS_OF_TEN, "--threads", "2")).contains(
      "\nwaited   40 % of the threads' time, for processors that other programs, the JVM's compilers or a container's "
        + "limit took\n         --threads 1 takes one processor only\n");
  }

  /** There is nothing to follow then. */
  @Test
  void oneThreadIsNotAdvisedToBeOne() {
    assertThat(run(FOUR_MILLIS_OF_TEN, "--threads", "1")).contains(
      "\nwaited   40 % of the threads' time, for processors that other programs, the JVM's compilers or a container's "
        + "limit took\noutput ");
  }

  @Test
  void threadsThatHadTheirProcessorsAreNot() {
    assertThat(run(ONE_MILLI_OF_TEN)).doesNotContain("waited");
  }

  @Test
  void aDocumentHasTheTimesInAnyCase() {
    assertThat(Outcome.parse(run(ONE_MILLI_OF_TEN, "--format", "json")).get("processors").toString()).isEqualTo(
      "{\"ranNanos\":9000000,\"waitedNanos\":1000000}");
  }
}
