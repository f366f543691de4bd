package dev.cairn.benchmarks.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Machine;
import dev.cairn.benchmarks.harness.Origin;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelsPageTest {
  private static final Origin ORIGIN = new Origin(new Machine("Some CPU", 2, 8L << 30, "Linux 6", "25.0.3", 0.5),
    LocalDate.of(2026, 2, 3), "native-tests/benchmarks/run.sh models --write");

  @Test
  void theWholePage() {
    var models = List.of(withParts(Figures.model("mlp", 1000, Figures.comparison(2, 10, 20))), withParts(Figures.model(
      "resnet50", 1210, Figures.comparison(2, 100, 50, 120, 50, 100, 40))));
    var options = new ModelsOptions(false, true, List.of(2), List.of(), 5, true, false);
    assertEquals("""
      # Models: plans, latency and memory, beside ONNX Runtime

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md). What a process
      holds beside weights and plan, and where the time of opening goes: [models-memory](models-memory.md).

      - Command: `native-tests/benchmarks/run.sh models --write`
      - Date: 2026-02-03 (UTC)
      - Machine: Some CPU, 2 processors, 8.0 GiB of memory; Linux 6; JDK 25.0.3; load 0.50 at the start
      - Rounds: 5; each one process of Cairn and one of ONNX Runtime 1.29.0; 3.0 s of warm-up, up to 12 s more until the
        JVM compiles no more, then 1.0 s timed
      - Verdict: `models: a=1 goal=b pass`

      ## Plans

      Intermediate results, outputs and workspaces; weights come on top. The goal: a geometric mean of at most 1.01
      times the lower bound, which is the most bytes that live at one time. The unshared total gives every result bytes
      of its own. The first planning of a model is done by a JVM that has planned only the models above it; "again" is
      the median of 51 plannings after that.

      | model | plan peak, MB | / lower bound | / unshared total | steps | buffers | planning, ms: first | again |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | mlp | 0.001 | 1.0000 | 0.2500 | 12 | 7 | 2.50 | 0.04 |
      | resnet50 | 0.001 | 1.2100 | 0.3025 | 12 | 7 | 2.50 | 0.04 |
      | geometric mean |  | 1.1000 | 0.2750 |  |  |  |  |

      ## 2 threads

      Latency of one run; the median over the rounds of each process's median and 90th percentile. The speed-up is ONNX
      Runtime's latency over Cairn's, above 1 where Cairn is faster: the median of the rounds' ratios, and their
      range.

      | model | Cairn, ms | p90 | ONNX Runtime, ms | p90 | speed-up (spread) | \
      open, ms: Cairn | ONNX Runtime | ratio | peak resident, MB: Cairn | ONNX Runtime | ratio |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | mlp | 10.000 | 20.000 | 20.000 | 40.000 | 2.00 (2.00..2.00) | 500 | 500 | 1.00 | 300 | 200 | 1.50 |
      | resnet50 | 100.000 | 200.000 | 50.000 | 100.000 | 0.42 (0.40..0.50) | 500 | 500 | 1.00 | 300 | 200 | 1.50 |
      | geometric mean |  |  |  |  | 0.91 |  |  | 1.00 |  |  | 1.50 |

      ## Two runs at a time

      Two callers of one session, with one thread for each operator. The time of a run is the time of all runs by their
      number; throughput is ONNX Runtime's time over Cairn's.

      | model | Cairn, ms a run | ONNX Runtime, ms a run | throughput (spread) |
      | --- | ---: | ---: | ---: |
      | mlp | 4.000 | 5.000 | 1.25 (1.25..1.25) |
      | resnet50 | 4.000 | 5.000 | 1.25 (1.25..1.25) |
      | geometric mean |  |  | 1.25 |

      ## What each part gives

      How many times as fast Cairn is as with that part switched off (`--no-channels-last`, `--no-fusion`, `--kernels
      vector`, `--kernels onednn`), with 2 threads; one process each.

      | model | channels last | fusion | oneDNN | Winograd |
      | --- | ---: | ---: | ---: | ---: |
      | mlp | 2.00 | 3.00 | 4.00 | 5.00 |
      | resnet50 | 0.20 | 0.30 | 0.40 | 0.50 |
      | geometric mean | 0.63 | 0.95 | 1.26 | 1.58 |

      ## bfloat16

      Cairn with `--precision bfloat16`, beside ONNX Runtime in `float32`, with 2 threads. The goal, twice as fast,
      holds for processors with AMX. Here: oneDNN (bfloat16 by AMX).

      | model | bfloat16, ms | float32, ms | ONNX Runtime, float32, ms | speed-up (spread) | \
      peak resident, MB: bfloat16 | ONNX Runtime |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: |
      | resnet50 | 25.000 | 100.000 | 50.000 | 2.00 (2.00..2.00) | 300 | 200 |

      ## The first result

      `./cairn run mlp` with one run of the model, once Cairn is built, takes this many seconds: 1.25 (1.00..1.50).
      """, new ModelsPage(models, List.of(), options, Figures.machine(true)).text(ORIGIN, "1.29.0",
      "models: a=1 goal=b pass"));
  }

  private static ModelFigures withParts(ModelFigures model) {
    return new ModelFigures(model.name(), model.plan(), model.comparisons(), Optional.of(Figures.comparison(1, 4, 5)),
      model.name().equals("resnet50") ? Optional.of(Figures.comparison(2, 25, 50)) : Optional.empty(),
      Map.of(EngineChoice.WITHOUT_LAYOUT, Figures.measurement(EngineChoice.WITHOUT_LAYOUT, 20, 300),
        EngineChoice.WITHOUT_FUSION, Figures.measurement(EngineChoice.WITHOUT_FUSION, 30, 300),
        EngineChoice.WITHOUT_ONEDNN, Figures.measurement(EngineChoice.WITHOUT_ONEDNN, 40, 300),
        EngineChoice.WITHOUT_WINOGRAD, Figures.measurement(EngineChoice.WITHOUT_WINOGRAD, 50, 300)));
  }

  @Test
  void whatIsMissingOrOddIsSaid() {
    var odd = new Measurement(EngineChoice.CAIRN, 1, 1, 1, 5, 1, new OutputDigest(0, 3));
    var models = List.of(Figures.model("odd", 1000, new Comparison(1, 1, List.of(new Comparison.Round(odd, odd)))));
    var options = new ModelsOptions(true, false, List.of(1), List.of("odd"), 1, false, false);
    String page = new ModelsPage(models, List.of("light_vgg19"), options, Figures.machine(false)).text(ORIGIN, "1.29.0",
      "-");
    assertTrue(page.contains("- Skipped, no data: light_vgg19\n") && page.contains("A quick run"), page);
    assertTrue(page.contains("not all finite, in both engines: odd."), page);
    assertTrue(page.contains("## 1 thread\n"), page);
  }
}
