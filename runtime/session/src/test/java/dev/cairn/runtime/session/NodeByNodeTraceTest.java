package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.Span;
import dev.cairn.runtime.trace.TracedCopy;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.trace.TracedRun;
import dev.cairn.runtime.trace.TracedStep;
import dev.cairn.runtime.trace.Tracer;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.testing.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told and heard of runs without a plan, and what ends them. */
class NodeByNodeTraceTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1);

  @TempDir
  private Path folder = Path.of("");

  /** y = minus the numbers from 0 up to n: as many as it says. Since a variable decides, too, there is no plan. */
  private static Graph model() {
    var builder = new GraphBuilder("counted");
    NodeEntry n = builder.input("n", TensorType.of(DType.INT64));
    NodeEntry zero = builder.constant("zero", TensorView.ofLongs(0).reshaped(Shape.SCALAR));
    NodeEntry one = builder.variable("one", TensorView.ofLongs(1).reshaped(Shape.SCALAR));
    builder.output("y", builder.apply("Neg", builder.apply("Range", zero, n, one)));
    return builder.build();
  }

  /** y = x reshaped to n, then 1 added; r = as many numbers as a variable says, so there is no plan. */
  private static Graph reshaped() {
    var builder = new GraphBuilder("reshaped");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 12));
    NodeEntry n = builder.input("n", new DeclaredType(DType.INT64, List.of(new Dimension.Fixed(2))));
    NodeEntry one = builder.constant("one", TensorView.ofFloats(Shape.of(1), 1));
    NodeEntry from = builder.constant("from", TensorView.ofLongs(0).reshaped(Shape.SCALAR));
    NodeEntry step = builder.variable("step", TensorView.ofLongs(1).reshaped(Shape.SCALAR));
    builder.output("r", builder.apply("Range", from, step, step));
    builder.output("y", builder.apply("Add", builder.apply("Reshape", x, n), one));
    return builder.build();
  }

  private static Map<String, Tensor> three() {
    return Map.of("n", Tensor.of(new long[] {3}));
  }

  private static Map<String, Tensor> shape(long... n) {
    return Map.of("x", Tensor.of(new float[12], 12), "n", Tensor.of(n, n.length));
  }

  @Test
  void aRefusalSaysThatTheLeastLimitIsNotKnown() {
    try (Session session = Session.of(model(), OPTIONS.withMemoryLimitBytes(4096));
      Tensor n = Tensor.of(new long[] {
        100_000})) {
      assertThatThrownBy(() -> session.run(Map.of("n", n))).isInstanceOfSatisfying(OutOfMemory.class, refusal -> {
        assertThat(refusal.leastLimitBytes()).isEmpty();
        assertThat(refusal.circumstances()).containsExactly(
          "the model has no plan, so the least limit is not known: later requests may need more");
      });
    }
  }

  /** Writes down the events that it gets, and acts at each beginning of a step. */
  private static final class Ear implements RunObserver, RunObserver.Source {
    private final List<String> heard = new ArrayList<>();
    private Consumer<Integer> atStep = step -> {};
    private boolean wantsSteps = true;

    @Override
    public boolean observesSteps() {
      return wantsSteps;
    }

    @Override
    public RunObserver observe(TracedGraph graph) {
      heard.add(graph.steps().stream().map(TracedStep::operator).toList().toString());
      return this;
    }

    @Override
    public void admitted() {
      heard.add("run");
    }

    @Override
    public void stepBegan(int step, int stream) {
      heard.add("step " + step + " on " + stream);
      atStep.accept(step);
    }

    @Override
    public void stepFound(int step, TracedStep found) {
      heard.add("found " + step + " " + found.types().replaceAll(".* -> ", ""));
    }

    @Override
    public void stepEnded(int step, int stream) {
      heard.add("ended " + step);
    }

    @Override
    public void ended(boolean failed) {
      heard.add("over");
    }
  }

  @Test
  void everyRunIsRecordedWithTheTypesThatItFound() {
    Tracer tracer = Tracer.keeping(10);
    try (var session = Session.of(reshaped(), OPTIONS.withObservers(tracer))) {
      session.run(shape(3, 4)).close();
      session.run(shape(6, 2)).close();
      assertThat(session.unplannedReason()).hasValueSatisfying(it -> assertThat(it).contains("Range"));
    }
    List<TracedRun> runs = tracer.trace().runs();
    assertThat(runs).hasSize(2).allMatch(it -> !it.failed() && it.graph().planBytes() == 0);
    TracedStep alias = runs.getFirst().graph().steps().get(1);
    assertThat(alias.operator() + " " + alias.kernel() + " " + alias.types()).isEqualTo(
      "Reshape alias float32[12], int64[2] -> float32[3x4]");
    TracedStep sum = runs.getLast().graph().steps().getLast();
    assertThat(sum.types()).isEqualTo("float32[6x2], float32[1] -> float32[6x2]");
    assertThat(sum.kernel()).isNotEmpty();
    assertThat(sum.readBytes()).isEqualTo(52);
    assertThat(sum.writtenBytes()).isEqualTo(48);
    assertThat(sum.liveBytes()).isGreaterThanOrEqualTo(48);
    assertThat(runs.getLast().graph().copies()).containsExactly(new TracedCopy("r", "int64[1]", 8), new TracedCopy(
      "y", "float32[6x2]", 48));
    for (TracedRun run : runs) {
      assertThat(run.steps()).extracting(Span::index).containsExactly(0, 1, 2);
      assertThat(run.steps()).allMatch(it -> it.finished() && it.beginNanos() >= run.beganNanos());
      assertThat(run.copies()).as("the run gives its memory away").isEmpty();
    }
  }

  @Test
  void listenersHearEveryStep() {
    var ear = new Ear();
    for (Tracer tracer : List.of(Tracer.OFF, Tracer.keeping(1))) {
      try (var session = Session.of(model(), OPTIONS.withObservers(RunObserver.Source.all(ear, tracer)))) {
        session.run(three()).close();
      }
      assertThat(ear.heard).containsExactly("[Range, Neg]", "run", "step 0 on 0", "found 0 int64[3]", "ended 0",
        "step 1 on 0", "found 1 int64[3]", "ended 1", "over");
      ear.heard.clear();
    }
  }

  @Test
  void aRunIsCancelledBeforeItsNextStepAndTheNextOneIsWell() {
    var ear = new Ear();
    var cancellation = new Cancellation();
    ear.atStep = step -> cancellation.cancel();
    Tracer tracer = Tracer.keeping(5);
    try (var session = Session.of(model(), OPTIONS.withObservers(RunObserver.Source.all(ear, tracer)))) {
      assertThatThrownBy(() -> session.run(three(), RunOptions.DEFAULT.withCancellation(cancellation)))
        .isInstanceOfSatisfying(RunStopped.class, e -> {
          assertThat(e.reason()).isEqualTo(RunStopped.Reason.CANCELLED);
          assertThat(e.step()).hasValue(1);
        });
      assertThat(ear.heard).endsWith("ended 0", "over");
      session.run(three()).close();
    }
    assertThat(tracer.trace().runs()).extracting(TracedRun::failed).containsExactly(true, false);
    assertThat(tracer.trace().runs().getFirst().steps()).hasSize(1);
  }

  @Test
  void aDeadlineEndsARunBetweenSteps() {
    var ear = new Ear();
    Duration soon = Duration.ofMillis(300);
    var clock = new ManualClock();
    try (var session = Session.of(model(), OPTIONS.withObservers(ear), new NettySubAllocator(), clock)) {
      session.run(three()).close();
      ear.atStep = step -> clock.advance(step == 0 ? soon : Duration.ZERO);
      assertThatThrownBy(() -> session.run(three(), RunOptions.DEFAULT.withDeadline(soon)))
        .isInstanceOfSatisfying(RunStopped.class, e -> assertThat(e.reason()).isEqualTo(RunStopped.Reason.DEADLINE));
    }
  }

  @Test
  void whatAListenerThrowsEndsTheRunAsItIs() {
    var ear = new Ear();
    var planted = new ArithmeticException("planted");
    ear.atStep = step -> {
      throw planted;
    };
    try (var session = Session.of(model(), OPTIONS.withObservers(ear))) {
      assertThatThrownBy(() -> session.run(three())).isSameAs(planted);
      ear.atStep = step -> {};
      session.run(three()).close();
    }
  }

  @Test
  void aRunThatFindsNoMemoryIsTold() {
    Tracer tracer = Tracer.keeping(5);
    try (var session = Session.of(model(), OPTIONS.withObservers(tracer).withMemoryLimitBytes(512))) {
      assertThatThrownBy(() -> session.run(three())).isInstanceOf(OutOfMemory.class);
    }
    TracedRun run = tracer.trace().runs().getFirst();
    assertThat(run.failed()).isTrue();
    assertThat(run.steps()).as("of the second attempt alone").hasSizeLessThanOrEqualTo(2);
    assertThat(run.steps()).allMatch(it -> it.beginNanos() >= run.beganNanos());
  }

  @Test
  void flightRecorderIsToldOfKernelsAndNoCopies() throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      for (String name : List.of("cairn.Run", "cairn.Kernel", "cairn.Copy")) {
        recording.enable(name).withoutThreshold();
      }
      recording.start();
      try (var session = Session.of(model(), OPTIONS)) {
        session.run(three()).close();
      }
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
    assertThat(events).filteredOn(it -> it.getEventType().getName().equals("cairn.Kernel")).extracting(it -> it
      .getString("operator") + " " + it.getString("types")).containsExactlyInAnyOrder(
        "Range int64[scalar], int64[scalar], int64[scalar] -> int64[3]", "Neg int64[3] -> int64[3]");
    assertThat(events).filteredOn(it -> it.getEventType().getName().equals("cairn.Copy")).isEmpty();
    assertThat(events).filteredOn(it -> it.getEventType().getName().equals("cairn.Run")).hasSize(1);
  }

  @Test
  void whoDoesNotWantStepsHearsOfRunsAlone() {
    var ear = new Ear();
    ear.wantsSteps = false;
    try (Session session = Session.of(model(), OPTIONS.withObservers(ear))) {
      session.run(three()).close();
    }
    var planned = new GraphBuilder("planned");
    planned.output("y", planned.apply("Neg", planned.input("n", TensorType.of(DType.INT64))));
    try (Session session = Session.of(planned.build(), OPTIONS.withObservers(ear))) {
      session.run(three()).close();
    }
    assertThat(ear.heard).containsExactly("[Range, Neg]", "run", "over", "[Neg]", "run", "over");
  }
}
