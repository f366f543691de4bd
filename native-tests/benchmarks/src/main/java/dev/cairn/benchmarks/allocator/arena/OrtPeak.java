package dev.cairn.benchmarks.allocator.arena;

import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How many bytes of its arena ONNX Runtime needs for a run of a model: what its own statistics say of the most in use,
 * less what was in use before. Weights lie outside of the arena. Inputs are zeros. The first run shows it the shapes;
 * later ones use the plan that it made from them, so both are in the figure.
 */
public final class OrtPeak {
  private static final int CREATE_ENV = 3;
  private static final int CREATE_SESSION = 7;
  private static final int RUN = 9;
  private static final int CREATE_SESSION_OPTIONS = 10;
  private static final int SET_INTRA_OP_NUM_THREADS = 24;
  private static final int CREATE_TENSOR_WITH_DATA = 49;
  private static final int CREATE_MEMORY_INFO = 68;
  private static final int RELEASE_SESSION = 95;
  private static final int RELEASE_VALUE = 96;
  private static final int ADD_SESSION_CONFIG_ENTRY = 130;
  private static final int CREATE_ALLOCATOR = 131;
  private static final int RELEASE_ALLOCATOR = 132;
  private static final int GET_KEY_VALUE = 297;
  private static final int RELEASE_KEY_VALUE_PAIRS = 300;
  private static final int ALLOCATOR_GET_STATS = 319;
  private static final int LOG_ERRORS = 3;
  private static final int ARENA_ALLOCATOR = 1;
  private static final int DEFAULT_MEMORY = 0;
  private static final int RUNS = 3;

  private final OrtApi api;
  private final MemorySegment environment;
  private final MemorySegment memoryInfo;

  private OrtPeak(OrtApi api) {
    this.api = api;
    try (Arena scope = Arena.ofConfined()) {
      environment = api.create(CREATE_ENV, LOG_ERRORS, scope.allocateFrom("cairn-benchmarks"));
      memoryInfo = api.create(CREATE_MEMORY_INFO, scope.allocateFrom("Cpu"), ARENA_ALLOCATOR, 0, DEFAULT_MEMORY);
    }
  }

  /** Whether the class path has the library for this machine. */
  public static boolean isThere() {
    return OrtApi.isThere();
  }

  /** Loads the library, for as long as the process lives. */
  public static OrtPeak load() {
    return new OrtPeak(OrtApi.load());
  }

  /** Of the library. */
  public String version() {
    return api.version();
  }

  /**
   * @param inputs the type of each of the model's inputs
   * @param outputs the names of its outputs
   */
  public long bytes(Path model, Map<String, TensorType> inputs, List<String> outputs) {
    try (Arena scope = Arena.ofConfined()) {
      MemorySegment options = api.create(CREATE_SESSION_OPTIONS);
      api.call(SET_INTRA_OP_NUM_THREADS, options, 1);
      api.call(ADD_SESSION_CONFIG_ENTRY, options, scope.allocateFrom(
        "session.use_device_allocator_for_initializers"), scope.allocateFrom("1"));
      MemorySegment session = api.create(CREATE_SESSION, environment, scope.allocateFrom(model.toString()), options);
      MemorySegment allocator = api.create(CREATE_ALLOCATOR, session, memoryInfo);
      long before = statistic(allocator, "InUse", scope);
      for (int i = 0; i < RUNS; i++) {
        run(session, inputs, outputs, scope);
      }
      long peak = statistic(allocator, "MaxInUse", scope) - before;
      api.release(RELEASE_ALLOCATOR, allocator);
      api.release(RELEASE_SESSION, session);
      return peak;
    }
  }

  private void run(MemorySegment session, Map<String, TensorType> inputs, List<String> outputs, Arena scope) {
    List<MemorySegment> values = new ArrayList<>();
    for (TensorType type : inputs.values()) {
      long[] extents = type.shape().extents();
      MemorySegment data = scope.allocate(Math.max(type.bytes(), 1), 64);
      MemorySegment shape = extents.length == 0
        ? MemorySegment.NULL
        : scope.allocateFrom(ValueLayout.JAVA_LONG, extents);
      values.add(api.create(CREATE_TENSOR_WITH_DATA, memoryInfo, data, type.bytes(), shape, (long) extents.length,
        code(type.dtype())));
    }
    MemorySegment results = scope.allocate(ADDRESS, outputs.size());
    api.call(RUN, session, MemorySegment.NULL, names(List.copyOf(inputs.keySet()), scope), pointers(values, scope),
      (long) values.size(), names(outputs, scope), (long) outputs.size(), results);
    for (int i = 0; i < outputs.size(); i++) {
      api.release(RELEASE_VALUE, results.getAtIndex(ADDRESS, i));
    }
    values.forEach(it -> api.release(RELEASE_VALUE, it));
  }

  private long statistic(MemorySegment allocator, String key, Arena scope) {
    MemorySegment pairs = api.create(ALLOCATOR_GET_STATS, allocator);
    try {
      return Long.parseLong(api.text(GET_KEY_VALUE, pairs, scope.allocateFrom(key)));
    } finally {
      api.release(RELEASE_KEY_VALUE_PAIRS, pairs);
    }
  }

  private static MemorySegment names(List<String> names, Arena scope) {
    return pointers(names.stream().map(scope::allocateFrom).toList(), scope);
  }

  private static MemorySegment pointers(List<MemorySegment> all, Arena scope) {
    MemorySegment pointers = scope.allocate(ADDRESS, Math.max(all.size(), 1));
    for (int i = 0; i < all.size(); i++) {
      pointers.setAtIndex(ADDRESS, i, all.get(i));
    }
    return pointers;
  }

  /** ONNX's number of an element type. */
  private static int code(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> 1;
      case INT64 -> 7;
      default -> throw new IllegalArgumentException("no model here has it: dtype=" + dtype);
    };
  }
}
