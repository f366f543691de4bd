package dev.cairn.benchmarks.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Machine;
import dev.cairn.benchmarks.harness.Origin;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelsPageTest {
  private static final Origin ORIGIN = new Origin(new Machine("Some CPU", 2, 8L << 30, "Linux 6", "25.0.3", 0.5),
    LocalDate.of(2026, 2, 3), "native-tests/benchmarks/run.sh models --write");

  @Test
  void theWholePage() {
    var models = List.of(Figures.model("mlp", 1000, Figures.comparison(2, 10, 20)),
      Figures.model("resnet50", 1210, Figures
        .comparison(2, 100, 50, 120, 50, 100, 40)));
    var options = new ModelsOptions(false, true, List.of(2), List.of(), 5);
    assertEquals("""
      # Models: plans, latency and memory, beside ONNX Runtime

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).

      - Command: `native-tests/benchmarks/run.sh models --write`
      - Date: 2026-02-03 (UTC)
      - Machine: Some CPU, 2 processors, 8.0 GiB of memory; Linux 6; JDK 25.0.3; load 0.50 at the start
      - Rounds: 5; each one process of Cairn and one of ONNX Runtime 1.29.0; 3.0 s of warm-up, then 1.0 s timed
      - Verdict: `models: a=1 goal=b pass`

      ## Plans

      Intermediate results, outputs and workspaces; weights come on top. The goal: a geometric mean of at most 1.10
      times the lower bound, which is the most bytes that live at one time. The naive total gives every result bytes
      of its own. The first planning of a model is done by a JVM that has planned only the models above it; "again" is
      the median of 51 plannings after that.

      | model | plan peak, MB | / lower bound | / naive total | steps | buffers | planning, ms: first | again |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | mlp | 0.001 | 1.0000 | 0.2500 | 12 | 7 | 2.50 | 0.04 |
      | resnet50 | 0.001 | 1.2100 | 0.3025 | 12 | 7 | 2.50 | 0.04 |
      | geometric mean |  | 1.1000 | 0.2750 |  |  |  |  |

      ## 2 threads

      Latency of one run; the median over the rounds of each process's median and 90th percentile. The speed-up is ONNX
      Runtime's latency over Cairn's, above 1 where Cairn is faster: the median of the rounds' ratios, and their
      range. The goal: `resnet50`, the zoo's ResNet-50 with batch 1, in at most 150 ms.

      | model | Cairn, ms | p90 | ONNX Runtime, ms | p90 | speed-up (spread) | \
      open, ms: Cairn | ONNX Runtime | peak resident, MB: Cairn | ONNX Runtime | ratio |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | mlp | 10.000 | 20.000 | 20.000 | 40.000 | 2.00 (2.00..2.00) | 500 | 500 | 300 | 200 | 1.50 |
      | resnet50 | 100.000 | 200.000 | 50.000 | 100.000 | 0.42 (0.40..0.50) | 500 | 500 | 300 | 200 | 1.50 |
      | geometric mean |  |  |  |  | 0.91 |  |  |  |  | 1.50 |
      """, new ModelsPage(models, List.of(), options).text(ORIGIN, "1.29.0", "models: a=1 goal=b pass"));
  }

  @Test
  void whatIsMissingOrOddIsSaid() {
    var odd = new Measurement(EngineChoice.CAIRN, 1, 1, 1, 5, 1, new OutputDigest(0, 3));
    var models = List.of(Figures.model("odd", 1000, new Comparison(1, List.of(new Comparison.Round(odd, odd)))));
    var options = new ModelsOptions(true, false, List.of(1), List.of("odd"), 1);
    String page = new ModelsPage(models, List.of("light_vgg19"), options).text(ORIGIN, "1.29.0", "-");
    assertTrue(page.contains("- Skipped, no data: light_vgg19\n") && page.contains("A quick run"), page);
    assertTrue(page.contains("not all finite, in both engines: odd."), page);
    assertTrue(page.contains("## 1 thread\n"), page);
  }
}
