package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.compile.Streamed;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.memory.analysis.HostCopies;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Models whose weights are larger than the limit: each run reads them from the mapped file, step by step. */
class FileWeightsTest {
  @TempDir
  private Path folder;
  private FileModel model = new FileModel(Path.of(""), MemorySegment.NULL);

  @BeforeEach
  void write() throws IOException {
    model = FileModel.written(folder);
  }

  private static SessionOptions options(Wanted kernels, int threads) {
    return SessionOptions.DEFAULT.withThreads(threads).withDevice(DeviceOptions.CPU.withKernels(kernels));
  }

  private static void requireEqualRuns(Session limited, Session whole) {
    for (int run = 0; run < 3; run++) {
      SameValues.assertSame(FileModel.run(limited, run), FileModel.run(whole, run));
    }
  }

  /** What the model needs without a limit, with the kernels that it has within one. */
  private static MemoryNeed need(Graph graph, SessionOptions options) {
    try (var session = Session.of(graph, options.withMemoryLimitBytes(1L << 30))) {
      CompiledGraph compiled = session.compiled().orElseThrow();
      assertThat(compiled.streamed()).isEmpty();
      return MemoryNeed.of(compiled, true);
    }
  }

  private static long limit(MemoryNeed need, int percentOfWeights) {
    return need.totalBytes() - need.weightBytes() * (100 - percentOfWeights) / 100;
  }

  @ParameterizedTest
  @EnumSource(value = Wanted.class, names = {"PORTABLE", "VECTOR", "ONEDNN"})
  void resultsAreEqualToTheBitWithinLessThanTheWeights(Wanted kernels) {
    Graph graph = model.graph();
    for (int threads : List.of(1, 2)) {
      SessionOptions options = options(kernels, threads);
      try (var whole = Session.of(graph, options.withMemoryLimitBytes(1L << 30))) {
        MemoryNeed need = MemoryNeed.of(whole.compiled().orElseThrow(), true);
        for (int percent : threads == 1 ? List.of(80, 35) : List.of(50)) {
          SessionOptions within = options.withMemoryLimitBytes(limit(need, percent));
          try (var limited = Session.of(graph, within)) {
            requireEqualRuns(limited, whole);
            CompiledGraph compiled = limited.compiled().orElseThrow();
            Streamed streamed = compiled.streamed().orElseThrow();
            assertThat(streamed.fits() && streamed.fromFile()).isTrue();
            assertThat(streamed).asString().contains("are streamed from the model's file");
            assertThat(streamed.copies()).isGreaterThanOrEqualTo(streamed.constants()).isPositive();
            MemoryNeed now = MemoryNeed.of(compiled, true);
            assertThat(now.totalBytes()).isLessThanOrEqualTo(within.memory().limitBytes());
            assertThat(percent > 35 || now.totalBytes() < need.weightBytes()).isTrue();
            assertThat(limited.memoryStats().peakBytesInUse()).isLessThanOrEqualTo(now.totalBytes());
            assertThat(limited.memoryStats().bytesInUse()).as("what is held is what was said").isEqualTo(now
              .weightBytes() + now.planBytes());
          }
        }
      }
    }
  }

  /** Several constants at one place of the file are stored once, so a limit for that much streams nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void weightsThatShareBytesAreCountedOnce(boolean simplified) {
    Graph graph = FileModel.model((_, shape) -> {
      TensorType type = new TensorType(DType.FLOAT32, shape);
      return new TensorView(type, model.mapped().asSlice(1, type.bytes()));
    });
    SessionOptions options = options(Wanted.PORTABLE, 1).withCompile(CompileOptions.DEFAULT.withSimplify(simplified));
    MemoryNeed need = need(graph, options);
    long apart = need(model.graph(), options).weightBytes();
    assertThat(need.weightBytes()).isLessThan(apart - 6L * FileModel.WIDTH * FileModel.WIDTH * Float.BYTES);
    try (var whole = Session.of(graph, options.withMemoryLimitBytes(need.totalBytes()))) {
      FileModel.run(whole, 1);
      assertThat(whole.compiled().orElseThrow().streamed()).isEmpty();
      assertThat(whole.memoryStats().bytesInUse()).isEqualTo(need.weightBytes() + need.planBytes());
      try (var limited = Session.of(graph, options.withMemoryLimitBytes(limit(need, 90)))) {
        requireEqualRuns(limited, whole);
        assertThat(MemoryNeed.of(limited.compiled().orElseThrow(), true).totalBytes()).isLessThanOrEqualTo(limit(need,
          90));
        assertThat(limited.compiled().orElseThrow().streamed().orElseThrow().copies()).isPositive();
      }
    }
  }

  /** How much of the file's mapping lies in memory. */
  private long residentBytes() throws IOException {
    long bytes = 0;
    boolean isOfFile = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        isOfFile = line.endsWith(model.file().toString());
      } else if (isOfFile && line.startsWith("Rss:")) {
        bytes += Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    return bytes;
  }

  @Test
  void pagesOfTheFileAreGivenBack() throws IOException {
    assumeTrue(Files.isReadable(Path.of("/proc/self/smaps")), "skipped: no /proc/self/smaps");
    Graph graph = model.graph();
    SessionOptions options = options(Wanted.VECTOR, 1);
    try (var limited = Session.of(graph, options.withMemoryLimitBytes(limit(need(graph, options), 35)))) {
      model.mapped().load();
      assertThat(residentBytes()).as("the test counts on it").isGreaterThanOrEqualTo(FileModel.WEIGHTS * Float.BYTES);
      model.mapped().unload();
      FileModel.run(limited, 1);
      assertThat(residentBytes()).isLessThan(FileModel.WEIGHTS * Float.BYTES / 2);
    }
  }

  @Test
  void severalRunsAtOnceHaveTheirOwnSlots() {
    Graph graph = model.graph();
    SessionOptions options = options(Wanted.VECTOR, 1).withMaxConcurrentRuns(2);
    MemoryNeed need = need(graph, options);
    try (var whole = Session.of(graph, options.withMemoryLimitBytes(1L << 30));
      var limited = Session.of(graph, options.withMemoryLimitBytes(limit(need, 50)))) {
      List<List<float[]>> expected = IntStream.range(0, 4).mapToObj(it -> FileModel.run(whole, it)).toList();
      IntStream.range(0, 4).parallel()
        .forEach(it -> SameValues.assertSame(FileModel.run(limited, it), expected.get(it)));
    }
  }

  @Test
  void aRunThatFailsOrIsStoppedAtACopyLeavesNothing() {
    Graph graph = model.graph();
    SessionOptions options = options(Wanted.VECTOR, 1);
    SessionOptions within = options.withMemoryLimitBytes(limit(need(graph, options), 35));
    List<Integer> loads;
    try (var session = Session.of(graph, within)) {
      CompiledGraph compiled = session.compiled().orElseThrow();
      loads = IntStream.range(0, compiled.storage().steps().size()).filter(it -> HostCopies.isLoad(compiled.storage()
        .steps().get(it))).boxed().toList();
    }
    assertThat(loads).hasSizeGreaterThan(4);
    var planted = new PlantedFailure();
    try (var whole = Session.of(graph, options.withMemoryLimitBytes(1L << 30));
      var limited = Session.of(graph, within.withObservers(_ -> planted), new NettySubAllocator(),
        new AtomicLong()::incrementAndGet)) {
      long held = limited.memoryStats().bytesInUse();
      for (int load : loads) {
        planted.plantAt(load);
        assertThatThrownBy(() -> FileModel.run(limited, 1)).hasStackTraceContaining("planted at step " + load);
        planted.remove();
        assertThat(limited.memoryStats().bytesInUse()).isEqualTo(held);
        SameValues.assertSame(FileModel.run(limited, load % 8), FileModel.run(whole, load % 8));
      }
      // The clock advances whenever a run reads it.
      RunOptions late = RunOptions.DEFAULT.withDeadline(Duration.ofNanos(1));
      try (Tensor x = Tensor.of(new float[FileModel.ROWS * FileModel.WIDTH], FileModel.ROWS, FileModel.WIDTH);
        Tensor ids = Tensor.of(new long[FileModel.ROWS], FileModel.ROWS)) {
        assertThatThrownBy(() -> limited.run(Map.of("x", x, "ids", ids), late)).isInstanceOf(RunStopped.class);
      }
      requireEqualRuns(limited, whole);
    }
  }

  @Test
  void aLimitThatIsTooLowIsRefusedWithTheLeastThatWorks() {
    Graph graph = model.graph();
    SessionOptions options = options(Wanted.VECTOR, 1);
    MemoryNeed need = need(graph, options);
    OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class, () -> Session.of(graph, options.withMemoryLimitBytes(
      limit(need, 0))));
    assertThat(refusal).hasMessageContaining("with streamed weights it needs");
    long least = refusal.leastLimitBytes().orElseThrow();
    assertThat(least).isLessThan(limit(need, 50));
    try (var whole = Session.of(graph, options.withMemoryLimitBytes(1L << 30));
      var advised = Session.of(graph, options.withMemoryLimitBytes(least))) {
      requireEqualRuns(advised, whole);
    }
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> Session.of(graph, options.withMemoryLimitBytes(least
      - Alignment.CHUNK_BYTES))).leastLimitBytes()).hasValue(least);
    for (RecomputeMode mode : List.of(RecomputeMode.OFF, RecomputeMode.CHEN)) {
      CompileOptions other = CompileOptions.DEFAULT.withRecompute(CompileOptions.DEFAULT.recompute().withMode(mode));
      OutOfMemory refused = catchThrowableOfType(OutOfMemory.class, () -> Session.of(graph, options.withCompile(other)
        .withMemoryLimitBytes(limit(need, 50))));
      assertThat(refused.ways()).anySatisfy(it -> {
        assertThat(it.option()).isEqualTo("--recompute auto");
        assertThat(it.outcome()).contains("streamed from the model's file");
      });
    }
  }

  @Test
  void weightsThatAreNotInAFileStay() {
    Graph graph = FileModel.model((name, shape) -> {
      float[] values = new float[(int) shape.elementCount()];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) (Math.sin(i * 0.37 + name.hashCode()) / 16);
      }
      return TensorView.ofFloats(shape, values);
    });
    SessionOptions options = options(Wanted.VECTOR, 1);
    MemoryNeed need = need(graph, options);
    assertThatThrownBy(() -> Session.of(graph, options.withMemoryLimitBytes(limit(need, 80))).close()).isInstanceOf(
      OutOfMemory.class).satisfies(it -> assertThat(it).message().doesNotContain("streamed"));
  }

  /** The file is named also where native code would read the missing pages. */
  @ParameterizedTest
  @EnumSource(value = Wanted.class, names = {"PORTABLE", "VECTOR", "ONEDNN"})
  void aFileThatIsCutShortIsNamed(Wanted kernels) throws IOException {
    Graph graph = model.graph();
    SessionOptions options = options(kernels, 2);
    try (var limited = Session.of(graph, options.withMemoryLimitBytes(limit(need(graph, options), 50)))) {
      FileModel.run(limited, 1);
      try (var channel = FileChannel.open(model.file(), StandardOpenOption.WRITE)) {
        channel.truncate(500);
      }
      assertThatThrownBy(() -> FileModel.run(limited, 1)).isInstanceOf(ChangedModelFile.class);
      assertThatThrownBy(() -> Session.of(graph, options)).isInstanceOf(ChangedModelFile.class);
    }
  }
}
