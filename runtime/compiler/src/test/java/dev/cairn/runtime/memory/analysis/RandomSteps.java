package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Seeded runs without a graph: steps that read earlier results, some in place, some with two results or scratch memory,
 * two variables that some read or assign, the stream of each, and the memory problem of the serial order.
 */
record RandomSteps(StepUses uses, List<Integer> streamOf, int streams, MemoryProblem problem) {
  static RandomSteps seeded(long seed) {
    RandomGenerator random = new Random(seed);
    int streams = 2 + random.nextInt(3);
    List<StepUses.Step> steps = new ArrayList<>();
    List<Integer> lastUse = new ArrayList<>();
    List<Integer> birth = new ArrayList<>();
    int size = 1 + random.nextInt(40);
    int reach = 1 + random.nextInt(12);
    for (int step = 0; step < size; step++) {
      TreeSet<Integer> reads = new TreeSet<>();
      for (int i = random.nextInt(3); i > 0 && !birth.isEmpty(); i--) {
        reads.add(Math.max(0, birth.size() - 1 - random.nextInt(reach)));
      }
      List<Integer> writes = new ArrayList<>();
      if (!reads.isEmpty() && random.nextInt(4) == 0) {
        writes.add(reads.first());
      }
      for (int i = writes.isEmpty() ? 1 + random.nextInt(2) : 0; i > 0; i--) {
        writes.add(birth.size());
        birth.add(step);
        lastUse.add(step);
      }
      for (int buffer : reads) {
        lastUse.set(buffer, step);
      }
      steps.add(new StepUses.Step(List.copyOf(reads), writes));
    }
    for (int step = 0; step < size; step++) {
      if (random.nextInt(6) == 0) {
        steps.set(step, withVariable(steps.get(step), birth.size() + random.nextInt(2), random.nextInt(3)));
      }
    }
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < birth.size(); i++) {
      Buffer buffer = Buffer.of("b" + i, random.nextInt(200), new Lifetime(birth.get(i), lastUse.get(i) + 1));
      buffers.add(random.nextInt(10) == 0 ? buffer.asOutput() : buffer);
    }
    int[] streamOf = new int[size];
    for (int i = 0; i < size; i++) {
      streamOf[i] = random.nextInt(streams);
    }
    return new RandomSteps(new StepUses(steps), IntStream.of(streamOf).boxed().toList(), streams,
      new MemoryProblem(buffers));
  }

  private static StepUses.Step withVariable(StepUses.Step step, int variable, int how) {
    List<Integer> reads = new ArrayList<>(step.reads());
    List<Integer> writes = new ArrayList<>(step.writes());
    if (how != 0) {
      reads.add(variable);
    }
    if (how != 1) {
      writes.add(variable);
    }
    return new StepUses.Step(reads, writes);
  }

  /** On random streams. */
  StreamSchedule schedule() {
    return StreamAnalysis.schedule(uses, streamOf.stream().mapToInt(it -> it).toArray(), streams);
  }
}
