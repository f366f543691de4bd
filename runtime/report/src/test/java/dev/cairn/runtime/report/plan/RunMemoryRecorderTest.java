package dev.cairn.runtime.report.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.allocator.Listeners;
import dev.cairn.allocator.Owner;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.trace.MemoryUse;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.trace.TracedStep;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** What a run held: from records made by hand, which differ from their plan, and from runs of a session. */
class RunMemoryRecorderTest {
  private static final long POOL = 4096;
  private static final TracedGraph GRAPH = new TracedGraph("small", "cpu", 1, 1500, IntStream.range(0, 4).mapToObj(
    it -> new TracedStep("n" + it, it == 1 ? "Relu" : "Conv", "", "", 0, 0, 0, List.of())).toList(), List.of());
  private static final PictureSize SIZE = new PictureSize(574, 300, 1000, 0);

  private final RunMemoryRecorder recorder = new RunMemoryRecorder();
  private RunObserver run = RunObserver.NONE;

  private void begin() {
    recorder.granted(1, POOL, 1536, 1500, Owner.of("plan/pool0"));
    recorder.granted(2, 9000, 100, 100, Owner.of("weights"));
    recorder.recordNext();
    run = recorder.observe(GRAPH);
    assertThat(recorder.observe(GRAPH)).as("the next run only").isEqualTo(RunObserver.NONE);
    assertThat(run.observesMemory()).isTrue();
  }

  private void use(int step, MemoryUse use, long offset, long bytes) {
    run.memoryUsed(step, use, POOL + offset, bytes);
  }

  /** The run of {@link Views#small} as it was planned: the last buffer is an output, and is read by no step. */
  private void runAsPlanned() {
    begin();
    run.memoryUsed(0, MemoryUse.READ, 9000, 100);
    use(0, MemoryUse.WRITTEN, 0, 1000);
    use(1, MemoryUse.READ, 0, 1000);
    use(1, MemoryUse.WRITTEN, 1000, 500);
    use(2, MemoryUse.WRITTEN, 0, 1000);
    use(3, MemoryUse.READ, 1000, 500);
    use(3, MemoryUse.READ, 0, 1000);
  }

  private static List<Element> heldIn(String svg) throws Exception {
    return Views.rectangles(Views.parsed(svg)).stream().filter(it -> List.of(it.getAttribute("class").split(" ", -1))
      .contains("h")).toList();
  }

  @Test
  void aRunAsPlannedHoldsWhatIsPlanned() throws Exception {
    runAsPlanned();
    RunMemory memory = recorder.memory();
    assertThat(memory.values()).extracting(HeldValue::offset, HeldValue::bytes, HeldValue::life).containsExactly(tuple(
      0, 1000, 0, 2), tuple(1000, 500, 1, 4), tuple(0, 1000, 2, 4));
    assertThat(memory.peak()).isEqualTo(new RunMemory.Peak(1500, 1));
    assertThat(memory.poolBytes()).containsExactly(1536L);
    assertThat(memory.mostInUse()).isEqualTo(1636);
    var both = new PlanAndRun(Views.small(), memory);
    assertThat(both.outside()).isEmpty();
    assertThat(both.share()).isCloseTo(1, within(1e-9));
    assertThat(both.held(0)).contains(new Lifetime(0, 2));
    List<Element> drawn = heldIn(PlanPicture.svg(Views.small().withRun(memory), SIZE));
    assertThat(drawn).hasSize(3).noneMatch(it -> it.getAttribute("class").startsWith("x"));
    assertThat(PlanPage.html(Views.small().withRun(memory), PageFacts.NONE)).contains("<h2>What the run held</h2>",
      "1,500 B (1.5 KiB) at step 1", ">100.0 %<", ">0 values<", "Each buffer was held for all steps",
      "type=\"checkbox\"");
  }

  private static Tuple tuple(long offset, long bytes, int first, int end) {
    return Tuple.tuple(offset, bytes, new Lifetime(first, end));
  }

  @Test
  void aRunThatDiffersFromItsPlanIsDrawnAsItWas() throws Exception {
    begin();
    use(0, MemoryUse.WRITTEN, 0, 1000); // planned for steps 0 and 1, and never read
    use(1, MemoryUse.WRITTEN, 1200, 300); // the plan has 500 bytes at 1,000
    use(2, MemoryUse.SCRATCH, 200, 100); // within the buffer at 0
    use(3, MemoryUse.READ, 400, 100); // of what was written at step 0: the plan gave it up after step 1
    PlanView view = Views.small().withRun(recorder.memory());
    var both = new PlanAndRun(view, recorder.memory());
    assertThat(both.outside()).extracting(HeldValue::node, HeldValue::offset, HeldValue::life).containsExactly(
      Tuple.tuple("n0", 300L, new Lifetime(0, 4)));
    assertThat(both.held(1)).contains(new Lifetime(1, 2));
    assertThat(both.unheldBytes(1)).isEqualTo(500 * 2);
    assertThat(both.share()).isLessThan(0.3);
    List<Element> drawn = heldIn(PlanPicture.svg(view, SIZE));
    assertThat(drawn).filteredOn(it -> it.getAttribute("class").startsWith("x")).singleElement().satisfies(
      it -> assertThat(it.getTextContent()).isEqualTo(
        "n0 (Conv)\n700 B\nheld by the run at step [0, 4)\naddress 300\nnot planned"));
    // 400 pixels for 4 steps, 300 for 1,500 bytes.
    assertThat(drawn).filteredOn(it -> it.getTextContent().startsWith("n1")).singleElement().satisfies(
      it -> assertThat(Stream.of("x", "y", "width", "height").map(it::getAttribute)).containsExactly("100", "0", "100",
        "60"));
    assertThat(PlanPage.html(view, PageFacts.NONE)).contains(">1 value<",
      "<td>n0</td><td>Conv</td><td>700</td><td>[0, 4)</td><td>0</td><td>300</td>",
      "buffers held for fewer steps than planned",
      "<td>relu1</td><td>500</td><td>[1, 4)</td><td>[1, 2)</td>");
  }

  @Test
  void bytesThatNoStepWroteAreHeldFromTheBegin() {
    begin();
    use(1, MemoryUse.WRITTEN, 100, 50);
    use(2, MemoryUse.READ, 50, 200);
    assertThat(recorder.memory().values()).extracting(HeldValue::node, HeldValue::offset, HeldValue::bytes,
      HeldValue::life).containsExactlyInAnyOrder(
        Tuple.tuple("n1", 100L, 50L, new Lifetime(1, 3)),
        Tuple.tuple("", 50L, 50L, new Lifetime(0, 3)),
        Tuple.tuple("", 150L, 100L, new Lifetime(0, 3)));
  }

  @Test
  void aResultInPlaceOfItsOperandHoldsTheBytesOnce() {
    begin();
    use(0, MemoryUse.WRITTEN, 0, 100);
    use(1, MemoryUse.READ, 0, 100);
    use(1, MemoryUse.WRITTEN, 0, 100);
    assertThat(recorder.memory().values()).extracting(HeldValue::life).containsExactly(new Lifetime(0, 1), new Lifetime(
      1, 2));
    assertThat(recorder.memory().peak()).isEqualTo(new RunMemory.Peak(100, 0));
  }

  @Test
  void memoryThatTheAllocatorDidNotGrantForAPoolIsNotOfThePlan() {
    begin();
    run.memoryUsed(0, MemoryUse.WRITTEN, 9000, 100);
    run.memoryUsed(0, MemoryUse.WRITTEN, 1, 100);
    recorder.freed(1, POOL, 1536);
    use(0, MemoryUse.WRITTEN, 0, 100);
    assertThat(recorder.memory().values()).isEmpty();
    assertThat(recorder.memory().poolBytes()).isEmpty();
  }

  @Test
  void withoutARunThereIsNothingToTell() {
    assertThatIllegalStateException().isThrownBy(recorder::memory).withMessageContaining("recordNext");
    assertThat(recorder.observe(GRAPH)).isEqualTo(RunObserver.NONE);
  }

  /** Three values of 4 KB, of which two live at a time, and a result. */
  private static Session session(RunMemoryRecorder memory) {
    var builder = new GraphBuilder("chain");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 32, 32));
    NodeEntry a = builder.apply("Softmax", x);
    NodeEntry b = builder.apply("Transpose", a);
    NodeEntry c = builder.apply("Softmax", b);
    builder.output("y", builder.apply("Transpose", c));
    return Session.of(builder.build(), SessionOptions.DEFAULT.withObservers(memory).withMemoryListener(Listeners.of(
      memory)));
  }

  @Test
  void aSessionsRunIsRecordedWhereItsKernelsWork() {
    try (Session session = session(recorder); Tensor x = Tensor.of(new float[1024], 32, 32)) {
      session.run(Map.of("x", x)).close();
      recorder.recordNext();
      session.run(Map.of("x", x)).close();
      session.run(Map.of("x", x)).close();
      RunMemory memory = recorder.memory();
      CompiledGraph compiled = session.compiled().orElseThrow();
      assertThat(memory.values()).extracting(HeldValue::operator).contains("Softmax", "Transpose");
      assertThat(memory.peak().bytes()).isBetween(2 * 4096L, compiled.score().peakBytes());
      assertThat(memory.mostInUse()).isGreaterThanOrEqualTo(compiled.score().peakBytes() + 4096);
      PlanView right = PlanView.of("chain", compiled.storage().problem(), compiled.plan());
      assertThat(new PlanAndRun(right, memory).outside()).isEmpty();
      // The same record beside a plan that the run did not have: each buffer 256 bytes higher.
      MemoryProblem problem = compiled.storage().problem();
      long[] moved = compiled.plan().placements().stream().mapToLong(it -> it.offset() + 256).toArray();
      PlanView wrong = PlanView.of("chain", problem, MemoryPlan.inOneArena("moved", problem, moved));
      assertThat(new PlanAndRun(wrong, memory).outside()).isNotEmpty();
    }
  }
}
