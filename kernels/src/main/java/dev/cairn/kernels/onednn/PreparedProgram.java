package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.onednn.Stage.Argument;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The primitives of one call, ready to run. Owns all that oneDNN holds for it. For one thread at a time. */
final class PreparedProgram implements Prepared {
  private static final int IN_ORDER = 1;
  /** {@code dnnl_exec_arg_t}: an {@code int}, padding, and a handle. */
  private static final long ARGUMENT_BYTES = 16;

  private final OneDnnEngine engine;
  private final OneDnnCalls calls;
  private final Runnable stages = this::executeStages;
  private final KernelCall call;
  private final NativeScope scope;
  private final long stream;
  private final long[] primitives;
  private final MemorySegment[] arguments;
  private final Bound[] bound;
  /** For a stage that copies unless in place: the input and output that it copies. */
  private final @Nullable Stage[] copies;

  /** Memory that may lie elsewhere in the next run. */
  private static final class Bound {
    private final long memory;
    private final OperandPlace place;
    private long address;

    Bound(long memory, OperandPlace place) {
      this.memory = memory;
      this.place = place;
    }
  }

  /** @param scope in which the program was described; closed with this, also when this throws */
  PreparedProgram(OneDnnEngine engine, NativeScope scope, Program program, KernelCall call) {
    this.engine = engine;
    this.calls = engine.calls();
    this.scope = scope.with(calls);
    this.call = call;
    List<Bound> operands = new ArrayList<>();
    try {
      stream = this.scope.createNew("stream", engine.handle(), IN_ORDER);
      primitives = new long[program.stages().size()];
      arguments = new MemorySegment[primitives.length];
      copies = new Stage[primitives.length];
      for (int i = 0; i < primitives.length; i++) {
        Stage stage = program.stages().get(i);
        primitives[i] = this.scope.createNew("primitive", stage.descriptor());
        arguments[i] = arguments(stage, operands);
        copies[i] = stage.isSkippedInPlace() ? stage : null;
      }
    } catch (RuntimeException | Error e) {
      scope.close();
      throw e;
    }
    bound = operands.toArray(Bound[]::new);
  }

  private MemorySegment arguments(Stage stage, List<Bound> operands) {
    List<Argument> all = stage.arguments();
    MemorySegment list = Arena.ofAuto().allocate(all.size() * ARGUMENT_BYTES, JAVA_LONG.byteAlignment());
    for (int i = 0; i < all.size(); i++) {
      Argument argument = all.get(i);
      long memory = scope.createNew("memory", argument.layout(), engine.handle(), 0L);
      operands.add(new Bound(memory, argument.place()));
      list.set(JAVA_INT, i * ARGUMENT_BYTES, argument.number());
      list.set(JAVA_LONG, i * ARGUMENT_BYTES + Long.BYTES, memory);
    }
    return list;
  }

  @Override
  public void run() {
    try {
      for (Bound operand : bound) {
        bind(operand);
      }
      engine.run(stages);
    } finally {
      // Tensors of the call and lists of arguments are read by address.
      Reference.reachabilityFence(this);
    }
  }

  /** Runs on the caller's thread, or on another one while the caller waits. */
  private void executeStages() {
    engine.joinTeam();
    for (int i = 0; i < primitives.length; i++) {
      if (isInPlace(copies[i])) {
        continue;
      }
      MemorySegment list = arguments[i];
      OneDnnCalls.check("dnnl_primitive_execute", calls.execute(primitives[i], stream, (int) (list.byteSize()
        / ARGUMENT_BYTES), list.address()));
    }
  }

  private boolean isInPlace(@Nullable Stage copy) {
    if (copy == null) {
      return false;
    }
    long address = 0;
    for (Argument argument : copy.arguments()) {
      switch (argument.place()) {
        case OperandPlace.Input(int index) -> address += call.input(index).segment().address();
        case OperandPlace.Output(int index) -> address -= call.output(index).segment().address();
        case OperandPlace.Workspace room -> {}
        case OperandPlace.Scratchpad room -> {}
      }
    }
    return address == 0;
  }

  private void bind(Bound operand) {
    long address = switch (operand.place) {
      case OperandPlace.Input(int index) -> address(call.input(index).segment(), index);
      case OperandPlace.Output(int index) -> address(call.output(index).segment(), index);
      case OperandPlace.Workspace(long offset) -> call.workspace().address() + offset;
      case OperandPlace.Scratchpad _ -> throw new AssertionError("the builder places scratch memory");
    };
    if (address != operand.address) {
      OneDnnCalls.check("dnnl_memory_set_data_handle", calls.setHandle(operand.memory, address));
      operand.address = address;
    }
  }

  private static long address(MemorySegment segment, int operand) {
    if (!segment.isNative()) {
      throw new IllegalArgumentException("oneDNN reads and writes native memory only: operand=" + operand);
    }
    return segment.address();
  }

  @Override
  public void close() {
    scope.close();
  }
}
