package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.bfc.BfcOptions.Collection;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a session moves, and what it leaves where it is. */
class SessionCompactionTest {
  private static final long KIB = 1024;
  private static final Path ROOT = Path.of(System.getProperty("cairn.root", "../.."));
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1)
    .withCompile(CompileOptions.DEFAULT.withFusion(FusionChoice.OFF).withInPlace(false));
  /** Weights of 256 bytes, a plan of 1 KiB, and eight results of 1 KiB, in one region. */
  private static final MemoryOptions FULL = MemoryOptions.DEFAULT.withGrowth(MemoryGrowth.WHOLE).withLimitBytes(256
    + 9 * KIB);

  private final WatchedSource source = new WatchedSource();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /** y = tanh(x + w) for x of [batch, 2], the batch open: for a batch of 128, a plan and a result of 1 KiB each. */
  private static Graph model() {
    var builder = new GraphBuilder("model");
    var type = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"), new Dimension.Fixed(2)));
    NodeEntry x = builder.input("x", type);
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(2), 1, -1));
    builder.output("y", builder.apply("Tanh", builder.apply("Add", x, w)));
    return builder.build();
  }

  private static Map<String, Tensor> batch(int items, int seed) {
    float[] values = new float[items * 2];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(seed + 0.01 * i);
    }
    return Map.of("x", Tensor.of(values, items, 2));
  }

  private Session session(MemoryOptions memory) {
    return Session.of(model(), OPTIONS.withMemory(memory), source);
  }

  /** Results of 1 KiB that fill the limit, each with values of its own. */
  private static List<Result> filled(Session session) {
    List<Result> results = new ArrayList<>();
    for (int seed = 0; seed < 8; seed++) {
      results.add(session.run(batch(128, seed)));
    }
    assertThat(session.memoryStats().freeBytes()).isZero();
    return results;
  }

  /** Every second of these, closed; the others, by their seeds. */
  private static void closeEverySecond(List<Result> results) {
    for (int seed = 0; seed < results.size(); seed += 2) {
      results.get(seed).close();
    }
  }

  /** What a session with all memory of the world computes. */
  private static float[] expected(int items, int seed) {
    try (var session = Session.of(model(), OPTIONS); Result result = session.run(batch(items, seed))) {
      return result.get("y").toFloatArray();
    }
  }

  private static void requireValues(List<Result> results) {
    for (int seed = 1; seed < results.size(); seed += 2) {
      assertThat(results.get(seed).get("y").toFloatArray()).as("seed=%d", seed).isEqualTo(expected(128, seed));
    }
  }

  private static void closeOthers(List<Result> results) {
    for (int seed = 1; seed < results.size(); seed += 2) {
      results.get(seed).close();
    }
  }

  @Test
  void aRefusalForFragmentationBecomesAGrant() {
    try (var session = session(FULL.withCollection(Collection.BEFORE_GROWTH))) {
      List<Result> results = filled(session);
      closeEverySecond(results);
      assertThatThrownBy(() -> session.run(batch(256, 8))).isInstanceOf(OutOfMemory.class);
      assertThat(session.memoryStats().movedBytes()).isZero();
      closeOthers(results);
    }
    try (var session = session(FULL.withCollection(Collection.COMPACT))) {
      List<Result> results = filled(session);
      closeEverySecond(results);
      try (Result large = session.run(batch(256, 8))) {
        assertThat(large.get("y").toFloatArray()).isEqualTo(expected(256, 8));
      }
      assertThat(session.memoryStats().movedBytes()).isPositive();
      requireValues(results);
      closeOthers(results);
    }
  }

  @Test
  void compactMovesNowAndCountsWhatItMoved() {
    try (var session = session(FULL)) {
      List<Result> results = filled(session);
      closeEverySecond(results);
      long moved = session.compact();
      assertThat(moved).isPositive().isEqualTo(session.memoryStats().movedBytes());
      assertThat(session.compact()).isZero();
      requireValues(results);
      try (Result large = session.run(batch(256, 8))) {
        assertThat(large.get("y").toFloatArray()).isEqualTo(expected(256, 8));
      }
      closeOthers(results);
    }
  }

  @Test
  void aResultOutlivesItsSessionAfterAMove() {
    var session = session(FULL);
    List<Result> results = filled(session);
    closeEverySecond(results);
    assertThat(session.compact()).isPositive();
    session.close();
    requireValues(results);
    closeOthers(results);
  }

  @Test
  void resultsThatCallersHoldStay() {
    List<Function<Tensor, Runnable>> pins = List.of(tensor -> {
      long address = tensor.segment().address();
      return () -> assertThat(tensor.segment().address()).isEqualTo(address);
    }, tensor -> {
      TensorMemory memory = TensorMemory.of(tensor);
      long address = memory.beginUseOnHost().view().segment().address();
      return () -> {
        assertThat(memory.located().view().segment().address()).isEqualTo(address);
        memory.endUse();
      };
    });
    for (Function<Tensor, Runnable> pin : pins) {
      try (var session = session(FULL.withCollection(Collection.COMPACT))) {
        List<Result> results = filled(session);
        closeEverySecond(results);
        List<Runnable> held = new ArrayList<>();
        for (int seed = 1; seed < results.size(); seed += 2) {
          held.add(pin.apply(results.get(seed).get("y")));
        }
        assertThat(session.compact()).isZero();
        assertThatThrownBy(() -> session.run(batch(256, 8))).isInstanceOf(OutOfMemory.class);
        held.forEach(Runnable::run);
        requireValues(results);
        closeOthers(results);
      }
    }
  }

  @Test
  void aResultThatAnotherThreadReadsStaysUntilItHasRead() throws InterruptedException {
    try (var session = session(FULL)) {
      List<Result> results = filled(session);
      closeEverySecond(results);
      var reading = new CountDownLatch(4);
      var gate = new CountDownLatch(1);
      List<Thread> readers = new ArrayList<>();
      List<float[]> read = new ArrayList<>();
      for (int seed = 1; seed < results.size(); seed += 2) {
        TensorMemory memory = TensorMemory.of(results.get(seed).get("y"));
        var reader = new Thread(() -> {
          float[] values = memory.read(segment -> {
            reading.countDown();
            await(gate);
            return segment.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
          });
          synchronized (read) {
            read.add(values);
          }
        });
        reader.start();
        readers.add(reader);
      }
      await(reading);
      assertThat(session.compact()).as("all are read").isZero();
      gate.countDown();
      for (Thread reader : readers) {
        reader.join();
      }
      assertThat(read).extracting(it -> List.of(it[0], it[255])).containsExactlyInAnyOrderElementsOf(List.of(1, 3, 5, 7)
        .stream().map(it -> List.of(expected(128, it)[0], expected(128, it)[255])).toList());
      assertThat(session.compact()).isPositive();
      requireValues(results);
      closeOthers(results);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void redZonesExcludeCompaction() {
    assertThatIllegalArgumentException().isThrownBy(() -> session(MemoryOptions.DEFAULT.withGuardBytes(1)
      .withCollection(Collection.COMPACT))).withMessageContaining("red zones exclude compaction");
    try (var session = session(MemoryOptions.DEFAULT.withGuardBytes(1)); Result result = session.run(batch(4, 0))) {
      assertThatIllegalStateException().isThrownBy(session::compact).withMessageContaining(
        "red zones exclude compaction");
      assertThat(result.get("y").toFloatArray()).isEqualTo(expected(4, 0));
    }
  }

  private static void example(PrintStream out) {
    var builder = new GraphBuilder("sum");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2, 2));
    builder.output("y", builder.apply("Add", x, x));
    Map<String, Tensor> inputs = Map.of("x", Tensor.of(new float[] {1, 2, 3, 4}, 2, 2));
    MemoryOptions memory = MemoryOptions.DEFAULT.withLimitBytes(1 << 20).withGrowth(MemoryGrowth.WHOLE)
      .withCollection(BfcOptions.Collection.COMPACT); // moves results before it refuses a request
    try (Session session = Session.of(builder.build(), SessionOptions.DEFAULT.withMemory(memory))) {
      Result first = session.run(inputs);
      Result second = session.run(inputs);
      first.close();
      long movedBytes = session.compact(); // moves results now
      out.println(movedBytes == session.memoryStats().movedBytes()); // true
      second.close();
    }
  }

  private static String packed(String lines) {
    return lines.lines().map(it -> it.replaceFirst(" *// .*", "").replace("System.out", "out").strip()).collect(
      Collectors.joining("\n"));
  }

  @Test
  void thePageHasTheseLinesAndSaysWhatTheyPrint() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/howto/memory.md"));
    List<String> examples = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(page).results().map(it -> it
      .group(1)).filter(it -> it.contains("compact()")).toList();
    assertThat(examples).hasSize(1);
    String own = Files.readString(ROOT.resolve(
      "runtime/session/src/test/java/dev/cairn/runtime/session/SessionCompactionTest.java"));
    assertThat(packed(own)).contains(packed(examples.getFirst()));
    var printed = new ByteArrayOutputStream();
    try (var out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      example(out);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8).strip()).isEqualTo("true");
  }
}
