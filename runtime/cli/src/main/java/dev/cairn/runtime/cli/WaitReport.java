package dev.cairn.runtime.cli;

import dev.cairn.kernels.device.ThreadTimes;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the threads of timed runs had to wait for processors.
 *
 * @param times of all threads together
 * @param threads that one kernel may use
 */
record WaitReport(ThreadTimes times, int threads) {

  /** What a user should know; empty where the threads had the processors that they wanted. */
  Optional<String> text() {
    return times.areCrowded()
      ? Optional.of(String.format(Locale.ROOT, "%.0f %% of the threads' time, for processors that other programs, the "
        + "JVM's compilers or a container's limit took%s", 100 * times.waitedShare(),
        threads > 1
          ? "%n         --threads 1 takes one processor only".formatted()
          : ""))
      : Optional.empty();
  }

  Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("ranNanos", times.ranNanos());
    document.put("waitedNanos", times.waitedNanos());
    return document;
  }
}
