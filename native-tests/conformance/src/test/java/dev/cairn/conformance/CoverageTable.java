package dev.cairn.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Verdicts gathered by operator, and the page that is made of them. The same verdicts always make the same text. */
final class CoverageTable {
  private static final String INTRODUCTION = """
    # Operators: the cases of the ONNX standard

    Made by `NodeCasesTest` in `native-tests/conformance` from ONNX v1.22.0's operator cases; do not edit. To make it
    again:

    ```
    mvn verify -pl native-tests/conformance -am -Dtest=NodeCasesTest -Dsurefire.failIfNoSpecifiedTests=false \\
      -Dcairn.coverage.write=true
    ```

    A case is *claimed* when Cairn has all its operators and element types and reads its opset. Where it is not, the
    last column says why. A claimed case that has a plan runs with the best kernels under each planner, and with the
    portable kernels alone. Where the value of a small input decides a shape (the new shape of `Reshape`), the plan is
    made for this value.

    *Node by node* counts claimed cases that have no plan, because a shape depends on computed values (the boxes of
    `NonMaxSuppression`), or because there are strings, sequences or optionals. A session runs them as they are given.

    Floats must be within rtol 1e-3 and atol 1e-7 of the wanted outputs; everything else must be equal. There are two
    exceptions. Where a case draws random numbers, only types and shapes are compared, because the wanted outputs are
    draws of NumPy. Results of `DFT` must be within atol 1e-6, because the wanted ones have errors of `float32` sums.

    """;
  private static final String COLUMNS = "| operator | opset of the cases | passed | node by node "
    + "| failed | not claimed | why not claimed |";

  private final SortedMap<String, Row> operators = new TreeMap<>();
  private final SortedMap<String, Row> functions = new TreeMap<>();

  /** All cases of one operator. */
  private static final class Row {
    private final SortedSet<Long> opsets = new TreeSet<>();
    private final SortedSet<String> reasons = new TreeSet<>();
    private int passed;
    private int passedNodeByNode;
    private int failed;
    private int notClaimed;

    void add(long opset, Verdict verdict) {
      opsets.add(opset);
      switch (verdict) {
        case Verdict.Passed() -> passed++;
        case Verdict.PassedNodeByNode(String values) -> passedNodeByNode++;
        case Verdict.Failed(String reason) -> failed++;
        case Verdict.NotClaimed(SortedSet<String> why) -> {
          notClaimed++;
          reasons.addAll(why);
        }
      }
    }

    boolean isClaimed() {
      return claimed() > 0;
    }

    int claimed() {
      return passed + passedNodeByNode + failed;
    }

    String opsets() {
      return opsets.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    String line(String operator) {
      return "| %s | %s | %d | %d | %d | %d | %s |".formatted(operator, opsets(), passed, passedNodeByNode, failed,
        notClaimed, String.join("; ", reasons));
    }
  }

  /**
   * @param operator the operator that the case is about
   * @param expanded whether the operator is written out as a function of others
   * @param opset the model's version of ONNX's own domain; 0 where it uses none
   */
  void add(String operator, boolean expanded, long opset, Verdict verdict) {
    (expanded ? functions : operators).computeIfAbsent(operator, _ -> new Row()).add(opset, verdict);
  }

  /** The page in Markdown. */
  String page() {
    List<String> lines = new ArrayList<>(INTRODUCTION.lines().toList());
    lines.addAll(summary());
    lines.addAll(section("Operators", operators, Row::isClaimed));
    lines.addAll(section("Operators written out as functions of others", functions, Row::isClaimed));
    lines.addAll(missing("Operators without a claimed case", operators));
    lines.addAll(missing("Functions without a claimed case", functions));
    lines.addAll(ProviderTable.section());
    return String.join("\n", lines) + "\n";
  }

  private List<String> summary() {
    List<String> lines = new ArrayList<>(List.of(
      "| | cases | claimed | passed | node by node | failed | not claimed |",
      "| --- | --- | --- | --- | --- | --- | --- |"));
    lines.add(summary("operators", operators));
    lines.add(summary("functions", functions));
    return lines;
  }

  private static String summary(String name, SortedMap<String, Row> rows) {
    int[] sums = new int[5];
    for (Row row : rows.values()) {
      sums[0] += row.claimed();
      sums[1] += row.passed;
      sums[2] += row.passedNodeByNode;
      sums[3] += row.failed;
      sums[4] += row.notClaimed;
    }
    return "| %s | %d | %d | %d | %d | %d | %d |".formatted(name, sums[0] + sums[4], sums[0], sums[1], sums[2], sums[3],
      sums[4]);
  }

  private static List<String> section(String title, SortedMap<String, Row> rows, Predicate<Row> wanted) {
    List<String> lines = new ArrayList<>(List.of("", "## " + title, "",
      COLUMNS,
      "| --- | --- | --- | --- | --- | --- | --- |"));
    rows.forEach((operator, row) -> {
      if (wanted.test(row)) {
        lines.add(row.line(operator));
      }
    });
    return lines;
  }

  private static List<String> missing(String title, SortedMap<String, Row> rows) {
    if (rows.values().stream().allMatch(Row::isClaimed)) {
      return List.of();
    }
    List<String> lines = new ArrayList<>(List.of("", "## " + title, "",
      "| operator | opset of the cases | not claimed | why not claimed |", "| --- | --- | --- | --- |"));
    rows.forEach((operator, row) -> {
      if (!row.isClaimed()) {
        lines.add("| %s | %s | %d | %s |"
          .formatted(operator, row.opsets(), row.notClaimed, String.join("; ", row.reasons)));
      }
    });
    return lines;
  }
}
