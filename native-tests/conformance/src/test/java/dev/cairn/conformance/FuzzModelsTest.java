package dev.cairn.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.RunOptions;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged models are refused by one of the exceptions that {@link Session#open(Path, SessionOptions)} and {@link
 * Session#run(Map, RunOptions)} name, or they run: nothing else is thrown, and nothing hangs. The models are one of
 * each operator of {@link RandomOperatorsTest}, and {@link RandomProgram programs} with bodies.
 */
class FuzzModelsTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1).withDevice("cpu")
    .withMemoryLimitBytes(64L << 20);
  /** Damage makes loops endless. */
  private static final RunOptions FEW_TRIPS = RunOptions.DEFAULT.withMaxIterations(100);
  private static final int PROGRAMS = 40;
  private static final long MOST_INPUT_ELEMENTS = 1 << 20;

  @TempDir
  private Path folder;

  /** What was thrown besides, the first of each place. */
  private final Map<String, AssertionError> faults = new TreeMap<>();
  /** How many models came to which end. */
  private final Map<String, Integer> ends = new TreeMap<>();

  @Test
  void damagedModelsAreRefusedByNamedExceptionsOrRun() throws IOException {
    fuzz(1, 300);
    assertTrue(ends.getOrDefault("ran", 0) > 60 && ends.getOrDefault("InvalidGraph", 0) > 12, ends::toString);
  }

  @Test
  @Tag("long")
  void moreDamagedModelsAreRefusedByNamedExceptionsOrRun() throws IOException {
    fuzz(3, 900);
    assertTrue(ends.getOrDefault("ran", 0) > 180 && ends.getOrDefault("InvalidGraph", 0) > 36, ends::toString);
  }

  @Test
  @Tag("soak")
  void manyDamagedModelsAreRefusedByNamedExceptionsOrRun() throws IOException {
    fuzz(Long.getLong("cairn.soak.seed", 2), Integer.getInteger("cairn.soak.mutations", 100_000));
  }

  /** Operators of other domains than ONNX's own alone. */
  @Test
  @Tag("soak")
  void manyDamagedModelsOfOtherDomainsAreRefusedByNamedExceptionsOrRun() throws IOException {
    fuzz(ofOperators(FuzzModelsTest::isOfOtherDomain), Long.getLong("cairn.soak.seed", 4), Integer.getInteger(
      "cairn.soak.mutations", 100_000));
  }

  private static boolean isOfOtherDomain(String operator) {
    return operator.contains("::") || StandardOperators.table().find(operator).filter(it -> !it.facts().onnx()
      .domain().isEmpty()).isPresent();
  }

  private void fuzz(long seed, int mutations) throws IOException {
    List<Source> models = ofOperators(_ -> true);
    for (int program = 1; program <= PROGRAMS; program++) {
      int chosen = program;
      models.add(() -> RandomProgram.of(chosen));
    }
    fuzz(models, seed, mutations);
  }

  private void fuzz(List<Source> models, long seed, int mutations) throws IOException {
    var mutator = new ModelMutator(seed, words());
    Path file = folder.resolve("damaged.onnx");
    for (int n = 0; n < mutations; n++) {
      // Each kind gets some cases, however few mutations there are.
      int at = mutations < models.size() ? n * models.size() / mutations : n % models.size();
      byte[] bytes = mutator.mutated(models.get(at).model());
      // Ext4 waits for the disk when a file is emptied and written again.
      Files.deleteIfExists(file);
      Files.write(file, bytes);
      ends.merge(judged(file, n, bytes), 1, Integer::sum);
    }
    assertAll(faults.values().stream().map(fault -> () -> {
      throw fault;
    }));
  }

  /** Makes a whole model. */
  private interface Source {
    ModelProto model() throws IOException;
  }

  /** Three models of each operator. */
  private List<Source> ofOperators(Predicate<String> chosen) {
    List<Source> models = new ArrayList<>();
    Map<String, Consumer<OneOperator>> all = new TreeMap<>(RandomOperatorsTest.CASES_BY_OPERATOR);
    all.putAll(LaterContributedCases.ALL);
    all.forEach((name, cases) -> {
      for (int seed = 1; chosen.test(name) && seed <= 3; seed++) {
        int own = seed;
        models.add(() -> ofOperator(name, cases, own));
      }
    });
    return models;
  }

  private ModelProto ofOperator(String name, Consumer<OneOperator> cases, int seed) throws IOException {
    var model = new OneOperator(name, seed);
    cases.accept(model);
    OneOperator.Model made = model.build();
    Path file = folder.resolve("whole.onnx");
    Files.deleteIfExists(file);
    OnnxWriter.write(made.graph(), made.outputs(), file);
    return ModelProto.parseFrom(Files.readAllBytes(file));
  }

  private static List<String> words() {
    List<String> words = new ArrayList<>(StandardOperators.table().names());
    words.addAll(List.of("", "input0", "input1", "constant1", "output0", "axis", "axes", "pads", "strides", "dilations",
      "kernel_shape", "ceil_mode", "auto_pad", "SAME_UPPER", "VALID", "group", "size", "to", "perm", "keepdims",
      "Softsign", "ai.onnx.ml", "?", "\n\u001b[31m"));
    return words;
  }

  private String judged(Path file, int number, byte[] bytes) {
    try (Session session = Session.open(file, OPTIONS)) {
      return run(session);
    } catch (InvalidModel | InvalidGraph | UnsupportedOperators | OutOfMemory | IllegalArgumentException e) {
      assertFalse(String.valueOf(e.getMessage()).isBlank(), () -> described("no message", bytes));
      return e.getClass().getSimpleName();
    } catch (RuntimeException | Error e) {
      StackTraceElement[] trace = e.getStackTrace();
      var fault = new AssertionError("mutation %d: %s".formatted(number, described(e.toString(), bytes)), e);
      faults.putIfAbsent(e.getClass() + " at " + (trace.length == 0 ? "" : trace[0]), fault);
      return "fault";
    }
  }

  private static String described(String what, byte[] bytes) {
    return what + "\n" + Base64.getEncoder().encodeToString(bytes);
  }

  private static String run(Session session) {
    Map<String, Tensor> inputs = new LinkedHashMap<>();
    try {
      Map<String, Long> symbols = new HashMap<>();
      for (Map.Entry<String, DeclaredType> input : session.info().inputs().entrySet()) {
        Shape shape = shape(input.getValue(), symbols);
        if (shape.elementCount() > MOST_INPUT_ELEMENTS) {
          return "not run";
        }
        inputs.put(input.getKey(), ones(input.getValue().dtype(), shape));
      }
      session.run(inputs, FEW_TRIPS).close();
      return "ran";
    } catch (RunStopped e) {
      return "stopped";
    } finally {
      inputs.values().forEach(Tensor::close);
    }
  }

  private static Shape shape(DeclaredType type, Map<String, Long> symbols) {
    if (!type.hasRank()) {
      return Shape.of(2);
    }
    return Shape.of(type.dimensions().stream().mapToLong(dimension -> switch (dimension) {
      case Dimension.Fixed(long extent) -> extent;
      case Dimension.Symbol(String name) -> symbols.computeIfAbsent(name, _ -> 2L);
    }).toArray());
  }

  /** Bytes of ones: small whole numbers, and floats near zero. */
  private static Tensor ones(DType dtype, Shape shape) {
    if (dtype == DType.STRING) {
      String[] texts = new String[Math.toIntExact(shape.elementCount())];
      Arrays.fill(texts, "1");
      return Tensor.of(texts, shape.extents());
    }
    byte[] bytes = new byte[Math.toIntExact(new TensorType(dtype, shape).bytes())];
    for (int i = 0; i < bytes.length; i += dtype.isPacked() ? 1 : dtype.bytes()) {
      bytes[i] = 1;
    }
    return Tensor.of(bytes, dtype, shape.extents());
  }
}
