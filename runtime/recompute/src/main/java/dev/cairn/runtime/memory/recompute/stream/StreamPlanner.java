package dev.cairn.runtime.memory.recompute.stream;

import dev.cairn.runtime.memory.recompute.stream.StreamAnswer.Copy;
import dev.cairn.runtime.memory.recompute.stream.StreamProblem.Step;
import dev.cairn.runtime.memory.recompute.stream.StreamProblem.Weight;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the weights to stream. For a rate of copying, the weights whose copies two slots could hide are streamed, so
 * that copies are spread evenly over the steps' time. Rates from low to high make sets from small to large, up to all
 * weights. Of the choices that fit, the one that takes least time is kept; then weights become resident as long as
 * there is room. Copies begin as early as it takes to hide them, where there is room for their slots. Without a clock
 * and without chance: equal problems have equal answers.
 */
public final class StreamPlanner {
  private static final int SLOWEST = -12;
  private static final int FASTEST = 40;

  private final StreamProblem problem;
  /** All copies that there would be if all weights were streamed, by their first reader. */
  private final List<Copy> all = new ArrayList<>();
  private final double[] begins;

  private StreamPlanner(StreamProblem problem) {
    this.problem = problem;
    this.begins = new double[problem.steps().size() + 1];
    for (int step = 0; step < problem.steps().size(); step++) {
      begins[step + 1] = begins[step] + problem.steps().get(step).work();
    }
    for (int weight = 0; weight < problem.weights().size(); weight++) {
      addCopies(weight);
    }
    all.sort(Comparator.comparingInt(Copy::first).thenComparingInt(Copy::weight));
  }

  /** Readers close to each other share a copy: in the time between them there could be no other. */
  private void addCopies(int index) {
    Weight weight = problem.weights().get(index);
    int first = weight.readers().getFirst();
    int last = first;
    for (int reader : weight.readers()) {
      if (begins[reader] - begins[last] > problem.copyWork(weight.bytes())) {
        all.add(new Copy(index, first, first, last));
        first = reader;
      }
      last = reader;
    }
    all.add(new Copy(index, first, first, last));
  }

  /** The best choice that was found. If its peak is above the capacity, all weights that may be are streamed. */
  public static StreamAnswer plan(StreamProblem problem) {
    return new StreamPlanner(problem).best();
  }

  /** All weights are copied, each right before it is read: what takes least memory. */
  public static StreamAnswer least(StreamProblem problem) {
    var planner = new StreamPlanner(new StreamProblem(problem.steps(), problem.weights(), problem.workPerByte(), 0));
    return planner.placed(planner.every());
  }

  private BitSet every() {
    BitSet every = new BitSet();
    every.set(0, problem.weights().size());
    return every;
  }

  private StreamAnswer best() {
    BitSet every = every();
    BitSet best = every;
    StreamAnswer found = placed(every);
    BitSet last = new BitSet();
    for (int rate = SLOWEST; rate <= FASTEST; rate++) {
      BitSet streamed = streamedAt(Math.pow(2, rate / 2.0));
      StreamAnswer answer = streamed.equals(last) ? found : placed(streamed);
      if (isBetter(answer, found)) {
        found = answer;
        best = streamed;
      }
      last = streamed;
    }
    return filled(best, found);
  }

  private boolean isBetter(StreamAnswer answer, StreamAnswer than) {
    boolean fits = answer.peakBytes() <= problem.capacityBytes();
    if (fits != than.peakBytes() <= problem.capacityBytes()) {
      return fits;
    }
    return fits && (answer.takenWork() < than.takenWork() || (answer.takenWork() == than.takenWork()
      && answer.copiedBytes() < than.copiedBytes()));
  }

  /** The same with more resident weights, while there is room and it takes no longer. */
  private StreamAnswer filled(BitSet streamed, StreamAnswer answer) {
    StreamAnswer found = answer;
    List<Integer> largest = new ArrayList<>(streamed.stream().boxed().toList());
    largest.sort(Comparator.comparingLong(it -> -problem.weights().get(it).bytes()));
    for (int weight : largest) {
      boolean hasRoom = found.residentBytes() + problem.weights().get(weight).bytes() <= problem.capacityBytes();
      BitSet fewer = (BitSet) streamed.clone();
      fewer.clear(weight);
      StreamAnswer tried = hasRoom ? placed(fewer) : found;
      if (isBetter(tried, found)) {
        found = tried;
        streamed.clear(weight);
      }
    }
    return found;
  }

  /** The weights whose copies end in time at a multiple of the link's speed, each into the older of two slots. */
  private BitSet streamedAt(double rate) {
    BitSet streamed = new BitSet();
    BitSet resident = new BitSet();
    double free = 0;
    double older = 0;
    double newer = 0;
    for (Copy copy : all) {
      double end = Math.max(free, older) + copyWork(copy) / rate;
      boolean isHidden = end <= begins[copy.first()];
      if (resident.get(copy.weight()) || (!isHidden && !streamed.get(copy.weight()))) {
        resident.set(copy.weight());
        continue;
      }
      streamed.set(copy.weight());
      free = end;
      older = newer;
      newer = begins[copy.last() + 1];
    }
    return streamed;
  }

  private double copyWork(Copy copy) {
    return problem.copyWork(problem.weights().get(copy.weight()).bytes());
  }

  /** The copies of these weights, each as early as it takes to hide it, where there is room. */
  private StreamAnswer placed(BitSet streamed) {
    List<Copy> copies = all.stream().filter(it -> streamed.get(it.weight())).toList();
    long[] held = problem.steps().stream().mapToLong(Step::liveBytes).toArray();
    long residentBytes = 0;
    for (int weight = streamed.nextClearBit(0); weight < problem.weights().size(); weight = streamed.nextClearBit(
      weight + 1)) {
      residentBytes += problem.weights().get(weight).bytes();
    }
    copies.forEach(copy -> hold(copy, copy.first(), copy.last(), held));
    List<Copy> early = new ArrayList<>();
    int[] free = new int[problem.weights().size()];
    int least = 0;
    for (Copy copy : copies) {
      least = Math.max(least, free[copy.weight()]);
      Copy moved = moved(copy, least, problem.capacityBytes() - residentBytes, held);
      early.add(moved);
      least = moved.before();
      free[copy.weight()] = copy.last() + 1;
    }
    long most = 0;
    for (long bytes : held) {
      most = Math.max(most, bytes);
    }
    long bytes = copies.stream().mapToLong(it -> problem.weights().get(it.weight()).bytes()).sum();
    long work = problem.steps().stream().mapToLong(Step::work).sum();
    return new StreamAnswer(early, residentBytes, residentBytes + most, bytes, work, takenWork(early));
  }

  private void hold(Copy copy, int from, int to, long[] held) {
    for (int step = from; step <= to; step++) {
      held[step] += problem.weights().get(copy.weight()).bytes();
    }
  }

  private Copy moved(Copy copy, int least, long roomBytes, long[] held) {
    long bytes = problem.weights().get(copy.weight()).bytes();
    int before = copy.first();
    while (before > least && begins[copy.first()] - begins[before] < copyWork(copy)
      && held[before - 1] + bytes <= roomBytes) {
      before--;
    }
    hold(copy, before, copy.first() - 1, held);
    return new Copy(copy.weight(), before, copy.first(), copy.last());
  }

  /** How long a run takes: a copy waits for the one before and for a step, a step for what it reads. */
  private double takenWork(List<Copy> copies) {
    double[] arrived = new double[problem.steps().size()];
    double now = 0;
    double free = 0;
    int next = 0;
    for (int step = 0; step < problem.steps().size(); step++) {
      for (; next < copies.size() && copies.get(next).before() <= step; next++) {
        free = Math.max(free, now) + copyWork(copies.get(next));
        arrived[copies.get(next).first()] = free;
      }
      now = Math.max(now, arrived[step]) + problem.steps().get(step).work();
    }
    return now;
  }
}
