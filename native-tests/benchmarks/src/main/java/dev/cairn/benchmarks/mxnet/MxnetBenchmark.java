package dev.cairn.benchmarks.mxnet;

import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.nnvm.NnvmGraph;
import dev.cairn.runtime.memory.planner.nnvm.NnvmOptions;
import dev.cairn.runtime.memory.planner.nnvm.PlanMemory;
import dev.cairn.runtime.memory.planner.nnvm.PooledStorages;
import dev.cairn.runtime.memory.planner.nnvm.StoragePlan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The same graphs planned by MXNet 1.9.1 and by Cairn's NNVM mode: both must allocate the same, to the MiB that MXNet
 * says. Networks of fixed shape also say what offsets in one arena would take instead.
 */
public final class MxnetBenchmark implements Benchmark {
  private static final int MEBIBYTE_BITS = 20;
  private static final long BATCH = 16;
  private static final NnvmOptions MXNET = NnvmOptions.MXNET;

  @Override
  public String name() {
    return "mxnet";
  }

  @Override
  public String description() {
    return "bytes that MXNet's own planner and Cairn's NNVM mode allocate for the same graphs";
  }

  @Override
  public String options() {
    return MxnetOptions.USAGE;
  }

  @Override
  public Outcome run(List<String> options, Places places) {
    MxnetOptions parsed = MxnetOptions.parse(options);
    MxnetLibrary mxnet = MxnetLibrary.load(parsed.library());
    System.out.println("MXNet " + mxnet.version());
    System.out.println();
    int unequal = networks(mxnet);
    System.out.println();
    unequal += randomGraphs(mxnet, parsed.graphs());
    return new Outcome("unequal=" + unequal, "NNVM mode allocates what MXNet does", unequal == 0);
  }

  private static Map<String, NnvmOptions> variants() {
    Map<String, NnvmOptions> variants = new LinkedHashMap<>();
    variants.put("as it is", MXNET);
    variants.put("range 0", MXNET.withMatchRange(0));
    variants.put("range 1", MXNET.withMatchRange(1));
    variants.put("range 3", MXNET.withMatchRange(3));
    variants.put("searched", MXNET.withAutoSearch());
    variants.put("searched to 20", MXNET.withMatchRange(20).withAutoSearch());
    variants.put("2 colours", MXNET.withColours(2));
    variants.put("4 colours, searched", MXNET.withColours(4).withAutoSearch());
    return variants;
  }

  private static int networks(MxnetLibrary mxnet) {
    var table = new MarkdownTable("network", "entries", "MXNet MiB", "NNVM mode MiB", "MXNet searched MiB",
      "NNVM mode searched MiB", "one arena MiB", "bound MiB");
    int unequal = 0;
    for (SymbolGraph symbol : List.of(Symbols.chain(BATCH), Symbols.residual(BATCH), Symbols.dense(BATCH))) {
      NnvmGraph graph = symbol.graph();
      StoragePlan plan = PlanMemory.plan(graph, MXNET);
      PooledStorages pooled = PooledStorages.of(graph, plan);
      PlanValidator.requireValid(pooled.problem(), pooled.plan());
      MemoryPlan arena = PlanValidator.requireValid(pooled.problem(), BestFitPortfolio.ALL.plan(pooled.problem()));
      StoragePlan searched = PlanMemory.plan(graph, MXNET.withAutoSearch());
      long theirs = mxnet.plannedMebibytes(symbol, MXNET);
      long theirsSearched = mxnet.plannedMebibytes(symbol, MXNET.withAutoSearch());
      unequal += theirs == mebibytes(plan) ? 0 : 1;
      unequal += theirsSearched == mebibytes(searched) ? 0 : 1;
      table.row(symbol.name(), Integer.toString(graph.entryCount()), Long.toString(theirs),
        Long.toString(mebibytes(plan)), Long.toString(theirsSearched), Long.toString(mebibytes(searched)),
        Long.toString(arena.peakBytes() >> MEBIBYTE_BITS),
        Long.toString(LowerBound.of(pooled.problem()).bytes() >> MEBIBYTE_BITS));
    }
    System.out.println(table);
    return unequal;
  }

  private static int randomGraphs(MxnetLibrary mxnet, int graphs) {
    var table = new MarkdownTable("options", "random graphs", "equal", "MXNet MiB", "NNVM mode MiB");
    int unequal = 0;
    for (var variant : variants().entrySet()) {
      int equal = 0;
      long theirs = 0;
      long ours = 0;
      for (int seed = 0; seed < graphs; seed++) {
        SymbolGraph symbol = Symbols.random(seed);
        long expected = mxnet.plannedMebibytes(symbol, variant.getValue());
        long planned = PlanMemory.tryPlan(symbol.graph(), variant.getValue()).map(MxnetBenchmark::mebibytes).orElse(0L);
        if (planned == expected) {
          equal++;
        } else {
          System.err.printf("unequal: graph=%s options=%s mxnet=%d cairn=%d%n", symbol.name(), variant.getKey(),
            expected, planned);
        }
        theirs += expected;
        ours += planned;
      }
      unequal += graphs - equal;
      table.row(variant.getKey(), Integer.toString(graphs), Integer.toString(equal), Long.toString(theirs),
        Long.toString(ours));
    }
    System.out.println(table);
    return unequal;
  }

  private static long mebibytes(StoragePlan plan) {
    return plan.allocatedBytes() >> MEBIBYTE_BITS;
  }
}
