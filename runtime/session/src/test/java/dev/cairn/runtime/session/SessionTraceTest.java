package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.device.ForeignWork;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.Span;
import dev.cairn.runtime.trace.Trace;
import dev.cairn.runtime.trace.TracedCopy;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.trace.TracedRun;
import dev.cairn.runtime.trace.TracedStep;
import dev.cairn.runtime.trace.Tracer;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a session tells of itself: to a tracer, and to Java Flight Recorder. */
class SessionTraceTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1);

  @TempDir
  private Path folder;

  /** y = relu(x . w) for x of [batch, 2], the batch open. */
  private static Graph model() {
    var builder = new GraphBuilder("two steps");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(2))));
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(2, 3), 1, -1, 2, 0, 1, -2));
    builder.output("y", builder.apply("Relu", builder.apply("MatMul", x, w)));
    return builder.build();
  }

  /** y = w[i], which fails for an i that w does not have. */
  private static Graph lookup() {
    var builder = new GraphBuilder("lookup");
    NodeEntry i = builder.input("i", DeclaredType.of(TensorType.of(DType.INT64, 1)));
    builder.output("y", builder.apply("Gather", builder.constant("w", TensorView.ofFloats(Shape.of(3), 1, 2, 3)), i));
    return builder.build();
  }

  private static void run(Session session, int batch) {
    try (var x = Tensor.of(new float[batch * 2], batch, 2)) {
      session.run(Map.of("x", x)).close();
    }
  }

  @Test
  void everyRunIsRecordedStepByStep() {
    Tracer tracer = Tracer.keeping(10);
    try (var session = Session.of(model(), OPTIONS.withObservers(tracer))) {
      run(session, 4);
      run(session, 5);
    }
    Trace trace = tracer.trace();
    assertThat(trace.runs()).extracting(TracedRun::number).containsExactly(0L, 1L);
    TracedGraph graph = trace.runs().getFirst().graph();
    assertThat(graph.name()).isEqualTo("two steps");
    assertThat(graph.device()).contains("cpu");
    assertThat(graph.streams()).isEqualTo(1);
    assertThat(graph.copies()).containsExactly(new TracedCopy("y", "float32[4x3]", 48));
    TracedStep product = graph.steps().getFirst();
    assertThat(graph.steps()).extracting(TracedStep::operator).containsExactly("MatMul", "Relu");
    assertThat(product.types()).isEqualTo("float32[4x2], float32[2x3] -> float32[4x3]");
    assertThat(product.readBytes()).isEqualTo(32 + 24);
    assertThat(product.writtenBytes()).isEqualTo(48);
    assertThat(product.liveBytes()).isEqualTo(48);
    assertThat(product.waits()).isEmpty();
    assertThat(trace.runs().getLast().graph().steps().getLast().types()).isEqualTo("float32[5x3] -> float32[5x3]");
    for (TracedRun run : trace.runs()) {
      assertThat(run.failed()).isFalse();
      assertThat(run.steps()).extracting(Span::index).containsExactly(0, 1);
      assertThat(run.steps()).allMatch(Span::finished);
      assertThat(run.copies()).as("kernels write into results").isEmpty();
    }
  }

  /** If it waits for arrays, no other run of the session may run on its thread: that one would count as nested. */
  @Test
  void observersAreCalledWhereForeignWorkIsRefused() {
    List<Boolean> refused = new ArrayList<>();
    var asking = new RunObserver() {
      @Override
      public void stepBegan(int step, int stream) {
        refused.add(ForeignWork.isRefused());
      }
    };
    try (var session = Session.of(model(), OPTIONS.withObservers(_ -> asking))) {
      run(session, 4);
      run(session, 4);
    }
    assertThat(refused).containsExactly(true, true, true, true);
    assertThat(ForeignWork.isRefused()).as("after the run").isFalse();
  }

  /** Two branches of products from one input, joined: planned on two streams. */
  private static Graph branches() {
    var builder = new GraphBuilder("branches");
    NodeEntry x = builder.input("x", DeclaredType.of(TensorType.of(DType.FLOAT32, 64, 64)));
    NodeEntry left = x;
    NodeEntry right = x;
    for (int i = 0; i < 4; i++) {
      left = builder.apply("Sin", builder.apply("MatMul", left, x));
      right = builder.apply("Cos", builder.apply("MatMul", x, right));
    }
    builder.output("y", builder.apply("Add", left, right));
    return builder.build();
  }

  @Test
  void stepsAreToldOnTheStreamsThatTheyRanOn() {
    Tracer tracer = Tracer.keeping(50);
    CompileOptions compile = CompileOptions.DEFAULT.withStreams(2);
    try (var session = Session.of(branches(), OPTIONS.withThreads(2).withCompile(compile).withObservers(tracer));
      var x = Tensor.of(new float[64 * 64], 64, 64)) {
      for (int i = 0; i < 50; i++) {
        session.run(Map.of("x", x)).close();
      }
      StreamSchedule schedule = session.compiled().orElseThrow().schedule();
      assertThat(schedule.streams()).isEqualTo(2);
      for (TracedRun run : tracer.trace().runs()) {
        assertThat(run.steps()).hasSize(schedule.steps().size()).allMatch(Span::finished);
        for (Span span : run.steps()) {
          TracedStep step = run.graph().steps().get(span.index());
          assertThat(span.stream()).isEqualTo(schedule.steps().get(span.index()).stream());
          assertThat(step.waits()).isEqualTo(schedule.steps().get(span.index()).waits())
            .allMatch(it -> run.steps().get(it).endNanos() <= span.beginNanos());
        }
      }
    }
  }

  @Test
  void runsOfManyThreadsAreToldApart() throws Exception {
    Tracer tracer = Tracer.keeping(200);
    try (var session = Session.of(model(), OPTIONS.withMaxConcurrentRuns(4).withObservers(tracer));
      var threads = Executors.newFixedThreadPool(4)) {
      List<Callable<Object>> work = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        int batch = 1 + i % 3;
        work.add(Executors.callable(() -> run(session, batch)));
      }
      for (Future<Object> done : threads.invokeAll(work)) {
        done.get();
      }
    }
    List<TracedRun> runs = new ArrayList<>(tracer.trace().runs());
    assertThat(runs).hasSize(200).allMatch(it -> it.lane() < 4 && it.steps().size() == 2 && !it.failed());
    runs.sort(Comparator.comparingLong(TracedRun::number));
    long[] free = new long[4];
    for (TracedRun run : runs) {
      assertThat(run.askedNanos()).as("the lane's run before is over").isGreaterThanOrEqualTo(free[run.lane()]);
      free[run.lane()] = run.endNanos();
      assertThat(run.steps()).allMatch(it -> it.beginNanos() >= run.beganNanos() && it.endNanos() <= run.endNanos());
    }
  }

  @Test
  void theSessionsOwnListenersHearTheSameSteps() {
    Tracer tracer = Tracer.keeping(3);
    List<String> heard = new ArrayList<>();
    RunObserver.Source source = graph -> new RunObserver() {
      @Override
      public void admitted() {
        heard.add("run");
      }

      @Override
      public void stepBegan(int step, int stream) {
        heard.add("step " + step);
      }

      @Override
      public void stepEnded(int step, int stream) {
        heard.add("ended " + step);
      }

      @Override
      public void ended(boolean failed) {
        heard.add("over");
      }
    };
    for (Tracer each : List.of(tracer, Tracer.OFF)) {
      try (var session = Session.of(model(), OPTIONS.withObservers(RunObserver.Source.all(source, each)))) {
        run(session, 1);
      }
      assertThat(heard).containsExactly("run", "step 0", "ended 0", "step 1", "ended 1", "over");
      heard.clear();
    }
    assertThat(tracer.trace().runs()).hasSize(1).allMatch(it -> it.steps().size() == 2);
  }

  @Test
  void withoutATracerNothingIsRecordedAndNothingIsMade() {
    try (var session = Session.of(model(), OPTIONS)) {
      run(session, 2);
      assertThat(session.compiled()).isPresent();
    }
    assertThat(Tracer.OFF.trace().runs()).isEmpty();
  }

  @Test
  void aRunThatFailsIsRecordedAsFarAsItCame() {
    Tracer tracer = Tracer.keeping(3);
    try (var session = Session.of(lookup(), OPTIONS.withObservers(tracer));
      var bad = Tensor.of(new long[] {7}, 1);
      var good = Tensor.of(new long[] {1}, 1)) {
      assertThatThrownBy(() -> session.run(Map.of("i", bad))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Gather");
      session.run(Map.of("i", good)).close();
    }
    List<TracedRun> runs = tracer.trace().runs();
    assertThat(runs).extracting(TracedRun::failed).containsExactly(true, false);
    assertThat(runs).allMatch(it -> it.steps().size() == 1);
    assertThat(runs).extracting(TracedRun::lane).containsExactly(0, 0);
  }

  @Test
  void aRunThatIsNotAdmittedIsRecordedToo() {
    Tracer tracer = Tracer.keeping(3);
    try (var session = Session.of(model(), OPTIONS.withObservers(tracer).withMemoryLimitBytes(4096))) {
      assertThatThrownBy(() -> run(session, 1000)).isInstanceOf(OutOfMemory.class);
      run(session, 1);
    }
    List<TracedRun> runs = tracer.trace().runs();
    assertThat(runs).extracting(TracedRun::failed).containsExactly(true, false);
    assertThat(runs.getFirst().steps()).isEmpty();
    assertThat(runs.getFirst().beganNanos()).isEqualTo(runs.getFirst().endNanos());
  }

  private List<RecordedEvent> recorded(Runnable work) throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      for (String name : List.of("cairn.ModelLoad", "cairn.Plan", "cairn.Run", "cairn.Kernel", "cairn.Copy")) {
        recording.enable(name).withoutThreshold();
      }
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
    events.removeIf(it -> !it.getEventType().getName().startsWith("cairn."));
    return events;
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    return events.stream().filter(it -> it.getEventType().getName().equals("cairn." + name)).toList();
  }

  @Test
  void flightRecorderIsToldOfPlansRunsKernelsAndCopies() throws IOException {
    List<RecordedEvent> events = recorded(() -> {
      try (var session = Session.of(model(), OPTIONS)) {
        run(session, 4);
        run(session, 4);
      }
    });
    RecordedEvent plan = named(events, "Plan").getFirst();
    assertThat(named(events, "Plan")).hasSize(1);
    assertThat(plan.getString("model")).isEqualTo("two steps");
    assertThat(plan.getString("planner")).isNotEmpty();
    assertThat(plan.getInt("steps")).isEqualTo(2);
    assertThat(plan.getLong("peakBytes")).isGreaterThanOrEqualTo(plan.getLong("boundBytes"));
    assertThat(named(events, "Run")).hasSize(2).allMatch(it -> it.getInt("steps") == 2 && !it.getBoolean("failed")
      && it.getLong("planBytes") == plan.getLong("peakBytes") && it.getString("model").equals("two steps"));
    assertThat(named(events, "Kernel")).hasSize(4).allMatch(it -> it.getStackTrace() == null);
    RecordedEvent kernel = named(events, "Kernel").stream().filter(it -> it.getInt("step") == 0).findFirst()
      .orElseThrow();
    assertThat(kernel.getString("operator")).isEqualTo("MatMul");
    assertThat(kernel.getString("types")).isEqualTo("float32[4x2], float32[2x3] -> float32[4x3]");
    assertThat(kernel.getLong("readBytes")).isEqualTo(56);
    assertThat(kernel.getInt("stream")).isZero();
    assertThat(named(events, "Copy")).as("kernels write into results").isEmpty();
  }

  @Test
  void flightRecorderIsToldOfOutputsThatAreCopied() throws IOException {
    var builder = new GraphBuilder("same");
    builder.output("y", builder.input("x", TensorType.of(DType.FLOAT32, 12)));
    List<RecordedEvent> events = recorded(() -> {
      try (var session = Session.of(builder.build(), OPTIONS)) {
        session.run(Map.of("x", Tensor.of(new float[12], 12))).close();
      }
    });
    assertThat(named(events, "Copy")).hasSize(1).allMatch(it -> it.getString("tensor").equals("y")
      && it.getLong("bytes") == 48);
  }

  @Test
  void flightRecorderIsToldOfFailuresAndOfFiles() throws IOException {
    Path none = folder.resolve("none.onnx");
    List<RecordedEvent> events = recorded(() -> {
      assertThatThrownBy(() -> Session.open(none)).isInstanceOf(RuntimeException.class);
      try (var session = Session.of(lookup(), OPTIONS); var bad = Tensor.of(new long[] {7}, 1)) {
        assertThatThrownBy(() -> session.run(Map.of("i", bad))).isInstanceOf(IllegalArgumentException.class);
      }
    });
    assertThat(named(events, "ModelLoad")).hasSize(1).allMatch(it -> it.getString("file").equals(none.toString())
      && it.getInt("nodes") == 0);
    assertThat(named(events, "Run")).hasSize(1).allMatch(it -> it.getBoolean("failed"));
    assertThat(named(events, "Copy")).isEmpty();
  }

  @Test
  void aTracerAndFlightRecorderMayHearTheSameRun() throws IOException {
    Tracer tracer = Tracer.keeping(3);
    List<RecordedEvent> events = recorded(() -> {
      try (var session = Session.of(model(), OPTIONS.withObservers(tracer))) {
        run(session, 1);
      }
    });
    assertThat(named(events, "Kernel")).hasSize(2);
    assertThat(tracer.trace().runs().getFirst().steps()).hasSize(2).allMatch(Span::finished);
  }
}
