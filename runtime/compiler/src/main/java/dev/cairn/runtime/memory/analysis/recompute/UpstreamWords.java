package dev.cairn.runtime.memory.analysis.recompute;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.chen.ChenWords;
import dev.cairn.runtime.memory.recompute.grappler.GrapplerProblem;
import dev.cairn.runtime.memory.recompute.grappler.GrapplerSwap;
import dev.cairn.runtime.memory.recompute.grappler.GrapplerWord;
import dev.cairn.runtime.memory.recompute.mincut.JointGraph;
import dev.cairn.runtime.memory.recompute.mincut.JointGraph.JointNode;
import dev.cairn.runtime.memory.recompute.mincut.JointGraph.Trait;
import dev.cairn.runtime.memory.recompute.mincut.MincutPartition;
import dev.cairn.runtime.memory.recompute.mirror.MirroredNodes;
import dev.cairn.runtime.memory.recompute.offload.OffloadMove;
import dev.cairn.runtime.memory.recompute.revolve.RevolveWord;
import dev.cairn.runtime.operator.OperatorFacts;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.OperatorTrait;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The words that the rules of other systems choose for a problem, to compare with Cairn's search: TensorFlow's memory
 * optimizer, PyTorch's compiler, MXNet's mirroring, and checkpoints by Chen's rules and Revolve. All know forward from
 * backward; here a step whose name has {@code /gradient} is backward.
 *
 * @param steps the nodes of the problem
 * @param operators of the steps
 */
public record UpstreamWords(RecomputeProblem problem, List<Node> steps, OperatorTable operators) {
  private static final String GRADIENT = "/gradient";

  /** Keeps a copy. */
  public UpstreamWords {
    steps = List.copyOf(steps);
  }

  /** The word of TensorFlow's recompute pass, which may have no recomputations. */
  public List<Word> tensorflow() {
    return List.of(grappler().recomputed().word());
  }

  /**
   * The sums that TensorFlow's scheduling pass adds up one addend at a time.
   *
   * @param recomputes whether the recompute pass comes before
   * @param limitBytes of the device
   * @param isKnown whether a step's result can be accumulated with the same bits
   */
  public List<Node> tensorflowSums(boolean recomputes, long limitBytes, Predicate<Node> isKnown) {
    GrapplerProblem grappler = grappler();
    GrapplerWord word = recomputes ? grappler.recomputed() : grappler.given();
    return grappler.sums(word, limitBytes, 1, it -> isKnown.test(steps.get(it))).stream().sorted().map(
      steps::get).toList();
  }

  /**
   * The values that TensorFlow's swapping pass copies to the host and back.
   *
   * @param word the steps as they run
   * @param moves of that word
   */
  public record Swapped(Word word, List<OffloadMove> moves) {}

  /**
   * The result of TensorFlow's swapping pass over the steps.
   *
   * @param recomputes whether the recompute pass comes before
   * @param limitBytes of the device
   * @param workPerByte the work that steps do while a byte is copied; TensorFlow copies 16 bytes in a nanosecond
   */
  public Swapped tensorflowSwaps(boolean recomputes, long limitBytes, double workPerByte) {
    GrapplerProblem grappler = grappler();
    GrapplerWord word = recomputes ? grappler.recomputed() : grappler.given();
    return new Swapped(word.word(), grappler.swaps(word, limitBytes, 1 / (GrapplerSwap.BYTES_PER_NANO * workPerByte)));
  }

  private GrapplerProblem grappler() {
    return new GrapplerProblem(problem, this::nameInTensorflow, this::isBackward);
  }

  private String nameInTensorflow(int node) {
    String operator = steps.get(node).operator();
    String other = operators.facts(operator).tensorflow();
    return other.isEmpty() ? operator : other;
  }

  private boolean isBackward(int node) {
    return steps.get(node).name().contains(GRADIENT);
  }

  /** The words of Chen's rules. */
  public List<Word> chen() {
    return ChenWords.words(problem, border());
  }

  /** The words of Revolve. */
  public List<Word> revolve() {
    return RevolveWord.words(problem, border());
  }

  /** The words of MXNet's mirroring. */
  public List<Word> mirror() {
    var mirrorable = new BitSet();
    int border = border();
    for (int node = 0; node < border; node++) {
      String operator = steps.get(node).operator();
      OperatorFacts facts = operators.facts(operator);
      mirrorable.set(node, !problem.runsOnce(node) && !isHeavy(operator) && !facts.draws() && !facts.has(
        OperatorTrait.UNMIRRORED));
    }
    return MirroredNodes.words(problem, border, mirrorable);
  }

  private boolean isHeavy(String operator) {
    return operator.equals(FusedProduct.OPERATOR) || operators.facts(operator).isHeavy();
  }

  /** The first step of the backward half. */
  private int border() {
    int border = 0;
    while (border < steps.size() && !isBackward(border)) {
      border++;
    }
    return border;
  }

  /** The words of PyTorch's partitioner. */
  public List<Word> mincut() {
    return MincutPartition.words(problem, border(), joint());
  }

  private JointGraph joint() {
    OrderProblem order = problem.order();
    BitSet forward = new BitSet();
    for (int node = steps.size() - 1; node >= 0; node--) {
      boolean isRead = Arrays.stream(order.made(node)).anyMatch(order::isKept);
      if (!isBackward(node) && (isRead || forward.get(node) || order.made(node).length == 0)) {
        forward.set(node);
        Arrays.stream(order.read(node)).map(order::producer).forEach(forward::set);
      }
    }
    List<JointNode> nodes = new ArrayList<>();
    for (int node = 0; node < steps.size(); node++) {
      long bytes = Arrays.stream(order.made(node)).mapToLong(order::bytes).sum();
      List<Integer> inputs = Arrays.stream(order.read(node)).map(order::producer).distinct().boxed().toList();
      nodes.add(new JointNode(steps.get(node).name(), bytes, problem.cost(node), traits(node, forward), inputs));
    }
    return new JointGraph(nodes);
  }

  private Set<Trait> traits(int node, BitSet forward) {
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    String operator = steps.get(node).operator();
    if (isHeavy(operator) || problem.runsOnce(node)) {
      traits.add(Trait.HEAVY);
    } else {
      traits.add(Trait.CHEAP);
    }
    if (isBackward(node)) {
      traits.add(Trait.BACKWARD);
    } else if (!forward.get(node)) {
      traits.add(Trait.AUXILIARY);
    }
    return traits;
  }
}
