package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.cuda.compile.KernelCompiler;
import dev.cairn.kernels.cuda.compile.Precompilation;
import dev.cairn.kernels.cuda.compile.PrecompiledKernels;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.KernelVariants;
import dev.cairn.kernels.tensor.DType;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Models run where there is NVIDIA's driver and neither NVRTC nor cuBLAS, on kernels that were compiled before: here by
 * the simulated NVRTC, in a build by nvcc.
 */
@Tag("long")
class DriverAloneTest {
  /** What the models' kernels are compiled for; the whole set would take long. */
  private static final Set<List<String>> WANTED = Set.of(CudaElementTypes.definitions(DType.FLOAT32), CudaElementTypes
    .definitions(DType.UINT32), CudaElementTypes.definitions(DType.UINT64));
  /** What a perceptron runs. */
  private static final Set<String> OF_PERCEPTRONS = Set.of("elementwise.cu", "gemm.cu");

  @TempDir
  private Path folder;

  /**
   * The place of precompiled kernels: on the class path before all else, or on a GPU in the library itself.
   *
   * @param sources which of the sources to compile, by name
   */
  private Path precompiled(Predicate<String> sources) throws IOException, InterruptedException {
    if (CudaUnderTest.isReal()) {
      Assumptions.assumeTrue(CudaUnderTest.runsMachineCode(), "skipped: the simulator takes no PTX but its own");
      Assumptions.assumeTrue(PrecompiledKernels.ofThisLibrary().isPresent(),
        "skipped: Cairn was built without -Pprecompiled");
      return folder;
    }
    KernelCompiler compiler = CudaUnderTest.compiler();
    var some = new Precompilation(compiler);
    for (KernelVariants variants : KernelVariants.ALL.stream().filter(it -> sources.test(it.source())).toList()) {
      for (List<String> definitions : variants.definitions()) {
        if (WANTED.contains(definitions)) {
          some.add(KernelLibrary.source(variants.source()), "sm_75", KernelLibrary.options(definitions));
        }
      }
    }
    Path classes = folder.resolve("classes");
    some.writeTo(classes.resolve(PrecompiledKernels.FOLDER), "the simulator");
    return classes;
  }

  private static String property(String name, String otherwise) {
    return "-D%s=%s".formatted(name, System.getProperty(name, otherwise));
  }

  private String run(Path classes, String... models) throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", property("cairn.root", "."), property(
        "cairn.cuda", "simulated"),
      property("cairn.simulator", System.getProperty("cairn.root", ".")
        + "/native-tests/simulator/target/lib"),
      "-cp", classes + File.pathSeparator + System.getProperty("java.class.path"), DriverAlone.class.getName(),
      CudaUnderTest.loaded().driver().toString(), Files.createDirectory(folder.resolve("nothing")).toString(), folder
        .resolve("natives").toString()));
    command.addAll(List.of(models));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      process.waitFor();
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(log, StandardCharsets.UTF_8);
    Assumptions.assumeFalse(process.exitValue() == DriverAlone.OTHER_NVRTC,
      "skipped: the dynamic loader finds an NVRTC here");
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  @Test
  void modelsRunOnKernelsThatWereCompiledBefore() throws IOException, InterruptedException {
    String said = run(precompiled(OF_PERCEPTRONS::contains), "mlp");
    assertThat(said).contains("equal: mlp");
    assertThat(said.split("and nothing is fused", -1)).as("said once: " + said).hasSize(2);
    assertThat(said).containsPattern(
      "doctor: LOSS NVRTC is missing: \\d+ families of kernels compiled at build time serve, fusion is off .*made=");
    Assumptions.assumeFalse(CudaUnderTest.isReal(), "skipped: a GPU can't be told to fail");
    assertThat(said).contains("refused: there is no NVRTC, and kernels compiled at build time cannot be used",
      "CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
    assertThat(said).contains("unknown: this kernel was not compiled at build time", "source=new.cu");
  }

  @Test
  @Tag("soak")
  void aConvolutionalModelRunsOnKernelsThatWereCompiledBefore() throws IOException, InterruptedException {
    assertThat(run(precompiled(_ -> true), "mobilenet_v2")).contains("equal: mobilenet_v2");
  }
}
