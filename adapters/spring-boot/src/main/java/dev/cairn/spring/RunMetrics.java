package dev.cairn.spring;

import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Times of runs: {@code cairn.runs} from the run's admission to its end, with the tag {@code outcome} ({@code ok} or
 * {@code failed}); {@code cairn.runs.wait} from the call to the admission, which is where runs wait for each other and
 * for memory; {@code cairn.runs.active}, runs that are under way or waiting. All have the tag {@code model}.
 */
public final class RunMetrics implements RunObserver.Source {
  private final MeterRegistry registry;
  private final Map<String, AtomicLong> active = new ConcurrentHashMap<>();

  public RunMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public RunObserver observe(TracedGraph graph) {
    return new OneRun(graph.name(), registry, active.computeIfAbsent(graph.name(), this::gauge));
  }

  private AtomicLong gauge(String model) {
    var count = new AtomicLong();
    Gauge.builder("cairn.runs.active", count, AtomicLong::get).description("Runs that are under way or waiting").tag(
      "model", model).register(registry);
    return count;
  }

  /** Steps are none of its business, so that a GPU may repeat recorded runs. */
  private static final class OneRun implements RunObserver {
    private final String model;
    private final MeterRegistry registry;
    private final AtomicLong active;
    private final long asked = System.nanoTime();
    private long admitted;

    private OneRun(String model, MeterRegistry registry, AtomicLong active) {
      this.model = model;
      this.registry = registry;
      this.active = active;
      active.incrementAndGet();
    }

    @Override
    public boolean observesSteps() {
      return false;
    }

    @Override
    public void admitted() {
      admitted = System.nanoTime();
    }

    @Override
    public void ended(boolean failed) {
      active.decrementAndGet();
      long now = System.nanoTime();
      long began = admitted == 0 ? now : admitted;
      Timer.builder("cairn.runs.wait").description("From the call to the run's admission").tag("model", model)
        .register(registry).record(began - asked, TimeUnit.NANOSECONDS);
      Timer.builder("cairn.runs").description("From the run's admission to its end").tag("model", model).tag("outcome",
        failed ? "failed" : "ok").register(registry).record(now - began, TimeUnit.NANOSECONDS);
    }
  }
}
