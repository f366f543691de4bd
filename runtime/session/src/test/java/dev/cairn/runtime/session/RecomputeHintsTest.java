package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.compile.Gradients;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.compile.Recomputed;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.graph.RefusedHint;
import dev.cairn.runtime.memory.analysis.TrainingGraphs;
import dev.cairn.runtime.pass.gradient.GradientRequest;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hints on nodes bind in every mode, with a limit and without, or the model is refused with node, hint and reason. */
class RecomputeHintsTest {
  private static final int ROWS = 64;
  private static final int WIDTH = 64;
  /** Enough to find words that fit, not the cheapest. */
  private static final long WORK = 200_000;
  private static final int LAYERS = 6;
  private static final TensorType INPUT = TensorType.of(DType.FLOAT32, ROWS, WIDTH);

  /** What runs leave by name, and how they were compiled. */
  private record Left(Map<String, byte[]> values, CompiledGraph compiled) {
    /** How often a step runs. */
    long runs(String step) {
      return compiled.storage().steps().stream().filter(it -> base(it.name()).equals(step)).count();
    }
  }

  private static String base(String step) {
    return step.replaceAll("(/again\\d+)+$", "");
  }

  private static Graph hinted(Graph graph, String hint, String value, Iterable<String> nodes) {
    Map<String, Notes> notes = new HashMap<>();
    nodes.forEach(it -> notes.put(it, Notes.NONE.with(hint, value)));
    return graph.withNotes(notes);
  }

  private static Graph hinted(Graph graph, String hint, String value, String... nodes) {
    return hinted(graph, hint, value, List.of(nodes));
  }

  /** With an ample limit, so that kernels are those of limited memory. */
  private static SessionOptions options(RecomputeMode mode) {
    CompileOptions compile = CompileOptions.DEFAULT.withFusion(FusionChoice.OFF);
    return SessionOptions.DEFAULT.withThreads(1)
      .withCompile(compile.withRecompute(compile.recompute().withMode(mode).withWork(
        WORK)))
      .withMemoryLimitBytes(1L << 30);
  }

  private static Left run(Graph graph, SessionOptions options) {
    Map<String, byte[]> values = new TreeMap<>();
    float[] x = new float[ROWS * WIDTH];
    try (var session = Session.of(graph, options)) {
      for (int run = 0; run < 2; run++) {
        for (int i = 0; i < x.length; i++) {
          x[i] = (i * 7 + run) % 11 / 8f - 0.5f;
        }
        try (Tensor input = Tensor.of(x, ROWS, WIDTH); var result = session.run(Map.of("x", input))) {
          for (String name : result.names()) {
            values.put(name + run, result.get(name).toByteArray());
          }
        }
      }
      for (String name : session.info().variables().keySet()) {
        try (Tensor value = session.variable(name)) {
          values.put(name, value.toByteArray());
        }
      }
      return new Left(values, session.compiled().orElseThrow());
    }
  }

  private static RefusedHint refused(Graph graph, SessionOptions options) {
    return catchThrowableOfType(RefusedHint.class, () -> run(graph, options));
  }

  /** Layers {@code h/sigmoid(h)} and the gradients of their weights. */
  private static Graph training() {
    var graph = new GraphBuilder("gated");
    NodeEntry x = graph.input("x", INPUT);
    List<String> weights = new ArrayList<>();
    for (int layer = 0; layer < LAYERS; layer++) {
      float[] values = new float[WIDTH * WIDTH];
      for (int i = 0; i < values.length; i++) {
        values[i] = (i * 5 + layer) % 9 / 8f - 0.5f;
      }
      weights.add("w" + layer);
      GraphBuilder inner = graph.within("layer" + layer);
      NodeEntry product = inner.apply("MatMul", x, graph.variable("w" + layer, TensorView.ofFloats(Shape.of(WIDTH,
        WIDTH), values)));
      x = inner.apply("Div", product, inner.apply("Sigmoid", product));
    }
    graph.output("loss", graph.apply("ReduceMean", x));
    return Gradients.DEFAULT.of(graph.build(), Map.of("x", INPUT), List.of("loss"), weights).assigned(Collections
      .nCopies(LAYERS, GradientRequest.WRITE));
  }

  /** A value that is read at once and at the end; a wide one lies between. */
  private static Graph inference(String hint, String value) {
    var graph = new GraphBuilder("inference");
    NodeEntry x = graph.input("x", INPUT);
    NodeEntry a = graph.noting(hint, value).apply("Tanh", x);
    NodeEntry wide = graph.apply("Concat", Attributes.NONE.with("axis", 0), a, a, a, a);
    Attributes turn = Attributes.NONE.with("perm", AttributeValue.Ints.of(1, 0));
    NodeEntry mean = graph.apply("ReduceMean", graph.apply("Transpose", turn, wide), graph.constant("axes", TensorView
      .ofLongs(0, 1)));
    graph.output("y", graph.apply("Transpose", turn, graph.apply("Add", mean, a)));
    return graph.build();
  }

  private static MemoryNeed need(Left left) {
    return MemoryNeed.of(left.compiled, true);
  }

  private static SessionOptions within(int percent, Left once, RecomputeMode mode) {
    return options(mode).withMemoryLimitBytes(need(once).besidePlanBytes() + need(once).planBytes() * percent / 100);
  }

  @ParameterizedTest
  @EnumSource(value = RecomputeMode.class, names = {"OFF", "EXACT"}, mode = EnumSource.Mode.EXCLUDE)
  void alwaysRunsAgainInEveryModeWithALimitAndWithout(RecomputeMode mode) {
    Left once = run(training(), options(mode));
    Set<String> names = new LinkedHashSet<>();
    once.compiled.storage().steps().stream().map(Node::name).filter(it -> it.matches("layer[1-4]/(Div|Sigmoid)"))
      .forEach(names::add);
    assertThat(names).hasSize(8);
    Graph graph = hinted(training(), Notes.REPEAT, "always", names);
    Left again = run(graph, options(mode));
    SameValues.assertSame(again.values, once.values);
    Recomputed done = again.compiled.recomputed().orElseThrow();
    assertThat(done.recomputations()).hasSize(names.size());
    assertThat(done.steps()).isEqualTo(again.compiled.storage().steps().size());
    assertThat(done.costOnce()).isLessThan(done.cost());
    names.forEach(name -> assertThat(again.runs(name)).as(name).isEqualTo(2));
    int kept = 0;
    for (int percent : List.of(90, 75)) {
      try {
        Left within = run(graph, within(percent, again, mode));
        SameValues.assertSame(within.values, once.values);
        names.forEach(name -> assertThat(within.runs(name)).as("%s %d", name, percent).isGreaterThanOrEqualTo(2));
        kept++;
      } catch (OutOfMemory e) {
        assertThat(mode).as("the usual modes keep these limits").isNotIn(RecomputeMode.AUTO, RecomputeMode.SEARCH);
      }
    }
    assertThat(kept).as("%s", mode).isBetween(0, 2);
  }

  @ParameterizedTest
  @EnumSource(value = RecomputeMode.class, names = {"OFF", "EXACT", "TF_MANUAL"}, mode = EnumSource.Mode.EXCLUDE)
  void neverRunsOnceInEveryMode(RecomputeMode mode) {
    Left once = run(training(), options(mode));
    Set<String> chosen = new LinkedHashSet<>();
    for (int percent : List.of(90, 80)) {
      try {
        run(training(), within(percent, once, mode)).compiled.recomputed().orElseThrow().recomputations()
          .forEach(it -> chosen
            .add(base(it)));
      } catch (OutOfMemory e) {
        continue;
      }
    }
    assertThat(chosen).as("there is something to forbid").isNotEmpty();
    String first = chosen.iterator().next();
    for (Set<String> names : List.of(Set.of(first), chosen)) {
      Graph graph = hinted(training(), Notes.REPEAT, "never", names);
      assertThat(run(graph, options(mode)).compiled.recomputed()).isEmpty();
      for (int percent : List.of(90, 80)) {
        try {
          Left within = run(graph, within(percent, once, mode));
          SameValues.assertSame(within.values, once.values);
          names.forEach(name -> assertThat(within.runs(name)).as("%s %d", name, percent).isEqualTo(1));
        } catch (OutOfMemory e) {
          assertThat(e).hasMessageContaining("no plan takes less than");
        }
      }
    }
  }

  @Test
  void hintsBindInInferenceAndSuchNodesStayStepsOfTheirOwn() {
    for (FusionChoice fusion : FusionChoice.values()) {
      SessionOptions options = options(RecomputeMode.AUTO).withCompile(CompileOptions.DEFAULT.withFusion(fusion));
      Left once = run(inference("note", "without effect"), options);
      Left again = run(inference(Notes.REPEAT, "always"), options);
      assertThat(again.compiled.recomputed().orElseThrow().recomputations()).containsExactly("Tanh/again1");
      SameValues.assertSame(again.values, once.values);
      assertThat(once.compiled.recomputed()).isEmpty();
      long limit = need(once).besidePlanBytes() + need(once).planBytes() * 91 / 100;
      assertThat(run(inference("note", "without effect"), options.withMemoryLimitBytes(limit)).compiled.recomputed()
        .orElseThrow().recomputations()).isNotEmpty();
      assertThatThrownBy(() -> run(inference(Notes.REPEAT, "never"), options.withMemoryLimitBytes(limit))).isInstanceOf(
        OutOfMemory.class);
    }
  }

  @Test
  void offRunsNothingAgainAndSaysSo() {
    RefusedHint refused = refused(inference(Notes.REPEAT, "always"), options(RecomputeMode.OFF));
    assertThat(refused).hasMessage("the hint cairn.repeat=always cannot be obeyed: the mode off runs nothing again: "
      + "node=Tanh");
    assertThat(refused.node()).isEqualTo("Tanh");
    assertThat(refused.hint()).isEqualTo("cairn.repeat=always");
    assertThat(run(inference(Notes.REPEAT, "never"), options(RecomputeMode.OFF)).compiled.recomputed()).isEmpty();
  }

  @Test
  void unknownNamesAndValuesAreRefused() {
    assertThat(refused(inference(Notes.REPEAT, "sometimes"), options(RecomputeMode.AUTO))).hasMessage(
      "the hint cairn.repeat=sometimes cannot be obeyed: its value is neither always nor never: node=Tanh");
    assertThat(refused(inference("cairn.repeats", "always"), options(RecomputeMode.AUTO))).hasMessageContaining(
      "no hint has this name: known=[cairn.offload, cairn.repeat]: node=Tanh");
    assertThatThrownBy(() -> hinted(inference("note", "x"), Notes.REPEAT, "always", "Tan")).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("no node has this name: node=Tan");
  }

  @Test
  void whatCannotRunAgainIsRefusedByName() {
    SessionOptions options = options(RecomputeMode.AUTO);
    Graph adam = TrainingGraphs.adam(LAYERS, ROWS, WIDTH);
    List<Node> assigns = run(adam, options).compiled.storage().variables().direct();
    assertThat(assigns).isNotEmpty();
    String direct = assigns.getFirst().inputs().get(1).node().name();
    assertThat(refused(hinted(adam, Notes.REPEAT, "always", direct), options)).hasMessageContaining(
      "its result is a result of the model, or a variable's value: node=" + direct);
    Graph reshaped = reshaped();
    for (String output : List.of("Tanh", "Add")) {
      assertThat(refused(hinted(reshaped, Notes.REPEAT, "always", output), options)).hasMessageContaining(
        "its result is a result of the model, or a variable's value: node=" + output);
    }
    assertThat(refused(hinted(reshaped, Notes.REPEAT, "always", "Reshape"), options)).hasMessageContaining(
      "no step computes it: it is given, or its result shares its operand's bytes: node=Reshape");
    assertThat(refused(hinted(reshaped, Notes.REPEAT, "always", "x"), options)).hasMessageContaining("node=x");
    assertThat(refused(hinted(reshaped, Notes.REPEAT, "always", "Neg"), options)).as("a constant's name stays")
      .hasMessageContaining("no step computes it: it is given");
    for (String value : List.of("always", "never")) {
      assertThat(refused(hinted(reshaped, Notes.REPEAT, value, "Identity"), options)).hasMessageContaining(
        "a pass made its value a constant, or joined it with another node, or nothing reads it any more: "
          + "node=Identity");
    }
  }

  /** Results under another shape, a result that another node reads, and a constant that a node computes. */
  private static Graph reshaped() {
    var graph = new GraphBuilder("reshaped");
    NodeEntry x = graph.input("x", INPUT);
    NodeEntry constant = graph.apply("Neg", graph.constant("one", TensorView.ofFloats(Shape.of(1), 1f)));
    NodeEntry a = graph.apply("Tanh", graph.apply("Identity", x));
    graph.output("a", a);
    NodeEntry flat = graph.apply("Reshape", graph.apply("Sigmoid", a), graph.constant("shape", TensorView.ofLongs(
      -1)));
    graph.output("y", graph.apply("Add", graph.apply("Exp", flat), graph.apply("Mul", flat, constant)));
    return graph.build();
  }

  /** The steps that read the result follow each other. */
  @Test
  void aResultThatWaitsForNoStepRunsOnce() {
    var graph = new GraphBuilder("short");
    NodeEntry x = graph.input("x", INPUT);
    NodeEntry a = graph.noting(Notes.REPEAT, "always").apply("Tanh", x);
    graph.output("y", graph.apply("Softmax", graph.apply("Add", a, graph.apply("Transpose", a))));
    Left left = run(graph.build(), options(RecomputeMode.AUTO));
    assertThat(left.compiled.recomputed()).isEmpty();
    assertThat(left.runs("Tanh")).isEqualTo(1);
  }

  @Test
  void wherePlansHaveNoRecomputationsTheHintIsRefused() {
    Graph open = open();
    SessionOptions largest = options(RecomputeMode.AUTO).withLargestShapes(Map.of("x", Shape.of(ROWS, WIDTH)));
    assertThat(refused(open, largest)).hasMessageContaining("a plan for the largest shapes runs nothing again");
    var graph = new GraphBuilder("by data");
    NodeEntry x = graph.input("x", INPUT);
    NodeEntry a = graph.noting(Notes.REPEAT, "always").apply("Relu", x);
    graph.output("y", graph.apply("Cast", Attributes.NONE.with("to", new AttributeValue.Text("float32")), graph.apply(
      "NonZero", a)));
    assertThat(refused(graph.build(), options(RecomputeMode.AUTO))).hasMessageContaining(
      "the model has no plan, as data decide shapes: node=Relu");
  }

  private static Graph open() {
    var graph = new GraphBuilder("open");
    NodeEntry x = graph.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("rows"),
      new Dimension.Fixed(WIDTH))));
    NodeEntry a = graph.noting(Notes.REPEAT, "always").apply("Tanh", x);
    graph.output("y", graph.apply("Add", graph.apply("Exp", graph.apply("Sin", a)), a));
    return graph.build();
  }

  @Test
  void theProcessorHasNoSecondMemory() {
    assertThat(refused(inference(Notes.OFFLOAD, "always"), options(RecomputeMode.AUTO))).hasMessage(
      "the hint cairn.offload=always cannot be obeyed: its plan has one memory: it is on the processor, or in a body: "
        + "node=Tanh");
    assertThat(run(inference(Notes.OFFLOAD, "never"), options(RecomputeMode.AUTO)).compiled.offloaded()).isEmpty();
  }

  /** Reads its parameter; the hint is on a node that a pass takes away, on one that is read twice, or on the result. */
  private static Graph branching(String hinted, boolean isKnown) {
    var then = new ControlFixture("then");
    NodeEntry same = noted(then.apply("same", "Identity", then.parameter("x")), hinted);
    NodeEntry a = noted(then.apply("tanh", "Tanh", same), hinted);
    NodeEntry b = then.apply("soft", "Softmax", then.apply("product", "MatMul", a, a));
    Graph first = then.body(noted(then.apply("sum", "Add", b, a), hinted));
    var otherwise = new ControlFixture("otherwise");
    Graph second = otherwise.body(otherwise.apply("neg", "Neg", otherwise.parameter("x")));
    var graph = new GraphBuilder("branching");
    NodeEntry x = graph.input("x", INPUT);
    NodeEntry positive = isKnown
      ? graph.constant("yes", ControlFixture.bool(true))
      : graph.apply("Greater", graph.apply("ReduceMax", Attributes.NONE.with("keepdims", 0), x), graph
        .constant("zero", TensorView.ofFloats(Shape.SCALAR, 0f)));
    graph.output("y", ControlFixture.branch("if", first, second, positive, x).entry());
    return graph.build();
  }

  private static NodeEntry noted(NodeEntry entry, String hinted) {
    return entry.node().name().endsWith(hinted)
      ? entry.node().withNotes(Notes.NONE.with(Notes.REPEAT, "always")).entry()
      : entry;
  }

  @Test
  void hintsInABodyBindThere() {
    SessionOptions options = options(RecomputeMode.AUTO);
    for (boolean isKnown : List.of(false, true)) {
      Left again = run(branching("tanh", isKnown), options);
      SameValues.assertSame(again.values, run(branching("none", isKnown), options).values);
      assertThat(refused(branching("sum", isKnown), options)).hasMessageContaining(
        "its result is a result of the model").hasMessageEndingWith("sum");
      assertThat(refused(branching("same", isKnown), options)).hasMessageContaining(
        "a pass made its value a constant, or joined it with another node").hasMessageEndingWith("same");
    }
  }
}
