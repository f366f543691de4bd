package dev.cairn.runtime.zoo;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What fusion makes of the reference models: fewer steps, and never a larger plan. */
class ZooFusionTest {
  private static final List<String> PRODUCTS = List.of("Conv", "Gemm", "MatMul");

  @ParameterizedTest
  @CsvSource({"mlp, 0", "resnet50, 16", "mobilenet_v2, 0", "bert_base, 36", "gpt2, 0"})
  void fewerStepsAndNoLargerPlan(String name, int stepsGone) {
    Graph graph = Zoo.build(name, ZooOptions.DEFAULT.withSequenceLength(64));
    try (var device = new CpuDevice(1)) {
      var compiler = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream());
      CompiledGraph before = compile(compiler, graph, CompileOptions.DEFAULT.withFusion(FusionChoice.OFF));
      CompiledGraph after = compile(compiler, graph, CompileOptions.DEFAULT.withFusion(FusionChoice.ON));
      int gone = before.storage().steps().size() - after.storage().steps().size();
      String facts = "%s: steps=%d gone=%d peakBytes=%d fusedPeakBytes=%d naive=%d fusedNaive=%d".formatted(name, before
        .storage().steps().size(), gone, before.plan().peakBytes(), after.plan().peakBytes(),
        before.storage().problem()
          .unsharedBytes(),
        after.storage().problem().unsharedBytes());
      System.out.println(facts);
      assertTrue(gone >= stepsGone, facts);
      assertTrue(after.plan().peakBytes() <= before.plan().peakBytes(), facts);
    }
  }

  /** By kernels that take an epilogue and want no scratch memory, some or all: only what is planned counts here. */
  @ParameterizedTest
  @CsvSource({"mlp, false, 2", "resnet50, true, 20", "resnet50, false, 49", "mobilenet_v2, true, 18",
    "mobilenet_v2, false, 45", "bert_base, true, 0", "bert_base, false, 73",
    "gpt2, false, 0"})
  void productsTakeInWhatFollowsAndNoPlanIsLarger(String name, boolean withLibrary, int stepsGone) {
    Graph graph = Zoo.build(name, ZooOptions.DEFAULT.withSequenceLength(64));
    try (var device = new CpuDevice(1)) {
      CompileOptions on = CompileOptions.DEFAULT.withFusion(FusionChoice.ON);
      CompiledGraph plain = compile(compiler(device, withLibrary, false), graph, on.withFusion(FusionChoice.OFF));
      CompiledGraph before = compile(compiler(device, withLibrary, false), graph, on);
      CompiledGraph after = compile(compiler(device, withLibrary, true), graph, on);
      int gone = before.storage().steps().size() - after.storage().steps().size();
      String facts = "%s library=%s: plainSteps=%d steps=%d gone=%d peakBytes=%d fusedPeakBytes=%d".formatted(name,
        withLibrary, plain.storage().steps().size(), before.storage().steps().size(), gone, before.plan().peakBytes(),
        after.plan().peakBytes());
      System.out.println(facts);
      assertTrue(gone >= stepsGone, facts);
      assertTrue(after.plan().peakBytes() <= before.plan().peakBytes(), facts);
    }
  }

  /** @param withLibrary whether matrices, also those of 1 x 1 convolutions, are a library's, which takes none */
  private static Compiler compiler(CpuDevice device, boolean withLibrary, boolean epilogues) {
    List<KernelRow> rows = new ArrayList<>(StandardKernels.portableRows().stream().filter(row -> !PRODUCTS.contains(row
      .operator()) && !row.operator().equals(FusedProduct.OPERATOR)).toList());
    PRODUCTS.forEach(it -> rows.add(row(it, Twin.CUDA, _ -> true)));
    if (withLibrary) {
      PRODUCTS.forEach(it -> rows.add(row(it, Twin.CUDA_LIBRARY, signature -> isProductOfMatrices(it, signature))));
    }
    if (epilogues) {
      rows.add(row(FusedProduct.OPERATOR, Twin.CUDA, _ -> true));
    }
    return new Compiler(StandardOperators.table(), new KernelCatalog(rows), StandardKernels.catalog(), device
      .defaultStream());
  }

  private static boolean isProductOfMatrices(String operator, KernelSignature signature) {
    TensorType weights = signature.input(1);
    return !operator.equals("Conv") || (weights.shape().elementCount() == weights.shape().elementCount(0, 2)
      && signature.output(0).shape().elementCount(2, 4) == signature.input(0).shape().elementCount(2, 4));
  }

  private static KernelRow row(String operator, Twin twin, Predicate<KernelSignature> serves) {
    return new KernelRow(operator, twin, Decides.FIRST_INPUT, EnumSet.allOf(DType.class), new Kernel() {
      @Override
      public void run(KernelCall call) {
        throw new AssertionError("nothing is run here: operator=" + operator);
      }

      @Override
      public boolean accepts(KernelSignature signature) {
        return serves.test(signature);
      }
    });
  }

  private static CompiledGraph compile(Compiler compiler, Graph graph, CompileOptions options) {
    return compiler.compile(graph, InputBinding.ofShapes(graph, Map.of()), options);
  }
}
