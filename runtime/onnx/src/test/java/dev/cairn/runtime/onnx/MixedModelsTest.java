package dev.cairn.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models of every kind that exporters write give ONNX Runtime's values, with and without the compiler's passes. */
class MixedModelsTest {
  private static final double CLOSE = 1e-4;

  @TempDir
  private Path folder;

  @Test
  void equalOnnxRuntime() throws IOException {
    compare(0, 60);
  }

  @Test
  @Tag("long")
  void moreEqualOnnxRuntime() throws IOException {
    compare(60, 240);
  }

  @Test
  @Tag("soak")
  void manyEqualOnnxRuntime() throws IOException {
    compare(300, 6_000);
  }

  private void compare(long first, int count) throws IOException {
    List<String> faults = new ArrayList<>();
    int compared = 0;
    for (long seed = first; seed < first + count; seed++) {
      compared += compare(seed, faults);
    }
    assertThat(faults).isEmpty();
    // ONNX Runtime refuses the operands of some runs.
    assertThat(compared).isGreaterThan(2 * count);
  }

  private int compare(long seed, List<String> faults) throws IOException {
    MixedModel made = MixedModel.of(seed);
    Models.anew(folder.resolve("weights.bin"), made.external());
    Path file = Models.save(made.model(), folder);
    int compared = 0;
    for (boolean simplifies : new boolean[] {true, false}) {
      String where = "seed=%d kind=%s simplifies=%s: ".formatted(seed, made.kind(), simplifies);
      SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withCompile(CompileOptions.DEFAULT.withSimplify(
        simplifies));
      try (Session session = Session.open(file, options)) {
        for (Map<String, TensorView> inputs : made.inputs()) {
          compared += compare(file, made, session, inputs).map(it -> {
            it.stream().map(where::concat).forEach(faults::add);
            return 1;
          }).orElse(0);
        }
      } catch (RuntimeException e) {
        faults.add(where + e);
      }
    }
    return compared;
  }

  /** The differences; empty when ONNX Runtime does not run the model on these operands. */
  private static Optional<List<String>> compare(Path file, MixedModel made, Session session,
    Map<String, TensorView> inputs) {
    List<TensorView> wanted;
    try {
      wanted = Oracle.run(file, inputs);
    } catch (OrtException e) {
      return made.inputs().getFirst() == inputs && !String.valueOf(e.getMessage()).contains("Squeeze")
        ? Optional.of(List.of("ONNX Runtime refuses the first operands: " + e.getMessage()))
        : Optional.empty();
    }
    Map<String, Tensor> given = new HashMap<>();
    inputs.forEach((name, view) -> given.put(name, Tensor.copyOf(view)));
    List<String> faults = new ArrayList<>();
    try (Result result = session.run(given)) {
      List<String> names = made.model().getGraph().getOutputList().stream().map(ValueInfoProto::getName).toList();
      for (int i = 0; i < names.size(); i++) {
        String fault = difference(wanted.get(i), result.get(names.get(i)).view());
        if (!fault.isEmpty()) {
          faults.add("output=%s %s".formatted(names.get(i), fault));
        }
      }
    } catch (RuntimeException e) {
      faults.add(e.toString());
    } finally {
      given.values().forEach(Tensor::close);
    }
    return Optional.of(faults);
  }

  private static String difference(TensorView wanted, TensorView given) {
    if (!wanted.type().equals(given.type())) {
      return "wanted=%s given=%s".formatted(wanted.type(), given.type());
    }
    if (wanted.dtype() == DType.STRING) {
      String[] one = StringElements.toArray(wanted);
      String[] other = StringElements.toArray(given);
      return Arrays.equals(one, other)
        ? ""
        : "wanted=%s given=%s".formatted(Arrays.toString(one), Arrays.toString(other));
    }
    for (long i = 0; i < wanted.elementCount(); i++) {
      double one = wanted.doubleAt(i);
      double other = given.doubleAt(i);
      if (Double.compare(one, other) != 0 && !(Math.abs(one - other) <= CLOSE * (1 + Math.abs(one)))) {
        return "element=%d wanted=%s given=%s".formatted(i, one, other);
      }
    }
    return "";
  }
}
