package dev.cairn.benchmarks.allocator.arena;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * ONNX Runtime's arena for the CPU, a new one each time: a token is an address.
 *
 * <p>Its functions are called through the pointers in its own table, as a C program would. The calls are critical
 * ones, which leave out most of what Java does around a native call.
 */
public final class OrtArena implements Arena {
  private static final OrtRuntime RUNTIME = OrtRuntime.start();
  private static final MethodHandle GRANT = Linker.nativeLinker().downcallHandle(
    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG), Linker.Option.critical(false));
  private static final MethodHandle RELEASE = Linker.nativeLinker().downcallHandle(
    FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG), Linker.Option.critical(false));
  private static final long GRANT_FIELD = 8;
  private static final long RELEASE_FIELD = 16;
  private static final long PROBE_BYTES = 1024;
  private static final int PROBES = 16;

  private final OrtRuntime.Session session;
  private final long self;
  private final MemorySegment grantFunction;
  private final MemorySegment releaseFunction;

  private OrtArena(OrtRuntime.Session session) {
    this.session = session;
    this.self = session.allocator().address();
    MemorySegment table = session.allocator().reinterpret(RELEASE_FIELD + ADDRESS.byteSize());
    this.grantFunction = table.get(ADDRESS, GRANT_FIELD);
    this.releaseFunction = table.get(ADDRESS, RELEASE_FIELD);
  }

  /** Whether there is one for this machine. */
  public static boolean isThere() {
    return OrtApi.isThere();
  }

  /** The version of ONNX Runtime. */
  public static String version() {
    return RUNTIME.version();
  }

  /** @throws IllegalStateException when what the library gives is no arena */
  static OrtArena open() {
    var arena = new OrtArena(RUNTIME.open());
    try {
      arena.requireChunks();
      return arena;
    } catch (Throwable e) {
      arena.close();
      throw e;
    }
  }

  /** An arena puts chunks of 1,024 bytes 1,024 bytes apart; malloc puts its own words between them. */
  private void requireChunks() {
    long[] tokens = new long[PROBES];
    int neighbours = 0;
    for (int i = 0; i < PROBES; i++) {
      tokens[i] = grant(PROBE_BYTES);
      neighbours += i > 0 && tokens[i] - tokens[i - 1] == PROBE_BYTES ? 1 : 0;
    }
    for (long token : tokens) {
      release(token);
    }
    if (neighbours < PROBES / 2) {
      throw new IllegalStateException(
        "not an arena, its chunks do not adjoin: bytes=%d neighbours=%d of=%d".formatted(PROBE_BYTES, neighbours,
          PROBES - 1));
    }
  }

  @Override
  public long grant(long bytes) {
    try {
      return (long) GRANT.invokeExact(grantFunction, self, bytes);
    } catch (Throwable e) {
      throw new AssertionError("a critical call threw", e);
    }
  }

  @Override
  public void release(long token) {
    try {
      RELEASE.invokeExact(releaseFunction, self, token);
    } catch (Throwable e) {
      throw new AssertionError("a critical call threw", e);
    }
  }

  @Override
  public long addressOf(long token) {
    return token;
  }

  @Override
  public void close() {
    RUNTIME.close(session);
  }
}
