package dev.cairn.benchmarks.allocator;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Times trials with JMH, in this process: the compared cases take turns, many times, which JMH's own forks would not
 * do; {@link MatchProcesses} are forks in which it does. One trial at a time.
 */
final class JmhTimer {
  static {
    // The lock keeps two JMHs of one machine apart, but a lock that another user once left blocks every JMH.
    System.setProperty("jmh.ignoreLock", "true");
  }

  private final Effort effort;

  JmhTimer(Effort effort) {
    this.effort = effort;
  }

  /**
   * Nanoseconds an operation: the median of a few invocations, each of which does as many operations as the trial says.
   * Others go before them, untimed.
   */
  double single(Trial trial) {
    return run(options(trial).mode(Mode.SingleShotTime)
      .warmupIterations(effort.warmups())
      .measurementIterations(effort.invocations()));
  }

  /** Like {@link #single}, but one invocation after an untimed one: for cases that take long to prepare. */
  double once(Trial trial) {
    return run(options(trial).mode(Mode.SingleShotTime).warmupIterations(1).measurementIterations(1));
  }

  /**
   * Nanoseconds an operation, all threads together: as many invocations as there is time for, by all threads at once,
   * after as long untimed.
   */
  double together(Trial trial) {
    TimeValue time = TimeValue.milliseconds(effort.threadMillis());
    return run(options(trial).mode(Mode.AverageTime)
      .threads(trial.threads())
      .warmupIterations(1)
      .warmupTime(time)
      .measurementIterations(1)
      .measurementTime(time)) / trial.threads();
  }

  private static ChainedOptionsBuilder options(Trial trial) {
    ChainedOptionsBuilder builder = new OptionsBuilder()
      .include("^" + trial.workload().getName().replace(".", "\\.") + "\\.run$")
      .forks(0)
      .shouldDoGC(false)
      .shouldFailOnError(true)
      .verbosity(VerboseMode.SILENT)
      .timeUnit(TimeUnit.NANOSECONDS)
      .operationsPerInvocation(trial.operations())
      .param("operations", Integer.toString(trial.operations()));
    trial.parameters().forEach(builder::param);
    return builder;
  }

  private static double run(ChainedOptionsBuilder options) {
    try {
      Collection<RunResult> results = new Runner(options.build()).run();
      if (results.size() != 1) {
        throw new AssertionError("not one result: results=" + results.size());
      }
      return results.iterator().next().getPrimaryResult().getStatistics().getPercentile(50);
    } catch (RunnerException e) {
      throw new IllegalStateException("a workload failed", e);
    }
  }
}
