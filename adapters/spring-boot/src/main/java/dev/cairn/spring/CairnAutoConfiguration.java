package dev.cairn.spring;

import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.trace.RunObserver;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * A bean {@link SessionOptions} from the properties {@code cairn.*}, and a bean {@link Session} when {@code
 * cairn.model} names a model. An application that defines beans of these types keeps its own.
 */
@AutoConfiguration
@EnableConfigurationProperties(CairnProperties.class)
public class CairnAutoConfiguration {

  /** Options with the settings of the properties, and with every source of observers that is a bean. */
  @Bean
  @ConditionalOnMissingBean
  public SessionOptions cairnSessionOptions(CairnProperties properties, ObjectProvider<RunObserver.Source> observers) {
    return properties.options().withObservers(RunObserver.Source.all(observers.orderedStream().toArray(
      RunObserver.Source[]::new)));
  }

  /** The session; the application's context closes it. */
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty("cairn.model")
  public Session cairnSession(CairnProperties properties, SessionOptions options) {
    return Session.open(ResourceModel.of(Objects.requireNonNull(properties.model(), "cairn.model")), options);
  }
}
