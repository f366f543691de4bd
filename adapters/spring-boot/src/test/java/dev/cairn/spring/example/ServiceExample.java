package dev.cairn.spring.example;

import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Service;

/** The program of {@code docs/howto/spring-boot.md}. */
@SpringBootApplication
public class ServiceExample {
  @Service
  public static class Classifier {
    private final Session session;

    public Classifier(Session session) {
      this.session = session;
    }

    public float[] classify(float[] pixels) {
      try (Tensor input = Tensor.of(pixels, 1, pixels.length);
        Result result = session.run(Map.of("input", input))) {
        return result.get("logits").toFloatArray();
      }
    }
  }
}
