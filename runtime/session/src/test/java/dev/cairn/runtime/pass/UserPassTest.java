package dev.cairn.runtime.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.custom.KernelOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.pass.PlacedPass.Stage;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Passes of users in the pipeline, and facts that passes hand on. */
class UserPassTest {
  private static final Fact<Integer> STEPS = Fact.of("steps", Integer.class);
  private static final Fact<String> ORIGIN = Fact.lasting("origin", String.class);

  private final List<String> seen = new ArrayList<>();

  /** Notes what it gets, and hands on a number of steps and an origin if it says so. */
  private final class Noting implements Pass {
    private final String name;
    private final Set<Fact<?>> requires;
    private final Set<Fact<?>> provides;

    Noting(String name, Set<Fact<?>> requires, Set<Fact<?>> provides) {
      this.name = name;
      this.requires = requires;
      this.provides = provides;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Set<Fact<?>> requires() {
      return requires;
    }

    @Override
    public Set<Fact<?>> provides() {
      return provides;
    }

    @Override
    public Graph apply(Graph graph, PassContext context) {
      seen.add(name + requires.stream().map(fact -> "(" + fact + "=" + context.get(fact) + ")").reduce("",
        String::concat));
      if (provides.contains(STEPS)) {
        context.provide(STEPS, (int) graph.nodes().stream().filter(node -> node.isComputed()).count());
      }
      if (provides.contains(ORIGIN)) {
        context.provide(ORIGIN, "test");
      }
      return graph;
    }
  }

  private Noting noting(String name) {
    return new Noting(name, Set.of(), Set.of());
  }

  private static Graph negations() {
    var graph = new GraphBuilder("negations");
    NodeEntry x = graph.input("x", TensorType.of(DType.FLOAT32, 2));
    NodeEntry twice = graph.apply("Identity", graph.apply("Neg", graph.apply("Neg", x)));
    graph.output("y", graph.apply("Relu", twice));
    return graph.build();
  }

  private static List<String> changes(CompileOptions options) {
    try (Session session = Session.of(negations(), SessionOptions.DEFAULT.withThreads(1).withCompile(options));
      Tensor x = Tensor.of(new float[] {-1, 2}, 2);
      Result result = session.run(Map.of("x", x))) {
      assertThat(result.get("y").toFloatArray()).containsExactly(0, 2);
      return session.compiled().orElseThrow().passes().steps().stream().map(PassReport.Step::pass).toList();
    }
  }

  @Test
  void aPassOfAUserRunsInItsPlace() {
    CompileOptions options = CompileOptions.DEFAULT.withPass(PlacedPass.at(Stage.SIMPLIFICATION,
      new DoubleNegationPass()).after("remove-identity").before("common-subexpression"));
    List<String> passes = changes(options);
    int place = passes.indexOf("double-negation");
    assertThat(passes.get(place - 1)).isEqualTo("remove-identity");
    assertThat(passes.indexOf("common-subexpression")).isGreaterThan(place);
    try (Session session = Session.of(negations(), SessionOptions.DEFAULT.withCompile(options))) {
      assertThat(session.compiled().orElseThrow().graph().graph().toString()).doesNotContain("Neg(");
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyStageRunsPassesOfUsersAlsoWithoutSimplification(Stage stage) {
    for (boolean simplify : new boolean[] {true, false}) {
      assertThat(changes(CompileOptions.DEFAULT.withSimplify(simplify).withPass(PlacedPass.at(stage, noting("mine")))))
        .contains("mine");
    }
    List<String> order = changes(CompileOptions.DEFAULT.withPass(PlacedPass.at(Stage.LAST, noting("d"))).withPass(
      PlacedPass.at(Stage.LOWERED, noting("c"))).withPass(PlacedPass.at(Stage.FIRST, noting("a"))));
    assertThat(order).startsWith("a").endsWith("d").containsSubsequence("a", "constant-folding", "c", "d");
  }

  @Test
  void placesThatDoNotExistAreRefused() {
    PlacedPass mine = PlacedPass.at(Stage.SIMPLIFICATION, noting("mine"));
    assertRefused("no such pass in this stage: name=fusion", mine.after("fusion"));
    assertRefused("cannot stand", mine.after("common-subexpression").before("constant-folding"));
    assertRefused("name is there already", PlacedPass.at(Stage.SIMPLIFICATION, noting("constant-folding")));
    assertRefused("no pass before this one provides a fact that it requires: pass=needs fact=steps", PlacedPass.at(
      Stage.FIRST, new Noting("needs", Set.of(STEPS), Set.of())));
  }

  @Test
  void aNameIsThereAndIsNotTakenInAnyStage() {
    for (Stage stage : Stage.values()) {
      for (String name : Arrays.asList(null, "", " ")) {
        assertThatIllegalArgumentException().isThrownBy(() -> PlacedPass.at(stage, noting(name))).withMessageContaining(
          "a pass has a name").withMessageContaining(Noting.class.getName());
      }
      CompileOptions options = CompileOptions.DEFAULT.withPass(PlacedPass.at(Stage.FIRST, noting("mine")));
      assertThatIllegalArgumentException().isThrownBy(() -> options.withPass(PlacedPass.at(stage, noting("mine"))))
        .withMessageContaining("two passes have one name: pass=mine");
      for (String own : List.of("constant-folding", "channels-last", "pointwise-fusion", "bodies")) {
        assertRefused("name is there already: pass=" + own, PlacedPass.at(stage, noting(own)));
      }
    }
  }

  private static Pass pass(String name, UnaryOperator<Graph> change) {
    return new Pass() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Graph apply(Graph graph, PassContext context) {
        return change.apply(graph);
      }
    };
  }

  /** The outputs as numbers of 64 bits. */
  private static Graph widened(Graph graph) {
    return graph.withOutputs(graph.outputs().stream().map(it -> new Graph.Output(it.name(), Node.apply(NodeNames.of(
      graph).unique("wide"), "Cast", Attributes.NONE.with("to", new AttributeValue.Text("float64")),
      List.of(it.entry()))
      .entry())).toList());
  }

  @ParameterizedTest
  @EnumSource
  void aPassThatChangesTheTypeOfAnOutputIsNamedInEveryStage(Stage stage) {
    for (boolean simplify : new boolean[] {true, false}) {
      var once = new AtomicBoolean();
      CompileOptions options = CompileOptions.DEFAULT.withSimplify(simplify)
        .withPass(PlacedPass.at(stage, pass("widens",
          graph -> once.getAndSet(true) ? graph : widened(graph))));
      assertThatThrownBy(() -> changes(options)).isInstanceOf(InvalidGraph.class).hasMessageContaining("pass=widens")
        .hasMessageContaining("P3 results");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whateverAPassThrowsNamesIt(Stage stage) {
    for (Throwable fault : List.of(new IllegalStateException("odd"), new IllegalArgumentException("odd"),
      new InvalidGraph("y", "odd"), new AssertionError("odd"), new StackOverflowError("odd"), new IOException("odd"))) {
      CompileOptions options = CompileOptions.DEFAULT.withPass(PlacedPass.at(stage, pass("fails", _ -> {
        UserPassTest.<RuntimeException>fail(fault);
        return negations();
      })));
      assertThatThrownBy(() -> changes(options)).isInstanceOf(InvalidGraph.class).hasMessageContaining(
        "a pass failed: pass=fails").hasMessageContaining("odd").hasCause(fault);
    }
  }

  /** Throws any exception, as code in other languages of the JVM may. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void fail(Throwable fault) throws T {
    throw (T) fault;
  }

  /** Types are not known before it; they are afterwards. */
  @Test
  void aPassMayReplaceWhatHasNoTypes() {
    var builder = new GraphBuilder("counted");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    builder.output("y", builder.apply("NonZero", x));
    CompileOptions options = CompileOptions.DEFAULT.withPass(PlacedPass.at(Stage.FIRST, pass("replaces",
      graph -> graph.nodes().stream().noneMatch(it -> it.operator().equals("NonZero"))
        ? graph
        : graph.withOutputs(List.of(new Graph.Output("y", Node.apply("y", "Neg", Attributes.NONE, List.of(graph
          .inputs().getFirst().entry())).entry()))))));
    try (Session session = Session.of(builder.build(), SessionOptions.DEFAULT.withCompile(options));
      Tensor given = Tensor.of(new float[] {-1, 2}, 2);
      Result result = session.run(Map.of("x", given))) {
      assertThat(result.get("y").toFloatArray()).containsExactly(1, -2);
    }
  }

  /** A type rule of a user's operator may throw anything, as its kernel may. */
  @Test
  void anErrorOfATypeRuleNamesTheNode() {
    for (Throwable fault : List.of(new AssertionError("odd"), new StackOverflowError("odd"), new IOException("odd"),
      new NoClassDefFoundError("odd"))) {
      var operators = OperatorRegistry.of(KernelOperator.of("my::Odd", 1, _ -> {
        UserPassTest.<RuntimeException>fail(fault);
        return List.of();
      }).withKernel(_ -> {}));
      var builder = new GraphBuilder("odd");
      NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
      builder.output("y", builder.apply("my::Odd", x));
      Graph graph = builder.build();
      assertThatThrownBy(() -> Session.of(graph, SessionOptions.DEFAULT.withOperators(operators)).close()).isInstanceOf(
        InvalidGraph.class).hasMessageContaining("the operator's type rule failed: odd").hasCause(fault);
    }
  }

  /** The kernel runs on other threads, too, which read and write the memory of the check. */
  @Test
  void aCheckedKernelMayRunInParallel() {
    var operators = OperatorRegistry.of(KernelOperator.of("my::Half", 1, context -> List.of(context.input(0)))
      .withKernel(call -> {
        var failures = new ArrayList<Throwable>();
        Thread other = Thread.ofPlatform().unstarted(() -> {
          for (int i = 0; i < call.input(0).elementCount(); i++) {
            call.output(0).segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) call.input(0).doubleAt(i) / 2);
          }
        });
        other.setUncaughtExceptionHandler((_, e) -> failures.add(e));
        other.start();
        try {
          other.join();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        assertThat(failures).isEmpty();
      })).checked();
    var builder = new GraphBuilder("half");
    builder.output("y", builder.apply("my::Half", builder.input("x", TensorType.of(DType.FLOAT32, 2))));
    try (Session session = Session.of(builder.build(), SessionOptions.DEFAULT.withOperators(operators));
      Tensor x = Tensor.of(new float[] {-1, 2}, 2);
      Result result = session.run(Map.of("x", x))) {
      assertThat(result.get("y").toFloatArray()).containsExactly(-0.5f, 1);
    }
  }

  private static void assertRefused(String message, PlacedPass pass) {
    assertThatIllegalArgumentException().isThrownBy(() -> changes(CompileOptions.DEFAULT.withPass(pass)))
      .withMessageContaining(message);
  }

  @Test
  void factsGoFromPassToPassAsLongAsTheyHold() {
    var count = new Noting("count", Set.of(), Set.of(STEPS, ORIGIN));
    CompileOptions options = CompileOptions.DEFAULT.withPass(PlacedPass.at(Stage.FIRST, count)).withPass(PlacedPass.at(
      Stage.FIRST, new Noting("soon", Set.of(STEPS), Set.of()))).withPass(PlacedPass.at(Stage.LAST,
        new Noting("late",
          Set.of(ORIGIN), Set.of())));
    changes(options);
    assertThat(seen).containsExactly("count", "soon(steps=4)", "late(origin=test)");
    assertRefused("fact=steps", PlacedPass.at(Stage.LAST, new Noting("late", Set.of(STEPS), Set.of())));
  }

  @Test
  void aFactIsDroppedByAPassThatChangesTheGraphUnlessItKeepsIt() {
    Graph graph = PassText.graph("""
      x = input float32[2]
      a = Neg(x)
      b = Neg(a)
      y = Relu(b)
      return y=y
      """);
    var manager = new PassManager(it -> {
      throw new AssertionError("no types are needed");
    });
    var count = new Noting("count", Set.of(), Set.of(STEPS));
    var needs = new Noting("needs", Set.of(STEPS), Set.of());
    assertThatThrownBy(() -> manager.run(graph, List.of(count, new DoubleNegationPass(), needs))).isInstanceOf(
      InvalidGraph.class).hasMessageContaining("pass=needs fact=steps changedBy=double-negation");
    var keeping = new Pass() {
      @Override
      public String name() {
        return "keeping";
      }

      @Override
      public Set<Fact<?>> keeps() {
        return Set.of(STEPS);
      }

      @Override
      public Graph apply(Graph before, PassContext context) {
        return new DoubleNegationPass().apply(before, context);
      }
    };
    assertThat(manager.run(graph, List.of(count, keeping, needs)).facts().find(STEPS)).contains(3);
    assertThat(manager.run(manager.run(graph, List.of(count)), List.of(needs)).report().steps()).hasSize(2);
  }

  @Test
  void aPassGivesWhatItSaysAndNothingElse() {
    var manager = new PassManager(it -> {
      throw new AssertionError("no types are needed");
    });
    var silent = new Noting("silent", Set.of(), Set.of(Fact.of("other", String.class)));
    assertThatThrownBy(() -> manager.run(negations(), List.of(silent))).isInstanceOf(InvalidGraph.class)
      .hasMessageContaining("P5 facts: a pass does not provide what it says: pass=silent missing=[other]");
    assertThatThrownBy(() -> PassContext.none().provide(STEPS, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> PassContext.none().get(STEPS)).hasMessageContaining("fact=steps");
  }

  /** The option of docs/howto/pass.md. */
  private static SessionOptions options() {
    PlacedPass pass = PlacedPass.at(Stage.SIMPLIFICATION, new DoubleNegationPass()).after("remove-identity");
    return SessionOptions.DEFAULT.withCompile(CompileOptions.DEFAULT.withPass(pass));
  }

  @Test
  void thePageHasTheseLines() throws IOException {
    Path root = Path.of(System.getProperty("cairn.root", "../.."));
    Path folder = root.resolve("runtime/session/src/test/java/dev/cairn/runtime/pass");
    String own = unindented(Files.readString(folder.resolve("UserPassTest.java")) + Files.readString(folder.resolve(
      "DoubleNegationPass.java")));
    List<String> blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(root.resolve(
      "docs/howto/pass.md"))).results().map(it -> unindented(it.group(1))).toList();
    assertThat(blocks).hasSize(2).filteredOn(block -> !own.contains(block)).isEmpty();
    try (Session session = Session.of(negations(), options())) {
      assertThat(session.compiled().orElseThrow().passes().toString()).contains("double-negation");
    }
  }

  private static String unindented(String text) {
    return text.replaceAll("(?m)^ +", "");
  }
}
