package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.memory.MemoryPlan;
import java.util.List;
import java.util.OptionalLong;

/**
 * The kernel of a step that runs bodies: the compiled bodies, whose memory is the step's workspace. An executor binds
 * their steps to addresses, and runs these in place of the kernel.
 */
public sealed interface ControlKernel extends Kernel {
  /** The compiled bodies, in the node's order. */
  List<CompiledGraph> bodies();

  /**
   * The index of the first operand that is a constant of a body. The constants of all bodies follow, in the bodies'
   * order.
   */
  int firstConstant();

  /** Bytes of the workspace. */
  long bytes();

  @Override
  default void run(KernelCall call) {
    throw new UnsupportedOperationException("this kernel does not run by itself: an executor runs its bodies");
  }

  @Override
  default long workspaceBytes(KernelSignature signature) {
    return bytes();
  }

  @Override
  default boolean servesSmallerCalls() {
    return false;
  }

  /** The bytes that a body needs for itself. */
  private static long bytes(MemoryPlan plan) {
    return plan.pools().stream().mapToLong(pool -> aligned(pool.bytes())).sum();
  }

  /** The next multiple of the buffers' alignment. */
  static long aligned(long bytes) {
    return Math.ceilDiv(bytes, GraphPlanning.BUFFER_ALIGNMENT) * GraphPlanning.BUFFER_ALIGNMENT;
  }

  /** The kernel of an {@code If}, whose branches use the same memory. */
  record Branch(List<CompiledGraph> bodies, int firstConstant) implements ControlKernel {
    public Branch {
      bodies = List.copyOf(bodies);
    }

    @Override
    public long bytes() {
      return bodies.stream().mapToLong(body -> ControlKernel.bytes(body.plan())).max().orElse(0);
    }
  }

  /**
   * The kernel of a {@code Loop} or {@code Scan}, with one plan of the body for all trips.
   *
   * @param kind carried, scanned and stacked values
   * @param parameters the types of the body's parameters
   * @param trips the number of trips, where it is the same for every run
   */
  record Repeat(CompiledGraph body, NodeKind.Repeat kind, List<TensorType> parameters, int firstConstant,
    OptionalLong trips) implements ControlKernel {
    public Repeat {
      parameters = List.copyOf(parameters);
    }

    @Override
    public List<CompiledGraph> bodies() {
      return List.of(body);
    }

    /**
     * The bytes of the workspace: of the body itself, then of a second place for each carried value and of one place
     * for each slice.
     */
    @Override
    public long bytes() {
      long bytes = bodyBytes() + 2 * aligned(Long.BYTES) + aligned(1);
      for (int i = 2; i < kind.firstCapture(); i++) {
        bytes += aligned(parameters.get(i).bytes());
      }
      for (int i = 1 + kind.carried(); i < body.graph().graph().outputs().size(); i++) {
        bytes += aligned(sliceType(i).bytes());
      }
      return bytes;
    }

    /** The bytes of the body's own plan. */
    public long bodyBytes() {
      return ControlKernel.bytes(body.plan());
    }

    /** The bytes of all carried values, once. */
    public long carriedBytes() {
      return parameters.subList(2, 2 + kind.carried()).stream().mapToLong(TensorType::bytes).sum();
    }

    /** Whether no trip ends the loop: the body returns the condition that it was given, or one that always holds. */
    public boolean goesOnAlways() {
      Graph graph = body.graph().graph();
      NodeEntry condition = graph.outputs().get(0).entry();
      return condition.equals(graph.inputs().get(1).entry()) || body.types().value(condition).filter(value -> value
        .longAt(0) != 0).isPresent();
    }

    /** Whether slices are of a type whose elements are smaller than a byte. */
    public boolean hasPackedSlices() {
      boolean packed = false;
      for (int i = 2 + kind.carried(); i < kind.firstCapture(); i++) {
        packed |= parameters.get(i).dtype().isPacked();
      }
      for (int i = 1 + kind.carried(); i < body.graph().graph().outputs().size(); i++) {
        packed |= sliceType(i).dtype().isPacked();
      }
      return packed;
    }

    /** The type of a result of the body. */
    public TensorType sliceType(int output) {
      return body.types().type(body.graph().graph().outputs().get(output).entry());
    }
  }
}
