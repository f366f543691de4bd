package dev.cairn.runtime.operator;

import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Operators on sequences, optionals and maps. Their values are no tensors, so they have neither types nor kernels: a
 * graph that still has one when it is compiled runs node by node.
 */
public final class ContainerOperators {
  private static final Map<String, OperatorDefinition> ROWS = Stream.of( //
    row("CastMap", 1, 1).ofDomain(OnnxFacts.CLASSIC), //
    row("ConcatFromSequence", 1, 1), //
    row("DictVectorizer", 1, 1).ofDomain(OnnxFacts.CLASSIC), //
    row("Optional", 0, 1), //
    row("OptionalGetElement", 1, 1), //
    row("OptionalHasElement", 0, 1), //
    row("SequenceAt", 2, 2), //
    row("SequenceConstruct", 1, OperatorDefinition.ANY_NUMBER), //
    row("SequenceEmpty", 0, 0).withTypes("dtype"), //
    row("SequenceErase", 1, 2), //
    row("SequenceInsert", 2, 3), //
    row("SequenceLength", 1, 1), //
    row("SplitToSequence", 1, 2), //
    row("ZipMap", 1, 1).ofDomain(OnnxFacts.CLASSIC)).collect(
      Collectors.toMap(OperatorDefinition::name, row -> row, (a, _) -> a,
        TreeMap::new));

  private ContainerOperators() {}

  private static OperatorDefinition row(String name, int least, int most) {
    return new OperatorDefinition(name, least, most, context -> {
      throw context.outsidePlans("a sequence, an optional or a map lies outside every plan");
    }, MemoryTraits.NONE);
  }

  /** The row of an operator on containers, whose type rule always refuses a plan. */
  public static Optional<OperatorDefinition> find(String name) {
    return Optional.ofNullable(ROWS.get(name));
  }

  public static SortedSet<String> names() {
    return new TreeSet<>(ROWS.keySet());
  }
}
