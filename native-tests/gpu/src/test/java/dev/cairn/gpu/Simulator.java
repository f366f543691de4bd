package dev.cairn.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** What a test can tell the simulated driver, and ask it, past CUDA's own calls. */
public final class Simulator {
  private static final int TEXT_BYTES = 1 << 16;
  private static final int TIMELINE_BYTES = 1 << 23;

  private final MethodHandle fail;
  private final MethodHandle loseContext;
  private final MethodHandle leaks;
  private final MethodHandle calls;
  private final MethodHandle keepTimeline;
  private final MethodHandle label;
  private final MethodHandle timeline;

  private Simulator(SymbolLookup library) {
    this.fail = link(library, "cairn_sim_fail", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_INT,
      ValueLayout.JAVA_INT));
    this.loseContext = link(library, "cairn_sim_lose_context", FunctionDescriptor.ofVoid());
    this.leaks = link(library, "cairn_sim_leaks", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS,
      ValueLayout.JAVA_LONG));
    this.calls = link(library, "cairn_sim_calls", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    this.keepTimeline = link(library, "cairn_sim_keep_timeline", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
    this.label = link(library, "cairn_sim_label", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    this.timeline = link(library, "cairn_sim_timeline", FunctionDescriptor.of(ValueLayout.JAVA_LONG,
      ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
  }

  /** Whether a driver is the simulated one, though tests may take it for the machine's own. */
  static boolean is(Path driver) {
    return SymbolLookup.libraryLookup(driver, Arena.global()).find("cairn_sim_calls").isPresent();
  }

  static Simulator over(Path driver) {
    return new Simulator(SymbolLookup.libraryLookup(driver, Arena.global()));
  }

  private static MethodHandle link(SymbolLookup library, String function, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(library.findOrThrow(function), type);
  }

  /** Lets the {@code nth} next call of a driver's function, from 1, answer {@code code} and do nothing. */
  public void fail(String call, int nth, int code) {
    try (Arena arena = Arena.ofConfined()) {
      fail.invokeExact(arena.allocateFrom(call), nth, code);
    } catch (Throwable e) {
      throw new AssertionError("simulator can't be told: call=" + call, e);
    }
  }

  /** Takes back what {@link #fail} said of that function. */
  public void clear(String call) {
    fail(call, 0, 0);
  }

  /** Lets the current context answer every call with an error, as after a fault of a kernel. */
  public void loseContext() {
    try {
      loseContext.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError("simulator can't be told", e);
    }
  }

  /** What was not given back: nothing when all is well. */
  public String leaks() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(TEXT_BYTES);
      leaks.invokeExact(text, (long) TEXT_BYTES);
      return text.getString(0);
    } catch (Throwable e) {
      throw new AssertionError("simulator can't be asked", e);
    }
  }

  /** How often a function was called since the process began. */
  public long calls(String call) {
    try (Arena arena = Arena.ofConfined()) {
      return (long) calls.invokeExact(arena.allocateFrom(call));
    } catch (Throwable e) {
      throw new AssertionError("simulator can't be asked: call=" + call, e);
    }
  }

  /** Keeps the timeline from now on, or no longer; what was kept is forgotten. */
  public void keepTimeline(boolean wanted) {
    try {
      keepTimeline.invokeExact(wanted ? 1 : 0);
    } catch (Throwable e) {
      throw new AssertionError("simulator can't be told", e);
    }
  }

  /** Goes with all that this thread gives to streams from now on. */
  public void label(String text) {
    try (Arena arena = Arena.ofConfined()) {
      label.invokeExact(arena.allocateFrom(text));
    } catch (Throwable e) {
      throw new AssertionError("simulator can't be told: label=" + text, e);
    }
  }

  /** What streams have done since the timeline is kept. */
  public SimulatedTimeline timeline() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(TIMELINE_BYTES);
      long bytes = (long) timeline.invokeExact(text, (long) TIMELINE_BYTES);
      if (bytes >= TIMELINE_BYTES) {
        throw new AssertionError("timeline too long: bytes=" + bytes);
      }
      return SimulatedTimeline.parse(text.getString(0));
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("simulator can't be asked", e);
    }
  }
}
