package dev.cairn.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cases of {@link NodeCasesTest} with the best kernels, not simplified, by two further planners. */
@Tag("long")
class NodeCasesAsWrittenTest {
  @TempDir
  private Path folder;

  @Test
  void everyClaimedCasePasses() throws IOException {
    List<NodeCase> cases = NodeCaseArchive.read(SharedData.require("onnx-node/onnx-node-v1.22.0.tar.gz"));
    assertEquals(1765, cases.size());
    List<String> failures = new ArrayList<>();
    try (var runner = new PlannedRun()) {
      for (NodeCase one : cases) {
        Path own = Files.createDirectory(folder.resolve(one.name()));
        if (new CaseJudge(runner, own, List.of(CaseJudge.AS_WRITTEN))
          .judge(one) instanceof Verdict.Failed(String why)) {
          failures.add(one.name() + ": " + why);
        }
      }
    }
    assertTrue(failures.isEmpty(), () -> failures.size() + " failed:\n" + String.join("\n", failures));
  }
}
