package dev.cairn.conformance;

import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.operator.ContainerOperators;
import dev.cairn.runtime.operator.UnsupportedOperators.Gap;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Cairn does not claim, from its own errors. Strict: a reason counts only when it is one of a known few, and
 * where a table of operators, element types or kernels can be asked, when that table bears it out. Any other error is
 * a failure.
 */
final class Gaps {
  private static final Pattern ELEMENT_TYPE = Pattern.compile("(?:cast to )?element type (\\w+)");
  private static final Pattern NO_TENSOR = Pattern.compile("a value that is not a dense tensor: type=(\\w+)");
  private static final Pattern OPSET = Pattern.compile("opset (\\d+)");
  private static final Pattern FORM = Pattern.compile("the form of opset \\d+: Cairn reads it from opset \\d+ on|"
    + "batch statistics, which only training needs|(?:\\d+) inputs, of which (?:\\d+) are known");
  private static final Pattern TRAINING = Pattern.compile("only inference is supported");

  private Gaps() {}

  /** What the reader does not read. */
  static Verdict ofReader(List<Gap> gaps) {
    SortedSet<String> reasons = new TreeSet<>();
    for (Gap gap : gaps) {
      Optional<String> reason = gap.reason().equals("no such operator") ? operator(gap) : known(gap);
      if (reason.isEmpty()) {
        return new Verdict.Failed("not read, for a reason that is none: " + gap);
      }
      reasons.add(reason.get());
    }
    return new Verdict.NotClaimed(reasons);
  }

  private static Optional<String> operator(Gap gap) {
    return StandardOperators.table().find(gap.operator()).isPresent()
      || ContainerOperators.find(gap.operator()).isPresent()
        ? Optional.empty()
        : Optional.of("no operator " + gap.operator());
  }

  private static Optional<String> known(Gap gap) {
    Matcher type = ELEMENT_TYPE.matcher(gap.reason());
    if (type.matches()) {
      boolean ours = Arrays.stream(DType.values()).anyMatch(dtype -> dtype.toString().equals(type.group(1)));
      return ours ? Optional.empty() : Optional.of("element type " + type.group(1));
    }
    Matcher value = NO_TENSOR.matcher(gap.reason());
    if (value.matches()) {
      return Optional.of("values of type " + value.group(1));
    }
    Matcher opset = OPSET.matcher(gap.operator());
    if (opset.matches() && gap.reason().contains("reads opsets up to ")) {
      return Optional.of("%s (%s)".formatted(gap.operator(), gap.reason()));
    }
    return FORM.matcher(gap.reason()).matches() ? Optional.of(gap.reason()) : Optional.empty();
  }

  /**
   * Calls that no kernel serves: not claimed when the operator has kernels, and none of them is for an operand's
   * element type.
   */
  static Verdict ofCompiler(List<Gap> gaps) {
    SortedSet<String> reasons = new TreeSet<>();
    for (Gap gap : gaps) {
      var served = StandardKernels.catalog().dtypes(gap.operator());
      List<DType> missing = Arrays.stream(DType.values())
        .filter(dtype -> gap.reason().contains(" " + dtype + "[") || gap.reason().contains("[" + dtype + "["))
        .filter(dtype -> !served.contains(dtype))
        .toList();
      if (served.isEmpty() || missing.isEmpty()) {
        return new Verdict.Failed("no kernel accepts the call: " + gap);
      }
      missing.forEach(dtype -> reasons.add("no kernel for %s of %s".formatted(gap.operator(), dtype)));
    }
    return new Verdict.NotClaimed(reasons);
  }

  /** Uses that only training needs, where that is seen from a value; empty for every other fault. */
  static Optional<Verdict> ofInference(InvalidGraph fault) {
    return TRAINING.matcher(String.valueOf(fault.getMessage())).find()
      ? Optional.of(new Verdict.NotClaimed(new TreeSet<>(List.of("training mode"))))
      : Optional.empty();
  }
}
