package dev.cairn.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.cairn.runtime.onnx.OnnxReader;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every operator case of ONNX v1.22.0 that Cairn claims gives the expected outputs, and docs/coverage.md says which
 * these are.
 */
class NodeCasesTest {
  private static final Path PAGE = SharedData.ofProject("docs/coverage.md");
  /** Operators whose bodies have others. */
  private static final Set<String> CONTROL = Set.of("If", "Loop", "Scan", "SequenceMap");
  private static final CoverageTable TABLE = new CoverageTable();
  private static final Map<String, Verdict> VERDICTS = new TreeMap<>();
  private static final Map<String, String> OPERATORS = new TreeMap<>();

  @TempDir
  private static Path folder;

  @BeforeAll
  static void judgeAll() throws IOException {
    List<NodeCase> cases = NodeCaseArchive.read(SharedData.require("onnx-node/onnx-node-v1.22.0.tar.gz"));
    Map<String, Long> opsets = new TreeMap<>();
    for (NodeCase one : cases) {
      Path own = Files.createDirectory(folder.resolve(one.name()));
      var summary = OnnxReader.summary(one.model(own));
      opsets.put(one.name(), summary.origin().opsets().getOrDefault("", 0L));
      if (!one.isExpanded()) {
        var control = summary.operators().keySet().stream().filter(CONTROL::contains).findFirst();
        assertTrue(summary.operators().size() == 1 || control.isPresent(),
          () -> "a plain case is about one operator: case=" + one.name());
        OPERATORS.put(one.name(), control.orElse(summary.operators().firstKey()));
      }
    }
    try (var runner = new PlannedRun()) {
      for (NodeCase one : cases) {
        Verdict verdict = new CaseJudge(runner, folder.resolve(one.name()), CaseJudge.SETTINGS).judge(one);
        VERDICTS.put(one.name(), verdict);
        TABLE.add(operator(one), one.isExpanded(), opsets.getOrDefault(one.name(), 0L), verdict);
      }
    }
  }

  private static String operator(NodeCase one) {
    return OPERATORS.getOrDefault(one.plainName(), one.plainName());
  }

  @Test
  void everyCaseIsJudged() {
    assertEquals(1765, VERDICTS.size());
  }

  @Test
  void everyClaimedCasePasses() {
    List<String> failures = new ArrayList<>();
    VERDICTS.forEach((name, verdict) -> {
      if (verdict instanceof Verdict.Failed(String reason)) {
        failures.add(name + ": " + reason);
      }
    });
    assertTrue(failures.isEmpty(), () -> failures.size() + " failed:\n" + String.join("\n", failures));
  }

  /** A claim that the standard has cases for, but none that passes, would be no claim. */
  @Test
  void everyOperatorOfTheTableThatHasReadableCasesPassesOne() {
    var without = new TreeSet<String>();
    OPERATORS.forEach((name, operator) -> {
      if (StandardOperators.table().find(operator).isPresent() && !isOfUnreadOpset(name)) {
        without.add(operator);
      }
    });
    VERDICTS.forEach((name, verdict) -> {
      if (verdict instanceof Verdict.Passed || verdict instanceof Verdict.PassedNodeByNode) {
        without.remove(OPERATORS.getOrDefault(name, ""));
      }
    });
    assertEquals(new TreeSet<>(), without);
  }

  private static boolean isOfUnreadOpset(String name) {
    return VERDICTS.get(name) instanceof Verdict.NotClaimed(SortedSet<String> reasons)
      && reasons.stream().anyMatch(reason -> reason.startsWith("opset "));
  }

  @Test
  void pageSaysWhatIsTrue() throws IOException {
    String page = TABLE.page();
    String there = Files.exists(PAGE) ? Files.readString(PAGE) : "";
    if (page.equals(there)) {
      return;
    }
    if (Boolean.getBoolean("cairn.coverage.write")) {
      Files.createDirectories(PAGE.toAbsolutePath().getParent());
      Files.writeString(PAGE, page);
    } else {
      fail(PAGE + " is out of date; make it again with -Dcairn.coverage.write=true and look at what changed:\n"
        + firstDifference(there, page));
    }
  }

  private static String firstDifference(String old, String made) {
    List<String> before = old.lines().toList();
    List<String> after = made.lines().toList();
    for (int i = 0; i < after.size(); i++) {
      if (i >= before.size() || !before.get(i).equals(after.get(i))) {
        return "line %d: now %s%nwas: %s".formatted(i + 1, after.get(i), i < before.size() ? before.get(i) : "");
      }
    }
    return "lines are gone: before=%d after=%d".formatted(before.size(), after.size());
  }
}
