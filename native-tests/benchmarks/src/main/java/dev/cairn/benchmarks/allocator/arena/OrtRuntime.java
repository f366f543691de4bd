package dev.cairn.benchmarks.allocator.arena;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * ONNX Runtime, started once and never stopped, that gives out sessions: each has an arena of its own, and is there for
 * nothing else.
 *
 * <p>The allocator comes from {@code CreateAllocator} on a session, which is the session's arena. One that is
 * registered with the environment ({@code CreateAndRegisterAllocator}) looks the same and is plain malloc.
 */
final class OrtRuntime {
  private static final int CREATE_ENV = 3;
  private static final int CREATE_SESSION_FROM_ARRAY = 8;
  private static final int CREATE_SESSION_OPTIONS = 10;
  private static final int SET_INTRA_OP_NUM_THREADS = 24;
  private static final int CREATE_MEMORY_INFO = 68;
  private static final int RELEASE_SESSION = 95;
  private static final int CREATE_ALLOCATOR = 131;
  private static final int RELEASE_ALLOCATOR = 132;
  private static final int LOG_ERRORS = 3;
  private static final int ARENA_ALLOCATOR = 1;
  private static final int DEFAULT_MEMORY = 0;

  private final OrtApi api;
  private final MemorySegment environment;
  private final MemorySegment memoryInfo;
  private final MemorySegment options;
  private final byte[] model;

  private OrtRuntime(OrtApi api, byte[] model) {
    this.api = api;
    this.model = model;
    try (Arena scope = Arena.ofConfined()) {
      this.environment = api.create(CREATE_ENV, LOG_ERRORS, scope.allocateFrom("cairn-benchmarks"));
      this.memoryInfo = api.create(CREATE_MEMORY_INFO, scope.allocateFrom("Cpu"), ARENA_ALLOCATOR, 0, DEFAULT_MEMORY);
    }
    this.options = api.create(CREATE_SESSION_OPTIONS);
    // No worker threads: nothing is ever run.
    api.call(SET_INTRA_OP_NUM_THREADS, options, 1);
  }

  static OrtRuntime start() {
    try {
      Graph graph = Zoo.build("mlp", ZooOptions.DEFAULT);
      Path file = Files.createTempFile("cairn-benchmarks", ".onnx");
      try {
        OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
        return new OrtRuntime(OrtApi.load(), Files.readAllBytes(file));
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String version() {
    return api.version();
  }

  /** A session, and the allocator that hands out memory of its arena. */
  record Session(MemorySegment session, MemorySegment allocator) {}

  Session open() {
    try (Arena scope = Arena.ofConfined()) {
      MemorySegment bytes = scope.allocate(model.length).copyFrom(MemorySegment.ofArray(model));
      MemorySegment session = api.create(CREATE_SESSION_FROM_ARRAY, environment, bytes, (long) model.length, options);
      return new Session(session, api.create(CREATE_ALLOCATOR, session, memoryInfo));
    }
  }

  void close(Session opened) {
    api.release(RELEASE_ALLOCATOR, opened.allocator());
    api.release(RELEASE_SESSION, opened.session());
  }
}
