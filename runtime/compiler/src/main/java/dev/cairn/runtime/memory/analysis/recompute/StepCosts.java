package dev.cairn.runtime.memory.analysis.recompute;

import dev.cairn.runtime.graph.Node;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The costs of the steps of a graph: counted work or, where a step's time was measured, that time in the same unit. The
 * unit of a nanosecond is the median, over the measured steps, of work by time. Costs only rank choices; results never
 * depend on them.
 */
public final class StepCosts implements ToLongFunction<Node> {
  /** The bytes of its own memory that a GPU moves in a second; the work of its steps is counted by them. */
  private static final double GPU_BYTES_PER_SECOND = 1.536e12;
  private static final double NANOS_PER_SECOND = 1e9;

  private final StepWork work;
  private final Map<String, Long> nanos;
  /** 0 where nothing was measured. */
  private final double workPerNano;

  /**
   * The costs of these steps.
   *
   * @param nanos times by name of the step, as far as they were measured
   */
  public StepCosts(StepWork work, Map<String, Long> nanos, List<Node> steps) {
    this.work = work;
    this.nanos = Map.copyOf(nanos);
    double[] ratios = steps.stream().filter(it -> nanosOf(it) > 0).mapToDouble(it -> (double) work.cost(it) / nanosOf(
      it)).sorted().toArray();
    this.workPerNano = ratios.length == 0 ? 0 : ratios[ratios.length / 2];
  }

  private long nanosOf(Node step) {
    return nanos.getOrDefault(step.name(), 0L);
  }

  /** The cost of one run of a step. */
  @Override
  public long applyAsLong(Node step) {
    long measured = nanosOf(step);
    return measured > 0 ? Math.max(1, Math.round(measured * workPerNano)) : work.cost(step);
  }

  /** The cost of steps that run while the processor copies a byte, which it reads and writes. */
  public double perByteOnProcessor() {
    return 2.0 * StepWork.OF_PROCESSOR;
  }

  /** The cost of steps that run while a GPU copies a byte from or to the host. */
  public double perByte(long linkBytesPerSecond) {
    return workPerNano > 0
      ? workPerNano * NANOS_PER_SECOND / linkBytesPerSecond
      : StepWork.OF_GPU * GPU_BYTES_PER_SECOND / linkBytesPerSecond;
  }
}
