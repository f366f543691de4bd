package dev.cairn.spring;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.runtime.session.Session;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Gauges of the sessions' memory, in bytes, with the tag {@code session}, the name of the bean: {@code
 * cairn.memory.used} by weights, plans and open results; {@code cairn.memory.pool}, taken from the system; {@code
 * cairn.memory.peak}, the most in use so far; {@code cairn.plan.size}, the plan for the latest run's shapes. A closed
 * session has no numbers.
 */
public final class SessionMetrics implements MeterBinder {
  private final Map<String, Session> sessions;

  /** @param sessions by the names of their beans */
  public SessionMetrics(Map<String, Session> sessions) {
    this.sessions = Map.copyOf(sessions);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    sessions.forEach((name, session) -> {
      bind(registry, name, session, "cairn.memory.used", "Weights, plans and open results", it -> stats(it,
        AllocatorStats::bytesInUse));
      bind(registry, name, session, "cairn.memory.pool", "Memory taken from the system", it -> stats(it,
        AllocatorStats::poolBytes));
      bind(registry, name, session, "cairn.memory.peak", "The most memory in use so far", it -> stats(it,
        AllocatorStats::peakBytesInUse));
      bind(registry, name, session, "cairn.plan.size", "The plan for the latest run's shapes", it -> it.compiled()
        .map(plan -> (double) plan.score().peakBytes()).orElse(Double.NaN));
    });
  }

  private static void bind(MeterRegistry registry, String name, Session session, String meter, String description,
    ToDoubleFunction<Session> value) {
    Gauge.builder(meter, session, value).description(description).baseUnit(BaseUnits.BYTES).tag("session", name)
      .register(registry);
  }

  private static double stats(Session session, ToDoubleFunction<AllocatorStats> value) {
    try {
      return value.applyAsDouble(session.memoryStats());
    } catch (IllegalStateException closed) {
      return Double.NaN;
    }
  }
}
