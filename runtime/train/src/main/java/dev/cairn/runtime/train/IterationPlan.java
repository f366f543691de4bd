package dev.cairn.runtime.train;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.FitVerdict;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The memory of one iteration, known before the first.
 *
 * @param compiled the iteration as it runs
 * @param need what it takes in all
 * @param parameterBytes the model's parameters and its own states, trained or not
 * @param stateBytes the optimizer's states, sums of gradients and kept gradients
 * @param gradientBytes the most bytes of gradients, and of what they are computed from behind the loss, at once
 * @param activationBytes the most bytes of results of the forward pass at once
 */
public record IterationPlan(CompiledGraph compiled, MemoryNeed need, long parameterBytes, long stateBytes,
  long gradientBytes, long activationBytes) {

  static IterationPlan of(CompiledGraph compiled, IterationGraph iteration, boolean isHost) {
    long parameters = 0;
    long states = 0;
    Set<String> ofModel = new HashSet<>(iteration.parameters());
    for (Node variable : iteration.graph().variables()) {
      long bytes = compiled.types().type(variable.entry()).bytes();
      parameters += ofModel.contains(variable.name()) ? bytes : 0;
      states += ofModel.contains(variable.name()) ? 0 : bytes;
    }
    PhaseBytes phases = PhaseBytes.of(compiled);
    return new IterationPlan(compiled, MemoryNeed.of(compiled, isHost), parameters, states, phases.gradientBytes(),
      phases.activationBytes());
  }

  /** The bytes of the plan: what all steps share. */
  public long peakBytes() {
    return compiled.score().peakBytes();
  }

  /** The least that any plan of these steps takes. */
  public long boundBytes() {
    return compiled.score().boundBytes();
  }

  /** The bytes of the steps if every result had memory of its own, and no step ran in place. */
  public long unsharedBytes() {
    return compiled.storage().separateBytes();
  }

  /** All that an iteration takes on its device: plan, parameters, states, constants and results. */
  public long totalBytes() {
    return need.totalBytes();
  }

  /** Whether an iteration fits a limit, and what is missing. */
  public FitVerdict fits(long limitBytes) {
    return need.verdict(compiled, OptionalLong.of(limitBytes), List.of());
  }

  /** {@code 5.1 MiB: parameters 1.2 MiB, states 2.4 MiB, plan 1.5 MiB (bound 1.5 MiB, unshared 6.0 MiB)}. */
  @Override
  public String toString() {
    return "%s: parameters %s, states %s, plan %s (bound %s, unshared %s)".formatted(StatsText.bytes(totalBytes()),
      StatsText.bytes(parameterBytes), StatsText.bytes(stateBytes), StatsText.bytes(peakBytes()), StatsText.bytes(
        boundBytes()),
      StatsText.bytes(unsharedBytes()));
  }
}
