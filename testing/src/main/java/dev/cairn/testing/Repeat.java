package dev.cairn.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.TagFilter.excludeTags;

import java.io.PrintWriter;
import java.util.Arrays;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Runs classes of tests many times in one JVM, without tests tagged long or soak, and says which tests failed in which
 * round. {@code native-tests/repeat.sh} starts it.
 */
public final class Repeat {
  private Repeat() {}

  /**
   * Exits with 1 when a test failed, or when a round ran no test.
   *
   * @param arguments the number of rounds, then the full names of the classes
   */
  public static void main(String[] arguments) {
    int rounds = Integer.parseInt(arguments[0]);
    var classes = Arrays.stream(arguments).skip(1).map(name -> selectClass(name)).toList();
    LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request().selectors(classes)
      .filters(excludeTags("long", "soak")).build();
    Launcher launcher = LauncherFactory.create();
    var out = new PrintWriter(System.out, true, UTF_8);
    int failed = 0;
    for (int round = 1; round <= rounds; round++) {
      var listener = new SummaryGeneratingListener();
      launcher.execute(request, listener);
      var summary = listener.getSummary();
      boolean passed = summary.getTotalFailureCount() == 0 && summary.getTestsSucceededCount() > 0;
      if (!passed) {
        failed++;
        out.println("round " + round + " failed:");
        summary.printFailuresTo(out, 60);
      }
    }
    out.println(rounds + " rounds, " + failed + " failed");
    // Threads that a failed test left running must not keep the process alive.
    System.exit(failed == 0 ? 0 : 1);
  }
}
