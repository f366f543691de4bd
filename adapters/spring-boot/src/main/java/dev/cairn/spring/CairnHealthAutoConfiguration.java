package dev.cairn.spring;

import dev.cairn.runtime.session.Session;
import java.util.Map;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Health of all sessions that are beans, where Actuator is there. */
@AutoConfiguration(after = CairnAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(Session.class)
public class CairnHealthAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = "cairnHealthIndicator")
  public HealthIndicator cairnHealthIndicator(Map<String, Session> sessions) {
    return new SessionHealth(sessions);
  }
}
