package dev.cairn.spring;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.runtime.session.Session;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** Up while all sessions are open; the details have device, kernels and memory of each. */
public final class SessionHealth extends AbstractHealthIndicator {
  private final Map<String, Session> sessions;

  /** @param sessions by the names of their beans */
  public SessionHealth(Map<String, Session> sessions) {
    this.sessions = Map.copyOf(sessions);
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    health.up();
    sessions.forEach((name, session) -> {
      try {
        health.withDetail(name, details(session));
      } catch (IllegalStateException closed) {
        health.down().withDetail(name, "closed");
      }
    });
  }

  private static Map<String, Object> details(Session session) {
    AllocatorStats memory = session.memoryStats();
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("model", session.info().name());
    details.put("device", session.device());
    details.put("kernels", session.kernels());
    details.put("bytesInUse", memory.bytesInUse());
    details.put("limitBytes", memory.limitBytes());
    session.compiled().ifPresent(plan -> details.put("planBytes", plan.score().peakBytes()));
    session.unplannedReason().ifPresent(reason -> details.put("unplanned", reason));
    return details;
  }
}
