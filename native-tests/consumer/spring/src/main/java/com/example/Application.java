package com.example;

import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.health.HealthEndpoint;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Classifies one picture when it starts, and prints what health and metrics say of it. */
@SpringBootApplication
public class Application {
  public static void main(String[] args) {
    SpringApplication.run(Application.class, args).close();
  }

  @Bean
  CommandLineRunner classify(Session session, HealthEndpoint health, MeterRegistry meters) {
    return args -> {
      try (Tensor input = Tensor.of(new float[784], 1, 784); Result result = session.run(Map.of("input", input))) {
        System.out.println(result.get("logits").toFloatArray().length + " logits");
      }
      System.out.println("planned " + session.compiled().orElseThrow().score());
      System.out.println("health " + health.healthForPath("cairn").getStatus());
      System.out.println("runs " + meters.get("cairn.runs").timer().count());
    };
  }
}
