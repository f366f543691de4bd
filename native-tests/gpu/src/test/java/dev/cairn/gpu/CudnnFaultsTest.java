package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.CudaGraph;
import dev.cairn.kernels.cuda.CudaGraphExecutable;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.dnn.ConvolutionAlgorithm;
import dev.cairn.kernels.cuda.dnn.ConvolutionProblem;
import dev.cairn.kernels.cuda.dnn.Cudnn;
import dev.cairn.kernels.cuda.dnn.CudnnFailure;
import dev.cairn.kernels.cuda.dnn.CudnnOnDemand;
import dev.cairn.kernels.cuda.dnn.ForwardConvolution;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** cuDNN itself: what it advises, its workspace, capture, and every call of it failing. */
@Tag("long")
class CudnnFaultsTest extends OnCuda {
  private static final List<String> CALLS = List.of("cudnnCreate", "cudnnCreateTensorDescriptor",
    "cudnnCreateFilterDescriptor", "cudnnCreateConvolutionDescriptor", "cudnnSetTensorNdDescriptor",
    "cudnnSetFilterNdDescriptor", "cudnnSetConvolutionNdDescriptor", "cudnnSetConvolutionGroupCount",
    "cudnnSetConvolutionMathType", "cudnnGetConvolutionForwardAlgorithmMaxCount",
    "cudnnGetConvolutionForwardAlgorithm_v7", "cudnnGetConvolutionForwardWorkspaceSize", "cudnnSetStream",
    "cudnnConvolutionForward", "cudnnDestroyTensorDescriptor", "cudnnDestroyFilterDescriptor",
    "cudnnDestroyConvolutionDescriptor", "cudnnDestroy");

  /** {@code [1, 1, 3, 3]} by {@code [1, 1, 2, 2]}. */
  private static ConvolutionProblem problem(GemmPrecision precision) {
    return new ConvolutionProblem(precision, List.of(1, 1, 3, 3), List.of(1, 1, 2, 2), List.of(1, 1, 2, 2), List.of(0,
      0), List.of(1, 1), List.of(1, 1), 1);
  }

  private Cudnn cudnn() {
    return Cudnn.open(CudaUnderTest.cudnn(), device);
  }

  private static long objects() {
    try {
      return (long) Linker.nativeLinker().downcallHandle(SymbolLookup.libraryLookup(CudaUnderTest.cudnn().file(), Arena
        .global()).findOrThrow("cairn_sim_cudnn_objects"), FunctionDescriptor.of(ValueLayout.JAVA_LONG)).invokeExact();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Computes, and answers the first result.
   *
   * @param memory addresses of input, weights, output, and 1 MiB of workspace
   */
  private float computed(Cudnn cudnn, long[] memory) {
    ConvolutionAlgorithm algorithm = cudnn.algorithms(problem(GemmPrecision.FLOAT32)).getFirst();
    stream.fill(memory[2], (byte) 0xff, 16);
    cudnn.prepare(problem(GemmPrecision.FLOAT32), algorithm, false).withWorkspace(memory[3], 1 << 20).run(stream,
      memory[0], memory[1], memory[2]);
    return floats(memory[2], 1)[0];
  }

  @Test
  void everyCallMayFailAndNothingIsLeftBehind() {
    Simulator simulator = CudaUnderTest.simulator();
    long before = objects();
    long[] memory = {upload(1, 2, 3, 4, 5, 6, 7, 8, 9f), upload(1, 2, 3, 4f), room(16), room(1 << 20)};
    for (String call : CALLS) {
      for (int nth = 1; nth <= 2; nth++) {
        long made = simulator.calls(call);
        simulator.fail(call, nth, 4000);
        List<CudnnFailure> failures = failuresOfARun(memory);
        boolean wasDue = simulator.calls(call) - made >= nth;
        assertThat(failures).as("%s %d", call, nth).hasSize(wasDue ? 1 : 0).allMatch(it -> it.call().equals(call));
        assertThat(nth > 1 || wasDue).as("%s is called", call).isTrue();
        simulator.clear(call);
        assertThat(objects()).as("%s %d", call, nth).isEqualTo(before);
      }
    }
    assertThat(failuresOfARun(memory)).isEmpty();
  }

  /** Closing is tried again until it works. */
  private List<CudnnFailure> failuresOfARun(long[] memory) {
    List<CudnnFailure> failures = new ArrayList<>();
    Cudnn cudnn;
    try {
      cudnn = cudnn();
    } catch (CudnnFailure e) {
      return List.of(e);
    }
    try {
      assertThat(computed(cudnn, memory)).isEqualTo(37f);
    } catch (CudnnFailure e) {
      failures.add(e);
    }
    while (true) {
      try {
        cudnn.close();
        return failures;
      } catch (CudnnFailure e) {
        failures.add(e);
      }
    }
  }

  @Test
  void aFailureNamesCallStatusAndWhatCudnnSaid() {
    Simulator simulator = CudaUnderTest.simulator();
    long before = objects();
    try (Cudnn cudnn = cudnn()) {
      simulator.fail("cudnnSetFilterNdDescriptor", 1, 5000);
      CudnnFailure failure = catchThrowableOfType(CudnnFailure.class, () -> cudnn.algorithms(problem(
        GemmPrecision.FLOAT32)));
      assertThat(failure).hasMessage("cudnnSetFilterNdDescriptor failed: status=CUDNN_STATUS_EXECUTION_FAILED "
        + "code=5000 words=ordered by a test");
      assertThat(failure.isUnsupported()).isFalse();
    }
    assertThat(objects()).isEqualTo(before);
  }

  @Test
  void descriptorsThatCouldNotBeSetAreGivenBack() {
    Simulator simulator = CudaUnderTest.simulator();
    long before = objects();
    try (Cudnn cudnn = cudnn()) {
      for (String call : List.of("cudnnSetTensorNdDescriptor", "cudnnCreateConvolutionDescriptor",
        "cudnnSetConvolutionMathType")) {
        simulator.fail(call, 1, 4000);
        assertThatThrownBy(() -> cudnn.algorithms(problem(GemmPrecision.FLOAT32))).isInstanceOf(CudnnFailure.class);
        assertThat(objects()).as(call).isEqualTo(before + 1);
      }
      assertThat(cudnn.algorithms(problem(GemmPrecision.FLOAT32))).isNotEmpty();
    }
    assertThat(objects()).isEqualTo(before);
  }

  @Test
  void whereCudnnHasNothingThereAreNoAlgorithms() {
    Simulator simulator = CudaUnderTest.simulator();
    try (Cudnn cudnn = cudnn()) {
      simulator.fail("cudnnGetConvolutionForwardAlgorithm_v7", 1, 3007);
      assertThat(cudnn.algorithms(problem(GemmPrecision.FLOAT32))).isEmpty();
      assertThat(cudnn.algorithms(problem(GemmPrecision.FLOAT32))).as("asked once").isEmpty();
      simulator.fail("cudnnGetConvolutionForwardWorkspaceSize", 1, 3000);
      assertThat(cudnn.algorithms(problem(GemmPrecision.FLOAT16))).extracting(ConvolutionAlgorithm::name)
        .containsExactly("IMPLICIT_GEMM");
    }
  }

  /** The simulator advises others first: one that is not deterministic, and one that narrows its operands. */
  @Test
  void onlyExactAndRepeatableAlgorithmsAreTaken() {
    CudaUnderTest.simulator();
    try (Cudnn cudnn = cudnn()) {
      for (GemmPrecision precision : GemmPrecision.values()) {
        assertThat(cudnn.algorithms(problem(precision))).extracting(ConvolutionAlgorithm::name).containsExactly(
          "IMPLICIT_PRECOMP_GEMM", "IMPLICIT_GEMM");
      }
      var square = new ConvolutionProblem(GemmPrecision.FLOAT32, List.of(1, 64, 512, 512), List.of(256, 64, 3, 3), List
        .of(1, 256, 510, 510), List.of(0, 0), List.of(1, 1), List.of(1, 1), 1);
      assertThat(cudnn.algorithms(square)).extracting(ConvolutionAlgorithm::name).containsExactly("WINOGRAD",
        "WINOGRAD_NONFUSED", "IMPLICIT_PRECOMP_GEMM", "IMPLICIT_GEMM");
      var heavy = new ConvolutionProblem(GemmPrecision.FLOAT32, List.of(1, 2048, 9, 9), List.of(2048, 2048, 3, 3), List
        .of(1, 2048, 7, 7), List.of(0, 0), List.of(1, 1), List.of(1, 1), 1);
      assertThat(cudnn.algorithms(heavy)).as("too much workspace is left out").extracting(ConvolutionAlgorithm::name)
        .doesNotContain("WINOGRAD_NONFUSED").contains("WINOGRAD");
    }
  }

  @Test
  void workspaceIsAlignedWhereverItBeginsAndTooLittleIsRefused() {
    CudaUnderTest.simulator();
    long x = upload(1, 2, 3, 4, 5, 6, 7, 8, 9f);
    long weights = upload(1, 2, 3, 4f);
    long y = room(16);
    try (Cudnn cudnn = cudnn()) {
      ConvolutionAlgorithm algorithm = cudnn.algorithms(problem(GemmPrecision.FLOAT32)).getFirst();
      assertThat(algorithm.workspaceBytes()).isPositive();
      long room = room(algorithm.workspaceBytes() + 1024);
      for (long offset = 0; offset < 1024; offset += 64) {
        stream.fill(y, (byte) 0xff, 16);
        cudnn.prepare(problem(GemmPrecision.FLOAT32), algorithm, false).withWorkspace(room + offset, algorithm
          .workspaceBytes()).run(stream, x, weights, y);
        assertThat(floats(y, 4)).containsExactly(37, 47, 67, 77);
      }
      ForwardConvolution starved = cudnn.prepare(problem(GemmPrecision.FLOAT32), algorithm, false).withWorkspace(room,
        16);
      CudnnFailure failure = catchThrowableOfType(CudnnFailure.class, () -> starved.run(stream, x, weights, y));
      assertThat(failure.code()).isEqualTo(2006);
    }
  }

  @Test
  void capturedItIsRepeatedAndMayAddToWhatIsThere() {
    long x = upload(1, 2, 3, 4, 5, 6, 7, 8, 9f);
    long weights = upload(1, 2, 3, 4f);
    long y = upload(0, 0, 0, 100f);
    try (Cudnn cudnn = cudnn()) {
      ConvolutionAlgorithm algorithm = cudnn.algorithms(problem(GemmPrecision.FLOAT32)).getFirst();
      long bytes = algorithm.workspaceBytes() + 1;
      long workspace = room(bytes);
      cudnn.prepare(problem(GemmPrecision.FLOAT32), algorithm, false).withWorkspace(workspace, bytes).run(stream, x,
        weights, room(16));
      ForwardConvolution adding = cudnn.prepare(problem(GemmPrecision.FLOAT32), algorithm, true).withWorkspace(
        workspace, bytes);
      try (CudaGraph graph = stream.capture(() -> adding.run(stream, x, weights, y));
        CudaGraphExecutable executable = graph.instantiate()) {
        assertThat(floats(y, 4)).containsExactly(0, 0, 0, 100);
        for (int run = 1; run <= 3; run++) {
          executable.launch(stream);
          assertThat(floats(y, 4)).containsExactly(37 * run, 47 * run, 67 * run, 100 + 77 * run);
        }
      }
    }
  }

  @Test
  void aClosedStreamIsRefusedAlsoWhenItWasTheLastOne() {
    long x = room(4096);
    try (Cudnn cudnn = cudnn()) {
      ConvolutionAlgorithm algorithm = cudnn.algorithms(problem(GemmPrecision.FLOAT32)).getLast();
      long bytes = algorithm.workspaceBytes() + 1;
      ForwardConvolution convolution = cudnn.prepare(problem(GemmPrecision.FLOAT32), algorithm, false).withWorkspace(
        room(bytes), bytes);
      CudaStream second = device.newStream("second");
      convolution.run(second, x, x + 1024, x + 2048);
      second.close();
      assertThatThrownBy(() -> convolution.run(second, x, x + 1024, x + 2048)).isInstanceOf(
        IllegalStateException.class);
      convolution.run(stream, x, x + 1024, x + 2048);
      stream.synchronize();
    }
  }

  @Test
  void inALostContextItClosesAndTheNextOneWorks() {
    Simulator simulator = CudaUnderTest.simulator();
    long objectsBefore = objects();
    Cudnn cudnn = cudnn();
    assertThat(cudnn.algorithms(problem(GemmPrecision.FLOAT32))).isNotEmpty();
    simulator.loseContext();
    assertThat(catchThrowableOfType(CudaFailure.class, stream::synchronize).losesContext()).isTrue();
    cudnn.close();
    assertThat(objects()).as("the handle, which can't be destroyed").isEqualTo(objectsBefore + 1);
    device.close();
    try (CudaDevice next = CudaDevice.open(CudaUnderTest.driver(), 0);
      Cudnn again = Cudnn.open(CudaUnderTest.cudnn(), next)) {
      assertThat(again.algorithms(problem(GemmPrecision.FLOAT32))).isNotEmpty();
    }
  }

  @Test
  void closingThatIsRefusedMayBeTriedAgain() {
    Simulator simulator = CudaUnderTest.simulator();
    long before = objects();
    Cudnn cudnn = cudnn();
    assertThat(cudnn.algorithms(problem(GemmPrecision.FLOAT32))).isNotEmpty();
    simulator.fail("cudnnDestroyFilterDescriptor", 1, 4000);
    assertThatThrownBy(cudnn::close).isInstanceOf(CudnnFailure.class);
    simulator.fail("cuCtxSetCurrent", 1, 999);
    assertThatThrownBy(cudnn::close).isInstanceOf(CudaFailure.class);
    simulator.fail("cudnnDestroy", 1, 5000);
    assertThatThrownBy(cudnn::close).isInstanceOf(CudnnFailure.class);
    cudnn.close();
    cudnn.close();
    assertThat(objects()).isEqualTo(before);
    assertThatThrownBy(() -> cudnn.algorithms(problem(GemmPrecision.FLOAT32))).isInstanceOf(
      IllegalStateException.class);
  }

  @Test
  void closedAfterItsDeviceItDoesNothing() {
    Cudnn cudnn = cudnn();
    device.close();
    cudnn.close();
    cudnn.close();
  }

  @Test
  void oneThatCannotBeStartedIsDoneWithout() {
    Simulator simulator = CudaUnderTest.simulator();
    CudaUnderTest.cudnn();
    simulator.fail("cudnnCreate", 1, 1008);
    try (var onDemand = CudnnOnDemand.of(CudaUnderTest.cudnnSearch(), CudaUnderTest.loaded(), device)) {
      assertThat(onDemand.get()).isEmpty();
      assertThat(onDemand.get()).as("it is not looked for again").isEmpty();
    }
    try (var absent = CudnnOnDemand.of(CudaUnderTest.search(), CudaUnderTest.loaded(), device)) {
      assertThat(absent.get()).as("in the folder that is asked for there is none").isEmpty();
    }
  }
}
