package dev.cairn.kernels.onednn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.device.WaitsByHand;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * oneDNN keeps the number of threads for each thread of the operating system. A virtual thread that waits may continue
 * on another one, where another program has set another number. Here another program sets 1 whenever there is a chance:
 * after each call, and while a region waits for processors.
 */
class OneDnnThreadsTest {
  private static final String OTHERS = "another program sets 1";

  private final RecordedCalls calls = new RecordedCalls();
  private final Semaphore processors = new Semaphore(2) {
    private static final long serialVersionUID = 1;

    @Override
    public void acquireUninterruptibly(int permits) {
      calls.events.add(OTHERS);
      super.acquireUninterruptibly(permits);
    }
  };
  private final WaitsByHand waits = new WaitsByHand();
  private final OneDnnEngine two = new OneDnnEngine(calls, 2, new OpenMpTeams(2, 8, processors), waits.waits());

  /** Does nothing, and records its calls in order. */
  private static final class RecordedCalls implements OneDnnCalls {
    private final List<String> events = new ArrayList<>();

    private int called(String function) {
      events.add(function);
      events.add(OTHERS);
      return 0;
    }

    /** What came directly before each call of a function. */
    private List<String> before(String function) {
      List<String> found = new ArrayList<>();
      for (int i = 0; i < events.size(); i++) {
        if (events.get(i).equals(function)) {
          found.add(i == 0 ? "nothing" : events.get(i - 1));
        }
      }
      return found;
    }

    @Override
    public int status(String function, Object... arguments) {
      return called(function);
    }

    @Override
    public int answer(String function, Object... arguments) {
      return called(function);
    }

    @Override
    public long number(String function, Object... arguments) {
      return called(function);
    }

    @Override
    public int execute(long primitive, long stream, int count, long arguments) {
      return called("execute");
    }

    @Override
    public int setHandle(long memory, long address) {
      return 0;
    }

    @Override
    public void useThreads(int threads) {
      events.add("threads=" + threads);
    }

    @Override
    public void runOnAll(int threads, Runnable part) {
      events.add("runs on all: threads=" + threads);
      part.run();
    }

    @Override
    public void spin(int spins) {
      events.add("spins=" + spins);
    }
  }

  private static PreparedProgram program(OneDnnEngine engine, CpuDevice device) {
    var stages = List.of(new Stage(7, List.of()), new Stage(8, List.of()));
    var program = new Program(stages, 0, Map.of(), List.of(), Set.of());
    var call = new KernelCall(new @Nullable TensorView[0], new @Nullable TensorView[0], Attributes.NONE,
      MemorySegment.NULL, device.defaultStream());
    return new PreparedProgram(engine, new NativeScope(engine.calls()), program, call);
  }

  @Test
  void eachPrimitiveRunsOnItsNumberOfThreads() {
    try (var device = new CpuDevice(1); PreparedProgram program = program(two, device)) {
      program.run();
      program.run();
    }
    assertThat(calls.before("execute")).hasSize(4).containsOnly("threads=2");
  }

  @Test
  void eachPrimitiveIsMadeForItsNumberOfThreads() {
    try (var device = new CpuDevice(1)) {
      program(two, device).close();
      assertThat(calls.before("dnnl_primitive_create")).hasSize(2).containsOnly("threads=2");
      calls.events.clear();
      program(two.onOneThread(), device).close();
      assertThat(calls.before("dnnl_primitive_create")).hasSize(2).containsOnly("threads=1");
    }
  }

  /** Otherwise a thread takes the processor from the one that it waits for. */
  @Test
  void threadsDoNotSpinWhileTheyLackProcessors() {
    try (var device = new CpuDevice(1); PreparedProgram program = program(two, device)) {
      program.run();
      waits.passMillis(10, 2, 8, 2);
      program.run();
      waits.passMillis(200, 200, 0, 1);
      two.runOnAll(() -> {});
    }
    assertThat(calls.events.stream().filter(it -> it.startsWith("spins="))).containsExactly("spins=300000", "spins=0",
      "spins=300000");
  }

  /** The threads of a team are counted from its first program on, also where no loop in Java ever runs on it. */
  @Test
  void aTeamIsCountedFromItsFirstProgramOn() {
    try (var device = new CpuDevice(1); PreparedProgram program = program(two, device)) {
      program.run();
      program.run();
      assertThat(calls.events).containsOnlyOnce("runs on all: threads=2");
      assertThat(waits.counted()).isEqualTo(1);
    }
  }

  @Test
  void aProgramOnOneThreadHasNoTeam() {
    try (var device = new CpuDevice(1); PreparedProgram program = program(two.onOneThread(), device)) {
      program.run();
    }
    assertThat(calls.events).noneMatch(it -> it.startsWith("runs on all") || it.startsWith("spins="));
  }

  /** A program may be described for one number of threads in a scope of another. */
  @Test
  void aScopeIsSharedByNumbersOfThreads() {
    try (var scope = new NativeScope(two.calls())) {
      scope.with(two.onOneThread().calls()).createNew("thing");
      scope.createNew("other");
      assertThat(calls.before("dnnl_thing_create")).containsExactly("threads=1");
      assertThat(calls.before("dnnl_other_create")).containsExactly("threads=2");
    }
    assertThat(calls.events).containsSubsequence("dnnl_other_destroy", "dnnl_thing_destroy");
  }
}
