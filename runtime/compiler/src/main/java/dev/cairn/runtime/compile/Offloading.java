package dev.cairn.runtime.compile;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.Recomputation.Start;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.analysis.ConcurrentPlanValidator;
import dev.cairn.runtime.memory.analysis.HostCopies;
import dev.cairn.runtime.memory.analysis.StepOrder;
import dev.cairn.runtime.memory.analysis.StepUses;
import dev.cairn.runtime.memory.analysis.Storage;
import dev.cairn.runtime.memory.analysis.StreamAnalysis;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.memory.analysis.recompute.RecomputeHints;
import dev.cairn.runtime.memory.analysis.recompute.RecomputeRewrite;
import dev.cairn.runtime.memory.analysis.recompute.UpstreamWords;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.offload.OffloadAnswer;
import dev.cairn.runtime.memory.recompute.offload.OffloadHints;
import dev.cairn.runtime.memory.recompute.offload.OffloadMove;
import dev.cairn.runtime.memory.recompute.offload.OffloadPlanner;
import dev.cairn.runtime.memory.recompute.search.RecomputePlanner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Makes a compiled graph fit a limit on a GPU: results that wait long for their next reader are copied to the host's
 * memory, and back before it. Copies in each direction have a stream of their own:
 *
 * <pre>
 * a = Conv(x, w)                   a = Conv(x, w)
 * b = …                            h = CopyToHost(a)      beside the steps after a
 *   ⋮                       →        ⋮
 *                                  d = CopyToDevice(h)    beside the steps before z
 * z = ConvWeightGradient(a, y)     z = ConvWeightGradient(d, y)
 * </pre>
 */
final class Offloading {
  private static final int ATTEMPTS = 6;
  /** The parts of the missing bytes that recomputations save, one tried after the other; copies save the rest. */
  private static final double[] SHARES = {0, 0.5, 0.75};

  private final Recomputation compiling;
  private final CompiledGraph once;
  private final Start start;
  private final OffloadHints hints;

  Offloading(Recomputation compiling, Start start) {
    this.compiling = compiling;
    this.once = compiling.once();
    this.start = start;
    this.hints = RecomputeHints.offload(start.graph(), start.storage(), start.problem(), compiling.operators());
  }

  /** Whether hints ask for copies: a result that no step waits for is not copied. */
  boolean isAsked() {
    return !offload(start.problem().givenOrder(), Long.MAX_VALUE).moves().isEmpty();
  }

  /** A word, and which of its values wait in the host's memory. */
  private record Chosen(Word word, OffloadAnswer offload) {}

  /**
   * A graph whose plan keeps to the budget with copies, if one was found that takes less time than another answer.
   *
   * @param mostWork the predicted time of the other answer
   */
  Optional<CompiledGraph> within(long budgetBytes, double mostWork) {
    List<Chosen> found = new ArrayList<>();
    for (Word word : words(budgetBytes)) {
      OffloadAnswer answer = offload(word, budgetBytes);
      if (answer.peakBytes() <= budgetBytes && answer.takenWork() < mostWork && !answer.moves().isEmpty()) {
        found.add(new Chosen(word, answer));
      }
    }
    found.sort(Comparator.comparingDouble(it -> it.offload.takenWork()));
    return found.stream().flatMap(it -> fitted(it, budgetBytes, mostWork).stream()).findFirst();
  }

  /** The graph with the copies of TensorFlow's swapping pass; empty if its plan exceeds the budget. */
  Optional<CompiledGraph> asTensorFlow(UpstreamWords upstream, long budgetBytes) {
    RecomputeOptions recompute = compiling.options().recompute();
    boolean recomputes = recompute.mode() == RecomputeMode.TF && recompute.offload() != OffloadChoice.ONLY;
    long capacity = budgetBytes;
    for (int attempt = 0; attempt < ATTEMPTS && capacity > 0; attempt++) {
      UpstreamWords.Swapped swapped = upstream.tensorflowSwaps(recomputes, capacity, workPerByte());
      List<OffloadMove> moves = swapped.moves().stream().filter(it -> !hints.never().get(it.value())).toList();
      if (moves.isEmpty()) {
        return Optional.empty();
      }
      CompiledGraph made = rewritten(
        new Chosen(swapped.word(), OffloadPlanner.judged(start.problem(), swapped.word(), moves,
          workPerByte())),
        budgetBytes);
      long excess = MemoryNeed.planBytes(made.plan()) - budgetBytes;
      if (excess <= 0) {
        return Optional.of(made);
      }
      capacity -= excess * (attempt + 1);
    }
    return Optional.empty();
  }

  /** The work that steps do while a byte is copied. */
  private double workPerByte() {
    return compiling.costs().perByte(compiling.options().recompute().linkBytesPerSecond());
  }

  private List<Word> words(long budgetBytes) {
    Word given = start.problem().givenOrder();
    long peak = WordJudge.peak(start.problem(), given);
    List<Word> words = new ArrayList<>();
    for (double share : SHARES) {
      if (share == 0) {
        words.add(given);
      } else if (compiling.options().recompute().offload() != OffloadChoice.ONLY && peak > budgetBytes) {
        RecomputeAnswer answer = RecomputePlanner.plan(start.problem(), peak - (long) ((peak - budgetBytes) * share),
          compiling
            .options().recompute().searchWork() / 4);
        if (answer.fits()) {
          words.add(answer.word());
        }
      }
    }
    return words;
  }

  private OffloadAnswer offload(Word word, long capacityBytes) {
    return OffloadPlanner.plan(start.problem(), word, capacityBytes, OffloadPlanner.LEAST_BYTES, workPerByte(),
      hints);
  }

  private Optional<CompiledGraph> fitted(Chosen chosen, long budgetBytes, double mostWork) {
    long capacity = budgetBytes;
    OffloadAnswer answer = chosen.offload;
    for (int attempt = 0; attempt < ATTEMPTS && answer.peakBytes() <= capacity && answer
      .takenWork() < mostWork; attempt++) {
      CompiledGraph made = rewritten(new Chosen(chosen.word, answer), budgetBytes);
      long excess = MemoryNeed.planBytes(made.plan()) - budgetBytes;
      if (excess <= 0) {
        return Optional.of(made);
      }
      capacity -= excess * (attempt + 1);
      answer = offload(chosen.word, capacity);
    }
    return Optional.empty();
  }

  private CompiledGraph rewritten(Chosen chosen, long budgetBytes) {
    var copies = new Copies(start, chosen.offload.moves());
    RecomputeRewrite.Rewritten rewritten = RecomputeRewrite.applied(start.graph().graph(), copies.steps, start.storage()
      .variables().direct(), copies.applied(chosen.word), copies.standsFor);
    Map<Node, KernelRow> rows = new HashMap<>(compiling.kernels());
    Map<NodeEntry, TensorType> types = new HashMap<>();
    copies.sources.forEach((copy, source) -> {
      rows.put(copy, (HostCopies.isOut(copy) ? CopyKernel.OUT : CopyKernel.IN).row());
      types.put(copy.entry(), once.types().type(source));
    });
    Carried carried = new Carried(once, rows, once.types().with(types)).to(rewritten.graph(), rewritten::original);
    UnaryOperator<Node> meant = it -> {
      NodeEntry source = copies.sources.get(rewritten.original(it));
      return source == null ? rewritten.original(it) : source.node();
    };
    compiling.requireEqual(rewritten.graph(), carried, meant);
    GraphPlanning.Laid laid = carried.planning(compiling.operators(), compiling.tight(), false).inOrder(rewritten
      .graph());
    Storage storage = laid.storage();
    StreamSchedule schedule = StreamAnalysis.within(StepUses.of(laid.graph(), storage), lanes(storage.steps()), storage
      .problem(), laid.plan());
    ConcurrentPlanValidator.requireValid(storage.problem(), laid.plan(), schedule);
    List<String> recomputations = storage.steps().stream()
      .filter(it -> !copies.sources.containsKey(rewritten.original(it))
        && !it.name().equals(rewritten.original(it).name()))
      .map(Node::name).toList();
    return carried.compiled(new GraphPlanning.Laid(laid.graph(), storage, schedule, laid.plan(), laid.planNanos(),
      false), "offload", recomputed(chosen, budgetBytes, laid, recomputations), Optional.empty())
      .with(offloaded(chosen.offload,
        laid));
  }

  /** Copies out on the second stream, copies in on the third. */
  private static int[] lanes(List<Node> steps) {
    return steps.stream().mapToInt(it -> HostCopies.isOut(it) ? 1 : HostCopies.isIn(it) ? 2 : 0).toArray();
  }

  private Offloaded offloaded(OffloadAnswer answer, GraphPlanning.Laid laid) {
    long host = laid.plan().pools().stream().filter(it -> it.device() == HostCopies.HOST).mapToLong(Pool::bytes).sum();
    return new Offloaded(answer.moves().size(), answer.copiedBytes(), host, MemoryNeed.planBytes(laid.plan()),
      MemoryNeed.planBytes(once.plan()), (answer.takenWork() - answer.work()) / Math.max(1, answer.work()), answer
        .hidden());
  }

  /** The recomputations beside the copies; with copies, no bound is known. */
  private Optional<Recomputed> recomputed(Chosen chosen, long budgetBytes, GraphPlanning.Laid laid,
    List<String> recomputations) {
    RecomputeAnswer answer = RecomputeAnswer.of(start.problem(), chosen.word, chosen.offload.peakBytes(), budgetBytes);
    return recomputations.isEmpty() && compiling.hinted().isEmpty()
      ? Optional.empty()
      : Optional.of(compiling.facts(start, answer, true, budgetBytes, MemoryNeed.planBytes(laid.plan()),
        recomputations));
  }

  /** The steps of a graph, and two more for each value that moves. */
  private static final class Copies {
    private final List<Node> steps;
    private final List<OffloadMove> moves;
    private final int first;
    /** For each copy, the entry that it copies. */
    private final Map<Node, NodeEntry> sources = new HashMap<>();
    /** For each copy in, the entry that its result stands for. */
    private final Map<Node, NodeEntry> standsFor = new HashMap<>();

    Copies(Start start, List<OffloadMove> moves) {
      this.moves = moves;
      this.steps = new ArrayList<>(start.storage().steps());
      this.first = steps.size();
      Graph graph = start.graph().graph();
      NodeNames names = NodeNames.of(graph);
      List<NodeEntry> values = new StepOrder(start.graph(), start.storage()).values();
      for (OffloadMove move : moves) {
        NodeEntry value = values.get(move.value());
        Node out = Node.apply(names.unique(value.node().name() + "/out"), HostCopies.OUT, Attributes.NONE, List.of(
          value));
        Node in = Node.apply(names.unique(value.node().name() + "/in"), HostCopies.IN, Attributes.NONE, List.of(out
          .entry()));
        steps.add(out);
        steps.add(in);
        sources.put(out, value);
        sources.put(in, value);
        standsFor.put(in, value);
      }
    }

    /** The word with a number for each copy. */
    Word applied(Word word) {
      List<List<Integer>> before = new ArrayList<>();
      for (int step = 0; step < word.length(); step++) {
        before.add(new ArrayList<>());
      }
      for (int move : ordered(Comparator.comparingInt(OffloadMove::from))) {
        before.get(moves.get(move).out()).add(first + 2 * move);
      }
      for (int move : ordered(Comparator.comparingInt(OffloadMove::to))) {
        before.get(moves.get(move).in()).add(first + 2 * move + 1);
      }
      List<Integer> all = new ArrayList<>();
      for (int step = 0; step < word.length(); step++) {
        all.addAll(before.get(step));
        all.add(word.node(step));
      }
      return Word.of(all.stream().mapToInt(Integer::intValue).toArray());
    }

    private List<Integer> ordered(Comparator<OffloadMove> order) {
      return IntStream.range(0, moves.size()).boxed().sorted(Comparator.comparing(moves::get, order)).toList();
    }
  }
}
