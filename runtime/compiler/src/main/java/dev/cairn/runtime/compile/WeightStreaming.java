package dev.cairn.runtime.compile;

import dev.cairn.allocator.Alignment;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.analysis.ConcurrentPlanValidator;
import dev.cairn.runtime.memory.analysis.HostCopies;
import dev.cairn.runtime.memory.analysis.Place;
import dev.cairn.runtime.memory.analysis.StepUses;
import dev.cairn.runtime.memory.analysis.Storage;
import dev.cairn.runtime.memory.analysis.StreamAnalysis;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.memory.analysis.recompute.RecomputeRewrite;
import dev.cairn.runtime.memory.analysis.recompute.StepCosts;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.stream.StreamAnswer;
import dev.cairn.runtime.memory.recompute.stream.StreamPlanner;
import dev.cairn.runtime.memory.recompute.stream.StreamProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Makes a compiled graph fit a limit that its weights exceed: some constants stay in the host's memory or, on the
 * processor, in the model's mapped file. Each run copies them into the plan, ahead of the steps that read them. The
 * plan has the slots as buffers, and the copies as steps on a stream of their own:
 *
 * <pre>
 * w = constant                     w = constant, not on the device
 * a = MatMul(x, v)                 c = LoadConstant(w)     beside the steps before b
 * b = MatMul(a, w)          →      a = MatMul(x, v)
 *                                  b = MatMul(a, c)
 * </pre>
 */
final class WeightStreaming {
  /** Smaller constants stay: to copy them takes longer than their bytes are worth. */
  static final long LEAST_BYTES = 64 << 10;
  private static final int ATTEMPTS = 6;

  private final Recomputation compiling;
  private final CompiledGraph once;
  /** For each constant that may be streamed, the steps that read it, ascending. */
  private final Map<Node, List<Integer>> readers;

  /** @param compiling has a graph that needs more than its limit */
  WeightStreaming(Recomputation compiling) {
    this.compiling = compiling;
    this.once = compiling.once();
    this.readers = readers();
  }

  /**
   * The least memory of the model, whichever steps run again and whichever constants are streamed: the bytes beside the
   * plan, and the needs of one step.
   *
   * @param floorBytes what one step needs without such constants
   */
  long leastBytes(long floorBytes) {
    return readers.isEmpty()
      ? MemoryNeed.of(once, compiling.isHost()).leastBytes(floorBytes)
      : MemoryNeed.chunk(besidesBytes() + Math.max(problem(0).leastBytes(), floorBytes));
  }

  /** The bytes that the model needs beside the plan and the constants that may be streamed. */
  private long besidesBytes() {
    MemoryNeed need = MemoryNeed.of(once, compiling.isHost());
    return need.variableBytes() + need.inputBytes() + need.resultBytes() + MemoryNeed.placedBytes(once, it -> !readers
      .containsKey(it));
  }

  /** @param refused the graph as compiled without streaming, which is the answer where none fits the limit */
  CompiledGraph applied(CompiledGraph refused, long limitBytes) {
    if (readers.isEmpty()) {
      return refused;
    }
    long leastBytes = refused.recomputed().orElseThrow().leastBytes();
    long capacity = limitBytes - besidesBytes();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      StreamAnswer answer = StreamPlanner.plan(problem(capacity));
      if (answer.peakBytes() > capacity) {
        break;
      }
      CompiledGraph made = streamed(answer, leastBytes);
      long excess = MemoryNeed.of(made, compiling.isHost()).totalBytes() - limitBytes;
      if (excess <= 0) {
        return made;
      }
      capacity -= excess * (attempt + 1);
    }
    CompiledGraph least = streamed(StreamPlanner.least(problem(0)), leastBytes);
    Streamed facts = least.streamed().orElseThrow();
    return facts.neededBytes() <= limitBytes ? least : refused.with(refused.recomputed(), Optional.of(facts.refused()));
  }

  private long bytes(Node constant) {
    return once.types().type(constant.entry()).bytes();
  }

  private long slotBytes(Node constant) {
    return Alignment.up(bytes(constant), GraphPlanning.BUFFER_ALIGNMENT);
  }

  private Map<Node, List<Integer>> readers() {
    Storage storage = once.storage();
    Map<Node, List<Integer>> found = new LinkedHashMap<>();
    Set<Node> fixed = new HashSet<>();
    once.graph().graph().outputs().forEach(it -> constant(it.entry()).ifPresent(fixed::add));
    for (int step = 0; step < storage.steps().size(); step++) {
      Node node = storage.steps().get(step);
      for (int input = 0; input < node.operands().size(); input++) {
        int reader = step;
        Optional<Node> read = constant(node.operands().get(input));
        if (read.isPresent() && isCopiedFor(step, input) && hasSource(read.get())) {
          List<Integer> known = found.computeIfAbsent(read.get(), _ -> new ArrayList<>());
          if (known.isEmpty() || known.getLast() != reader) {
            known.add(reader);
          }
        } else {
          read.ifPresent(fixed::add);
        }
      }
    }
    Set<Node> steps = Set.copyOf(storage.steps());
    once.graph().graph().nodes().stream().filter(it -> !steps.contains(it)).forEach(it -> it.inputs().stream().skip(1)
      .forEach(entry -> constant(entry).ifPresent(fixed::add)));
    Set<ConstantSource> shared = shared();
    found.keySet().removeIf(it -> fixed.contains(it) || bytes(it) < LEAST_BYTES || once.types().type(it.entry())
      .dtype() == DType.STRING || shared.contains(it.constant().orElseThrow()));
    return found;
  }

  /** The sources of more than one constant: such constants are stored once, so that to stream one spares nothing. */
  private Set<ConstantSource> shared() {
    Set<ConstantSource> met = new HashSet<>();
    return once.storage().constants().stream().flatMap(it -> it.constant().stream()).filter(it -> !met.add(it)).collect(
      Collectors.toSet());
  }

  /** Whether a step can read the operand from a slot. */
  private boolean isCopiedFor(int step, int input) {
    return once.storage().steps().get(step).kind() instanceof NodeKind.Apply && !once.kernels().get(step).kernel()
      .readsOnHost(input);
  }

  /** Whether a step can make the constant. For a GPU it always can: it copies the finished constant. */
  private boolean hasSource(Node constant) {
    return !compiling.isHost() || LoadKernel.isInFile(constant.constant().orElseThrow());
  }

  private KernelRow row(Node constant) {
    return compiling.isHost() ? new LoadKernel(constant.constant().orElseThrow()).row() : CopyKernel.LOAD.row();
  }

  /** The constant whose bytes an entry is. */
  private Optional<Node> constant(NodeEntry entry) {
    return !entry.isAbsent() && once.storage().places().get(once.graph().entryId(
      entry)) instanceof Place.Constant(int index)
        ? Optional.of(once.storage().constants().get(index))
        : Optional.empty();
  }

  private StreamProblem problem(long capacityBytes) {
    MemoryProblem memory = once.storage().problem();
    int size = once.storage().steps().size();
    long[] live = new long[size];
    List<List<Lifetime>> active = memory.active();
    for (int buffer = 0; buffer < memory.size(); buffer++) {
      for (Lifetime life : active.get(buffer)) {
        for (int step = life.first(); step < Math.min(life.end(), size); step++) {
          live[step] += memory.buffer(buffer).reservedBytes();
        }
      }
    }
    StepCosts costs = compiling.costs();
    List<StreamProblem.Step> steps = new ArrayList<>();
    for (int step = 0; step < size; step++) {
      steps.add(new StreamProblem.Step(costs.applyAsLong(once.storage().steps().get(step)), live[step]));
    }
    List<StreamProblem.Weight> weights = new ArrayList<>();
    readers.forEach((constant, read) -> weights.add(new StreamProblem.Weight(slotBytes(constant), read)));
    return new StreamProblem(steps, weights, workPerByte(), capacityBytes);
  }

  /** The work of steps that takes as long as copying a byte. */
  private double workPerByte() {
    StepCosts costs = compiling.costs();
    return compiling.isHost()
      ? costs.perByteOnProcessor()
      : costs.perByte(compiling.options().recompute().linkBytesPerSecond());
  }

  /** How much longer a run takes, as a part of its work. Copies on the processor take time from the steps. */
  private double stalled(StreamAnswer answer) {
    double copies = workPerByte() * answer.copiedBytes() / Math.max(1, answer.work());
    return compiling.isHost() ? Math.max(answer.stalled(), copies) : answer.stalled();
  }

  private CompiledGraph streamed(StreamAnswer answer, long leastBytes) {
    List<Node> constants = List.copyOf(readers.keySet());
    Set<Node> chosen = new HashSet<>();
    answer.copies().forEach(copy -> chosen.add(constants.get(copy.weight())));
    var loads = new Loads(once, chosen);
    RecomputeRewrite.Rewritten rewritten = loads.applied(answer, constants);
    Map<Node, KernelRow> rows = new HashMap<>(compiling.kernels());
    chosen.forEach(it -> rows.put(it, row(it)));
    Carried carried = Carried.of(once, rows).to(rewritten.graph(), it -> loads.original(rewritten.original(it)));
    compiling.requireEqual(rewritten.graph(), carried, it -> loads.original(rewritten.original(it)));
    GraphPlanning.Laid laid = carried.planning(compiling.operators(), compiling.tight(), compiling
      .isHost())
      .inOrder(rewritten.graph());
    Storage storage = laid.storage();
    int[] streamOf = storage.steps().stream().mapToInt(it -> HostCopies.isLoad(it) ? 1 : 0).toArray();
    StreamSchedule schedule = StreamAnalysis.within(StepUses.of(laid.graph(), storage), streamOf, storage.problem(),
      laid
        .plan());
    ConcurrentPlanValidator.requireValid(storage.problem(), laid.plan(), schedule);
    CompiledGraph made = carried.compiled(new GraphPlanning.Laid(laid.graph(), storage, schedule, laid.plan(), laid
      .planNanos(), false), "stream", Optional.empty(), Optional.empty());
    MemoryNeed need = MemoryNeed.of(made, compiling.isHost());
    return made.with(Optional.empty(),
      Optional.of(new Streamed(true, compiling.isHost(), chosen.size(), chosen.stream().mapToLong(
        this::bytes).sum(), answer.copies().size(), answer.copiedBytes(), need.weightBytes(), stalled(answer), need
          .totalBytes(),
        leastBytes)));
  }

  /** The graph in which steps read copies of the chosen constants. */
  private static final class Loads {
    private final CompiledGraph once;
    private final Map<String, Node> originals = new HashMap<>();
    private final Map<Node, Node> loads = new HashMap<>();
    private final Map<String, Node> moved = new HashMap<>();
    private final Graph graph;

    Loads(CompiledGraph once, Set<Node> chosen) {
      this.once = once;
      Graph before = once.graph().graph();
      NodeNames names = NodeNames.of(before);
      before.nodes().forEach(it -> originals.put(it.name(), it));
      this.graph = GraphRewriter.rewrite(before, (old, current) -> {
        if (!chosen.contains(old)) {
          return current.entries();
        }
        Node load = Node.apply(names.unique(old.name() + "/load"), HostCopies.LOAD, Attributes.NONE, List.of(old
          .entry()));
        loads.put(old, load);
        originals.put(load.name(), old);
        return load.entries();
      });
      graph.nodes().forEach(it -> moved.put(it.name(), it));
    }

    /** The node of the original graph that a node stands for; for a copy, the constant. */
    Node original(Node node) {
      return originals.getOrDefault(node.name(), node);
    }

    private Node now(Node node) {
      return moved.getOrDefault(node.name(), node);
    }

    /** The graph in the order in which it runs, with a node for each copy. */
    RecomputeRewrite.Rewritten applied(StreamAnswer answer, List<Node> constants) {
      Map<Integer, List<StreamAnswer.Copy>> copies = new TreeMap<>();
      answer.copies().forEach(it -> copies.computeIfAbsent(it.before(), _ -> new ArrayList<>()).add(it));
      List<Node> steps = new ArrayList<>(once.storage().steps().stream().map(this::now).toList());
      Map<Node, Integer> numbers = new HashMap<>();
      List<Integer> word = new ArrayList<>();
      for (int step = 0; step < once.storage().steps().size(); step++) {
        for (StreamAnswer.Copy copy : copies.getOrDefault(step, List.of())) {
          word.add(numbers.computeIfAbsent(constants.get(copy.weight()), constant -> {
            steps.add(loads.get(constant));
            return steps.size() - 1;
          }));
        }
        word.add(step);
      }
      return RecomputeRewrite.applied(graph, steps,
        once.storage().variables().direct().stream().map(this::now).toList(),
        Word.of(word.stream().mapToInt(Integer::intValue).toArray()));
    }
  }
}
