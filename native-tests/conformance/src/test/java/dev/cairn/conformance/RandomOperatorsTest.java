package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.operator.family.OperatorCases;
import dev.cairn.runtime.operator.family.RandomFamily;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.ModelFiles;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operator that Cairn knows equals ONNX Runtime on seeded random shapes, types and attributes. */
class RandomOperatorsTest {
  /** Operators that draw from a generator of their own: tests of the kernels judge their distributions. */
  static final Set<String> DRAWN = RandomFamily.ROWS.stream().filter(row -> !row.memory().alias()).map(
    OperatorDefinition::name).collect(Collectors.toUnmodifiableSet());
  private static final int CASES = 20;
  private static final int FEW = 5;
  /** Sums of float32 in another order: a few units in the last place of the largest term, which is about 10. */
  private static final Closeness CLOSENESS = new Closeness(1e-5, 1e-5);
  private static final List<PlannedRun.Setting> SETTINGS = List.of(PlannedRun.Setting.of(PlannerChoice.BEST_FIT, true),
    PlannedRun.Setting.portable());
  /** For each operator, what makes a random model of it. */
  static final Map<String, Consumer<OneOperator>> CASES_BY_OPERATOR = casesByOperator();
  private static final PlannedRun RUNNER = new PlannedRun();

  @TempDir
  private Path folder;

  private static Map<String, Consumer<OneOperator>> casesByOperator() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>(ElementwiseCases.ALL);
    all.putAll(SummingCases.ALL);
    all.putAll(MovingCases.ALL);
    all.putAll(FurtherElementwiseCases.ALL);
    all.putAll(SelectingCases.ALL);
    all.putAll(SamplingCases.ALL);
    all.putAll(QuantizedCases.ALL);
    all.putAll(RecurrentCases.ALL);
    all.putAll(SignalCases.ALL);
    all.putAll(TextCases.ALL);
    all.putAll(ClassicCases.ALL);
    all.putAll(ContributedCases.ALL);
    all.putAll(FurtherContributedCases.ALL);
    return all;
  }

  @AfterAll
  static void close() {
    RUNNER.close();
  }

  static Stream<String> operators() {
    return CASES_BY_OPERATOR.keySet().stream();
  }

  static Stream<String> operatorsWithoutGenerator() {
    SortedSet<String> names = StandardOperators.table().names();
    names.removeAll(CASES_BY_OPERATOR.keySet());
    names.removeAll(DRAWN);
    return names.stream();
  }

  /** ONNX has no such operator for most of them, as gradients, or ONNX Runtime has no kernel: they have no oracle. */
  @ParameterizedTest
  @MethodSource("operatorsWithoutGenerator")
  void usesThatTypeRulesAcceptEqualOnnxRuntimeIfItHasTheOperator(String operator) throws IOException {
    List<String> differences = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (Graph use : OperatorCases.accepted(operator)) {
      var values = new OneOperator(operator, refused.size());
      Map<String, TensorView> inputs = new LinkedHashMap<>();
      for (Node input : use.inputs()) {
        TensorType type = ((NodeKind.Input) input.kind()).type().known().orElseThrow();
        inputs.put(input.name(), values.tensor(type.dtype(), type.shape(), 0, 1));
      }
      try {
        differences.addAll(differences(new OneOperator.Model(use, inputs), 1));
      } catch (OrtException e) {
        refused.add(String.valueOf(e.getMessage()));
      } catch (IllegalArgumentException e) { // of the writer
        assertThat(e).hasMessageContaining("ONNX has no such operator");
      }
    }
    assertTrue(differences.isEmpty(), () -> "%d differences%n%s".formatted(differences.size(), String.join("\n",
      differences)));
    assertTrue(refused.stream().allMatch(RandomOperatorsTest::isUnknown), () -> "write a generator of operands in one "
      + "of the ...Cases of this folder: ONNX Runtime refuses uses of the operator in runtime/graph's test of its "
      + "family: " + refused);
  }

  private static boolean isUnknown(String refusal) {
    return refusal.contains("is not a registered function/op") || refusal.contains("NOT_IMPLEMENTED") || refusal
      .contains("is under development");
  }

  @ParameterizedTest
  @MethodSource("operators")
  void equalsOnnxRuntime(String operator) throws IOException, OrtException {
    compare(operator, 1, FEW);
  }

  @ParameterizedTest
  @MethodSource("operators")
  @Tag("long")
  void moreCasesEqualOnnxRuntime(String operator) throws IOException, OrtException {
    compare(operator, FEW + 1, CASES);
  }

  /** All operators, or those of {@code -Dcairn.soak.operators=Conv,MatMul}. */
  static Stream<String> chosenOperators() {
    String chosen = System.getProperty("cairn.soak.operators", "");
    return chosen.isEmpty() ? operators() : Stream.of(chosen.split(","));
  }

  @ParameterizedTest
  @MethodSource("chosenOperators")
  @Tag("soak")
  void manyCasesEqualOnnxRuntime(String operator) throws IOException, OrtException {
    compare(operator, CASES + 1, CASES + Integer.getInteger("cairn.soak.cases", 500));
  }

  /** Tries every seed, and names all that differ. */
  private void compare(String operator, int first, int last) throws IOException, OrtException {
    Consumer<OneOperator> cases = Objects.requireNonNull(CASES_BY_OPERATOR.get(operator), operator);
    List<String> differences = new ArrayList<>();
    for (int seed = first; seed <= last; seed++) {
      var model = new OneOperator(operator, seed);
      cases.accept(model);
      differences.addAll(differences(model.build(), seed));
    }
    assertTrue(differences.isEmpty(), () -> "%d differences%n%s".formatted(differences.size(),
      String.join("\n", differences)));
  }

  /** Planned, or in a session where there can be no plan. */
  private static List<TensorView> given(Graph graph, Map<String, TensorView> inputs, PlannedRun.Setting setting) {
    try {
      return RUNNER.run(RUNNER.compile(graph, inputs, setting), inputs);
    } catch (ValueDependentShape e) {
      Map<String, Tensor> tensors = new TreeMap<>();
      inputs.forEach((name, view) -> tensors.put(name, Tensor.copyOf(view)));
      try (Session session = Session.of(graph, SessionOptions.DEFAULT); Result result = session.run(tensors)) {
        return result.names().stream().map(it -> Tensor.copyOf(result.get(it).view()).view()).toList();
      }
    }
  }

  private List<String> differences(OneOperator.Model model, int seed) throws IOException, OrtException {
    Path file = folder.resolve("model" + seed + ".onnx");
    OnnxWriter.write(model.graph(), model.outputs(), file);
    List<TensorView> wanted;
    try (Oracle oracle = Oracle.open(file)) {
      wanted = List.copyOf(oracle.run(model.inputs()).values());
    }
    Graph read = ModelFiles.read(file);
    Files.delete(file);
    List<String> differences = new ArrayList<>();
    for (PlannedRun.Setting setting : SETTINGS) {
      List<TensorView> given = given(read, model.inputs(), setting);
      assertEquals(wanted.size(), given.size());
      for (int i = 0; i < given.size(); i++) {
        int output = i;
        CLOSENESS.difference(wanted.get(i), given.get(i)).ifPresent(it -> differences.add(
          "seed %d, %s, output %d: %s%n%s".formatted(seed, setting.name(), output, it, read)));
      }
    }
    return differences;
  }
}
