package dev.cairn.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.spring.example.ServiceExample;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application with Cairn's auto-configuration has. */
class CairnAutoConfigurationTest {
  @TempDir
  private Path folder;
  private Path model = Path.of("");

  /** An application without a bean of its own. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Empty {}

  /** An application with its own options. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Own {
    @Bean
    SessionOptions options() {
      return SessionOptions.DEFAULT.withMaxPlans(3);
    }
  }

  @BeforeEach
  void write() throws IOException {
    model = written(folder.resolve("model.onnx"));
  }

  /** logits = relu(input + w) for two numbers. */
  private static Path written(Path file) throws IOException {
    var builder = new GraphBuilder("pair");
    NodeEntry input = builder.input("input", TensorType.of(DType.FLOAT32, 1, 2));
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(2), 1, -3));
    builder.output("logits", builder.apply("Relu", builder.apply("Add", input, w)));
    Graph graph = builder.build();
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
    return file;
  }

  private static ConfigurableApplicationContext started(Class<?> application, String... properties) {
    // Spring Boot would set up the logging of the tests.
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    return new SpringApplicationBuilder(application).web(WebApplicationType.NONE).properties(properties)
      .properties("spring.main.banner-mode=off").run();
  }

  /** From these an editor completes and explains the properties. */
  @Test
  void everyPropertyIsDescribedForEditors() throws IOException {
    String text;
    try (var file = CairnProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    }
    Map<String, String> described = new HashMap<>();
    for (Object row : (List<?>) Objects.requireNonNull(JsonParserFactory.getJsonParser().parseMap(text).get(
      "properties"))) {
      var property = (Map<?, ?>) row;
      assertThat(property.get("description")).as(row.toString()).isNotNull();
      described.put(String.valueOf(property.get("name")), String.valueOf(property.get("type")));
    }
    Map<String, String> declared = new HashMap<>();
    for (RecordComponent it : CairnProperties.class.getRecordComponents()) {
      String name = it.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      declared.put("cairn." + name, it.getType().getName());
    }
    assertThat(described).isEqualTo(declared);
  }

  @Test
  void theExampleAnswersAndIsMeasured() {
    try (ConfigurableApplicationContext context = started(ServiceExample.class, "cairn.model=file:" + model,
      "cairn.threads=1", "cairn.memory-limit=64MB")) {
      assertThat(context.getBean(ServiceExample.Classifier.class).classify(new float[] {1, 2})).containsExactly(2, 0);
      MeterRegistry meters = context.getBean(MeterRegistry.class);
      assertThat(meters.get("cairn.runs").tags("model", "pair", "outcome", "ok").timer().count()).isEqualTo(1);
      assertThat(meters.get("cairn.runs.wait").tag("model", "pair").timer().count()).isEqualTo(1);
      assertThat(meters.get("cairn.runs.active").tag("model", "pair").gauge().value()).isZero();
      assertThat(meters.get("cairn.memory.used").tag("session", "cairnSession").gauge().value()).isGreaterThan(7);
      assertThat(meters.get("cairn.memory.pool").gauge().value()).isGreaterThan(7);
      assertThat(meters.get("cairn.memory.peak").gauge().value()).isGreaterThan(7);
      assertThat(meters.get("cairn.plan.size").gauge().value()).isNotNaN();
    }
  }

  @Test
  void healthTellsOfTheSession() {
    try (ConfigurableApplicationContext context = started(Empty.class, "cairn.model=file:" + model,
      "cairn.memory-limit=64MB")) {
      Health health = context.getBean("cairnHealthIndicator", HealthIndicator.class).health();
      assertThat(health.getStatus()).isEqualTo(Status.UP);
      assertThat(health.getDetails().get("cairnSession")).asString().contains("model=pair", "device=",
        "limitBytes=67108864");
    }
    Session closed = Session.open(model);
    closed.close();
    Health health = new SessionHealth(Map.of("mine", closed)).health();
    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
    assertThat(health.getDetails()).containsEntry("mine", "closed");
    var meters = new SimpleMeterRegistry();
    new SessionMetrics(Map.of("mine", closed)).bindTo(meters);
    assertThat(meters.get("cairn.memory.used").gauge().value()).isNaN();
  }

  @Test
  void failedRunsCountByThemselves() {
    var meters = new SimpleMeterRegistry();
    RunObserver run = new RunMetrics(meters).observe(new TracedGraph("pair", "cpu", 1, 0, List.of(), List.of()));
    assertThat(run.observesSteps()).as("a GPU may repeat recorded runs").isFalse();
    assertThat(meters.get("cairn.runs.active").gauge().value()).isEqualTo(1);
    run.ended(true);
    assertThat(meters.get("cairn.runs").tag("outcome", "failed").timer().count()).isEqualTo(1);
    assertThat(meters.get("cairn.runs.active").gauge().value()).isZero();
  }

  @Test
  void withoutAModelThereIsNoSession() {
    try (ConfigurableApplicationContext context = started(Empty.class)) {
      assertThat(context.getBeansOfType(Session.class)).isEmpty();
      assertThat(context.getBeansOfType(SessionMetrics.class)).isEmpty();
      assertThat(context.getBean(SessionOptions.class).threads()).isEqualTo(SessionOptions.DEFAULT.threads());
    }
  }

  @Test
  void anApplicationKeepsItsOwnOptions() {
    try (ConfigurableApplicationContext context = started(Own.class, "cairn.model=file:" + model)) {
      assertThat(context.getBean(SessionOptions.class).maxPlans()).isEqualTo(3);
      assertThat(context.getBean(Session.class).info().name()).isEqualTo("pair");
    }
  }

  @Test
  void aMissingModelIsNamed() {
    assertThatThrownBy(() -> started(Empty.class, "cairn.model=file:/none/model.onnx")).rootCause()
      .hasMessageContaining("/none/model.onnx");
    assertThatThrownBy(() -> started(Empty.class, "cairn.model=classpath:none.onnx")).rootCause()
      .hasMessageContaining("none.onnx");
  }
}
