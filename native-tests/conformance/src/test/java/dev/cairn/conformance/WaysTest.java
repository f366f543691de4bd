package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.KernelOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.session.SessionRuns;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many frames and classes of Cairn lie between a call of a user and the kernel, decoder, planner or allocator that
 * it reaches: what a reader of a stack trace passes through. A kernel of a user takes its own stack; elsewhere Java
 * Flight Recorder does. {@code docs/architecture.md} draws these ways.
 */
class WaysTest {
  private static final TensorType ROW = TensorType.of(DType.FLOAT32, 1, 4);
  private static final StackWalker WALKER = StackWalker.getInstance();
  /** This class, and what makes a kernel of an operator of users. */
  private static final Set<String> OF_KERNEL = Set.of("WaysTest", "CustomKernel");

  private List<StackWalker.StackFrame> frames = List.of();
  private final OperatorRegistry operators = OperatorRegistry.of(KernelOperator.of("my::Seen", 1, context -> List.of(
    context.input(0))).withKernel(this::seen).withGradient(g -> g.give(0, g.head())));

  /** Copies, and keeps the frames from here outwards. */
  private void seen(KernelCall call) {
    call.output(0).segment().copyFrom(call.input(0).segment());
    frames = WALKER.walk(all -> all.filter(it -> it.getClassName().startsWith("dev.cairn.")).toList());
  }

  private static Graph graph() {
    var graph = new GraphBuilder("seen");
    NodeEntry x = graph.input("data", ROW);
    NodeEntry scaled = graph.apply("Mul", x, graph.constant("weight", TensorView.ofFloats(Shape.of(1, 4), 1, 2, 3, 4)));
    graph.output("y", graph.apply("my::Seen", scaled));
    return graph.build();
  }

  private SessionOptions options() {
    return SessionOptions.DEFAULT.withThreads(1).withOperators(operators);
  }

  /**
   * What the last run passed through.
   *
   * @param classes between the class that users call and the kernel
   * @param frames from the first call of that class to the last before the kernel
   */
  private record Way(Set<String> classes, int frames) {}

  private Way way(Class<?> entry) {
    return way(frames.stream().map(StackWalker.StackFrame::getClassName).filter(it -> !it.startsWith(
      "dev.cairn.kernels.")).map(WaysTest::simpleName).filter(it -> !OF_KERNEL.contains(it)).toList(),
      entry.getSimpleName());
  }

  /** @param frames the simple names of classes, from the last call outwards */
  private static Way way(List<String> frames, String entry) {
    List<String> passed = frames.subList(0, frames.lastIndexOf(entry) + 1);
    Set<String> classes = new LinkedHashSet<>(passed);
    classes.remove(entry);
    return new Way(classes, passed.size());
  }

  private static String simpleName(String name) {
    int nested = name.indexOf('$');
    String outer = nested < 0 ? name : name.substring(0, nested);
    return outer.substring(outer.lastIndexOf('.') + 1);
  }

  /** What the first call of a method passes through while a model is opened from a file. */
  private static Way wayOfOpen(String type, String method, Path folder) throws IOException {
    Path file = folder.resolve("model.onnx");
    OnnxWriter.write(twoSteps(), List.of(DeclaredType.of(ROW)), file);
    return way(type, method, folder, "Session", () -> Session.open(file, SessionOptions.DEFAULT.withThreads(1))
      .close());
  }

  /** What the first call of a method passes through, from a class of that simple name. */
  private static Way way(String type, String method, Path folder, String entry, Runnable calls) throws IOException {
    Path events = folder.resolve("events.jfr");
    try (var recording = new Recording()) {
      recording.enable("jdk.MethodTrace").with("filter", type + "::" + method).withStackTrace().withoutThreshold();
      recording.start();
      calls.run();
      recording.stop();
      recording.dump(events);
    }
    RecordedEvent first = RecordingFile.readAllEvents(events).stream().filter(it -> it.getEventType().getName().equals(
      "jdk.MethodTrace") && isOfThisThread(it)).findFirst().orElseThrow();
    return way(first.getStackTrace().getFrames().stream().map(it -> it.getMethod().getType().getName()).filter(
      it -> it.startsWith("dev.cairn.") && !it.startsWith("dev.cairn.kernels.")).map(WaysTest::simpleName).toList(),
      entry);
  }

  private static boolean isOfThisThread(RecordedEvent event) {
    return event.getThread().getJavaThreadId() == Thread.currentThread().threadId();
  }

  private static Graph twoSteps() {
    var graph = new GraphBuilder("opened");
    NodeEntry x = graph.input("data", ROW);
    NodeEntry weight = graph.constant("weight", TensorView.ofFloats(Shape.of(1, 4), 1, 2, 3, 4));
    graph.output("y", graph.apply("Softmax", graph.apply("Mul", x, weight)));
    return graph.build();
  }

  @Test
  void openingToTheDecoder(@TempDir Path folder) throws IOException {
    Way way = wayOfOpen("dev.cairn.runtime.onnx.decode.ModelDecoder", "decode", folder);
    assertThat(way.classes).containsExactly("OnnxFormat", "ModelFiles");
    assertThat(way.frames).isEqualTo(4);
  }

  @Test
  void openingToTheFirstPass(@TempDir Path folder) throws IOException {
    Way way = wayOfOpen("dev.cairn.runtime.pass.PassManager$State", "applied", folder);
    assertThat(way.classes).containsExactly("PassManager", "Simplification", "Compiler", "ModelPlanner", "PlanCache",
      "LoadedModel");
    assertThat(way.frames).isEqualTo(14);
  }

  @Test
  void openingToThePlanner(@TempDir Path folder) throws IOException {
    Way way = wayOfOpen("dev.cairn.runtime.memory.planner.improve.BestFitThenImprove", "plan", folder);
    assertThat(way.classes).containsExactly("GraphPlanning", "Compiler", "ModelPlanner", "PlanCache", "LoadedModel");
    assertThat(way.frames).isEqualTo(13);
  }

  @Test
  void openingToTheAllocator(@TempDir Path folder) throws IOException {
    Way way = wayOfOpen("dev.cairn.allocator.layer.ReservingAllocator", "grant", folder);
    assertThat(way.classes).containsExactly("AllocatorLayer", "WeightStore", "GraphPlacer",
      "StaticGraphExecutor", "MemoryQueue", "SessionMemory", "LoadedModel");
    assertThat(way.frames).isEqualTo(18);
  }

  /** From the array's bytes to the chunk. The naive engine runs the operation in the call, on this thread. */
  @Test
  void aByteOfAnArray(@TempDir Path folder) throws IOException {
    Way way = way("dev.cairn.allocator.bfc.BfcHeap", "occupy", folder, "ArrayStorage", () -> {
      try (ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(Kind.NAIVE));
        NDArray x = arrays.zeros(DType.FLOAT32, 4)) {
        x.waitToRead();
      }
    });
    assertThat(way.classes).containsExactly("BfcHeap", "BfcAllocator", "ArrayDevice");
    assertThat(way.frames).isEqualTo(5);
  }

  @Test
  void aRun() {
    try (Session session = Session.of(graph(), options());
      Result result = session.run(Map.of("data", Tensor.of(new float[4], 1, 4)))) {
      assertThat(result.names()).containsExactly("y");
    }
    Way way = way(Session.class);
    assertThat(way.classes).containsExactly("SerialRunner", "StaticExecutor", "StaticGraphExecutor", "ModelRun");
    assertThat(way.frames).isEqualTo(9);
  }

  @Test
  void anIteration() {
    try (Trainer trainer = Trainer.of(graph(), "weight"::equals, Losses.l2(), Optimizers.sgd(),
      TrainerOptions.DEFAULT.withSession(options()))) {
      trainer.iterate(Tensor.of(new float[4], 1, 4), Tensor.of(new float[4], 1, 4));
    }
    Way way = way(Trainer.class);
    assertThat(way.classes).containsExactly("SerialRunner", "StaticExecutor", "StaticGraphExecutor", "ModelRun",
      "Session", "TrainingSession");
    assertThat(way.frames).isEqualTo(12);
  }

  /** A short operation runs in the call that pushes it, so that one stack shows the whole way. */
  @Test
  void anArrayOperation(@TempDir Path folder) throws IOException {
    try (ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1)); var _ = arrays.scope()) {
      NDArray x = arrays.zeros(DType.FLOAT32, 1, 4);
      // The next call of these types finds its kernel prepared.
      x.add(x).waitToRead();
      Way way = way("dev.cairn.kernels.tensor.TensorView", "segment", folder, "NDArray", () -> assertThat(x.add(x)
        .toFloatArray()).hasSize(4));
      assertThat(way.classes).containsExactly("Invocation", "OperationRunner", "Blocks", "ThreadedEngine", "Invoker");
      assertThat(way.frames).isEqualTo(9);
    }
  }

  @Test
  void aRunOverArrays() {
    try (Session session = Session.of(graph(), options());
      ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT)) {
      NDArray y = Objects.requireNonNull(arrays.run(session, Map.of("data", arrays.zeros(DType.FLOAT32, 1, 4))).get(
        "y"));
      assertThat(y.toFloatArray()).hasSize(4);
    }
    Way way = way(SessionRuns.class);
    assertThat(way.classes).containsExactly("SerialRunner", "StaticExecutor", "StaticGraphExecutor", "ModelRun",
      "Session");
    assertThat(way.frames).isEqualTo(8);
  }
}
