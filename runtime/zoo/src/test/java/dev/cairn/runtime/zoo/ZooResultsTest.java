package dev.cairn.runtime.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Results of a reference model under a limit that its plans just fit. */
class ZooResultsTest {
  private static Result run(Session session, int items) {
    return session.run(Map.of("input", Tensor.of(new float[items * 784], items, 784)));
  }

  @Test
  void aResultOfFourRowsDoesNotKeepThePlanOfFourteen() {
    Graph mlp = Zoo.build("mlp", new ZooOptions(1, 128, 1, true));
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withMaxPlans(1).withMemoryLimitBytes(4_400_000);
    try (var session = Session.of(mlp, options)) {
      Result a = run(session, 14);
      try (Result b = run(session, 4)) {
        a.close();
        run(session, 13).close();
        assertEquals(40, b.get("logits").toFloatArray().length);
      }
    }
  }
}
