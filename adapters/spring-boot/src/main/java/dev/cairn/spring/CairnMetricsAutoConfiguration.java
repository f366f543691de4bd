package dev.cairn.spring;

import dev.cairn.runtime.session.Session;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Metrics of all sessions that are beans, where Micrometer has a registry. */
@AutoConfiguration(after = CairnAutoConfiguration.class, afterName = {
  "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
  "org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration"})
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public class CairnMetricsAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  public RunMetrics cairnRunMetrics(MeterRegistry registry) {
    return new RunMetrics(registry);
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(Session.class)
  public SessionMetrics cairnSessionMetrics(Map<String, Session> sessions) {
    return new SessionMetrics(sessions);
  }
}
