package dev.cairn.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.convolution.ChosenKernels;
import dev.cairn.kernels.cuda.convolution.ConvolutionChoice;
import dev.cairn.kernels.cuda.convolution.KernelTimer;
import dev.cairn.kernels.cuda.convolution.MeasuredConvolution;
import dev.cairn.kernels.cuda.dnn.CudnnOnDemand;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Which kernel is chosen, with times that the test says. The simulated cuDNN advises {@code IMPLICIT_PRECOMP_GEMM} and
 * then {@code IMPLICIT_GEMM} for a convolution with strides.
 */
class MeasuredConvolutionTest {
  private static final String FIRST = "cuDNN IMPLICIT_PRECOMP_GEMM";
  private static final String SECOND = "cuDNN IMPLICIT_GEMM";

  private final Deque<Double> times = new ArrayDeque<>();
  private final KernelTimer timer = (stream, work) -> {
    work.run();
    stream.synchronize();
    return times.removeFirst();
  };
  private final ChosenKernels chosen = new ChosenKernels();
  private Simulator simulator;
  private CudaDevice device;
  private CudnnOnDemand cudnn;

  @BeforeEach
  void open() {
    simulator = CudaUnderTest.simulator();
    CudaUnderTest.cudnn();
    device = CudaDevice.open(CudaUnderTest.driver(), 0);
    cudnn = found(CudaUnderTest.cudnnSearch());
  }

  @AfterEach
  void close() {
    if (device != null) {
      cudnn.close();
      device.close();
    }
  }

  private CudnnOnDemand found(CudaSearch search) {
    return CudnnOnDemand.of(search, CudaUnderTest.loaded(), device);
  }

  private MeasuredConvolution kernel(ConvolutionChoice how, Optional<Cublas> cublas) {
    return new MeasuredConvolution(new KernelLibrary(device, CudaUnderTest.compiler(), GemmPrecision.FLOAT32), cublas,
      cudnn, how, chosen, timer);
  }

  private MeasuredConvolution measured() {
    return kernel(ConvolutionChoice.MEASURED, Optional.empty());
  }

  /** Two images of three channels and {@code width} columns, by five windows of 3×3 that step by two. */
  private static KernelSignature strided(DType dtype, int width) {
    return KernelSignature.of(List.of(TensorType.of(dtype, 2, 3, 7, width), TensorType.of(dtype, 5, 3, 3, 3)), List.of(
      TensorType.of(dtype, 2, 5, 3, (width - 3) / 2 + 1)),
      Attributes.NONE.with("strides", AttributeValue.Ints.of(2,
        2)));
  }

  private String chosen(KernelSignature signature, double... wanted) {
    times.clear();
    for (double time : wanted) {
      times.add(time);
    }
    String name = measured().chosenFor(signature);
    assertThat(times).as("all were timed").isEmpty();
    return name;
  }

  @Test
  void theFastestIsChosen() {
    assertThat(chosen(strided(DType.FLOAT32, 7), 1, 2, 3)).isEqualTo("own");
    assertThat(chosen(strided(DType.FLOAT32, 9), 3, 2, 3)).isEqualTo(FIRST);
    assertThat(chosen(strided(DType.FLOAT32, 11), 3, 2, 1)).isEqualTo(SECOND);
    assertThat(chosen(strided(DType.FLOAT16, 11), 3, 1, 2)).isEqualTo(FIRST);
    assertThat(chosen(strided(DType.BFLOAT16, 12), 3, 4, 2)).as("an odd number of half values").isEqualTo(SECOND);
  }

  @Test
  void whoIsHardlyFasterDoesNotTakeAnothersPlace() {
    assertThat(chosen(strided(DType.FLOAT32, 7), 1, 0.96, 0.951)).isEqualTo("own");
    assertThat(chosen(strided(DType.FLOAT32, 9), 1, 0.94, 0.93)).isEqualTo(FIRST);
  }

  @Test
  void whatWasChosenStaysChosenAlsoForWhoComesLater() {
    KernelSignature signature = strided(DType.FLOAT32, 7);
    assertThat(chosen(signature, 3, 2, 1)).isEqualTo(SECOND);
    assertThat(chosen(signature)).as("nothing is timed again").isEqualTo(SECOND);
    assertThat(measured().workspaceBytes(signature)).isZero();
    cudnn.close();
    device.close();
    device = CudaDevice.open(CudaUnderTest.driver(), 0);
    cudnn = found(CudaUnderTest.cudnnSearch());
    assertThat(chosen(signature)).as("nor on the device that was opened again").isEqualTo(SECOND);
    assertThat(chosen(strided(DType.FLOAT16, 7), 1, 2, 3)).as("another type is another choice").isEqualTo("own");
  }

  /** The plan of the one that was first would not have room for another's choice. */
  @Test
  void whatAnotherSessionChoseMeanwhileCounts() {
    KernelSignature signature = strided(DType.FLOAT32, 7);
    KernelTimer first = (stream, work) -> {
      if (times.isEmpty()) {
        chosen(signature, 3, 2, 1);
        times.addAll(List.of(1.0, 2.0, 3.0));
      }
      return times.removeFirst();
    };
    var kernel = new MeasuredConvolution(new KernelLibrary(device, CudaUnderTest.compiler(), GemmPrecision.FLOAT32),
      Optional.empty(), cudnn, ConvolutionChoice.MEASURED, chosen, first);
    assertThat(kernel.chosenFor(signature)).isEqualTo(SECOND);
    assertThat(kernel.workspaceBytes(signature)).isZero();
  }

  @Test
  void theWorkspaceIsThatOfWhoWasChosen() {
    KernelSignature signature = strided(DType.FLOAT32, 7);
    assertThat(chosen(signature, 2, 1, 2)).isEqualTo(FIRST);
    // 27 terms of four bytes, eight bytes, and room for an alignment of 256.
    assertThat(measured().workspaceBytes(signature)).isEqualTo(27 * 4 + 8 + 256);
  }

  @Test
  void cublasIsOneMoreWhereItHasACallAndComesFirst() {
    KernelSignature product = KernelSignature.of(List.of(TensorType.of(DType.FLOAT32, 1, 4, 5, 5), TensorType.of(
      DType.FLOAT32, 6, 4, 1, 1)), List.of(TensorType.of(DType.FLOAT32, 1, 6, 5, 5)), Attributes.NONE);
    try (Cublas cublas = Cublas.open(CudaUnderTest.loaded(), device)) {
      times.addAll(List.of(1.0, 1.0, 1.0, 1.0));
      assertThat(kernel(ConvolutionChoice.MEASURED, Optional.of(cublas)).chosenFor(product)).isEqualTo("cuBLAS");
      assertThat(times).isEmpty();
    }
  }

  @Test
  void whoFailsIsOut() {
    simulator.fail("cudnnConvolutionForward", 1, 3000);
    assertThat(chosen(strided(DType.FLOAT32, 7), 3, 2)).isEqualTo(SECOND);
    simulator.fail("cudnnConvolutionForward", 2, 5000);
    assertThat(chosen(strided(DType.FLOAT32, 9), 3, 4)).as("the first fails when it is timed").isEqualTo("own");
  }

  /** A call that only looks as if it went well leaves the output as it was. */
  @Test
  void whoHasOtherResultsIsOut() {
    simulator.fail("cudnnConvolutionForward", 1, 0);
    assertThat(chosen(strided(DType.FLOAT32, 7), 3, 2)).isEqualTo(SECOND);
    simulator.fail("cudnnConvolutionForward", 1, 0);
    assertThat(kernel(ConvolutionChoice.CUDNN, Optional.empty()).chosenFor(strided(DType.FLOAT32, 9))).isEqualTo(
      SECOND);
  }

  @Test
  void whereItIsAskedForCudnnIsTakenUntimed() {
    assertThat(kernel(ConvolutionChoice.CUDNN, Optional.empty()).chosenFor(strided(DType.FLOAT32, 7))).isEqualTo(FIRST);
    simulator.fail("cudnnConvolutionForward", 1, 3000);
    assertThat(kernel(ConvolutionChoice.CUDNN, Optional.empty()).chosenFor(strided(DType.FLOAT32, 9))).isEqualTo(
      SECOND);
    assertThat(chosen(strided(DType.FLOAT32, 7), 1, 2, 3)).as("what is measured is another choice").isEqualTo("own");
  }

  @Test
  void scratchMemoryIsGivenBack() {
    long free = device.memoryInfo().freeBytes();
    assertThat(chosen(strided(DType.FLOAT32, 7), 3, 2, 1)).isEqualTo(SECOND);
    assertThat(device.memoryInfo().freeBytes()).isEqualTo(free);
    simulator.fail("cudnnConvolutionForward", 1, 5000);
    assertThat(chosen(strided(DType.FLOAT32, 9), 3, 2)).isEqualTo(SECOND);
    assertThat(device.memoryInfo().freeBytes()).isEqualTo(free);
  }

  @Test
  void withoutRoomToTryNothingIsTriedAndEverythingIsGivenBack() {
    for (int nth = 1; nth <= 3; nth++) {
      long free = device.memoryInfo().freeBytes();
      simulator.fail("cuMemAlloc", nth, 2);
      assertThat(measured().chosenFor(strided(DType.FLOAT32, 7 + 2 * nth))).as("%d", nth).isEqualTo("own");
      simulator.clear("cuMemAlloc");
      assertThat(device.memoryInfo().freeBytes()).as("%d", nth).isEqualTo(free);
    }
  }

  /** The fourth is the workspace of the first algorithm, after our own kernel was timed. */
  @Test
  void whoFindsNoRoomIsOutAndTheOthersGoOn() {
    long free = device.memoryInfo().freeBytes();
    simulator.fail("cuMemAlloc", 4, 2);
    assertThat(chosen(strided(DType.FLOAT32, 7), 3, 1)).isEqualTo(SECOND);
    simulator.fail("cuMemAlloc", 4, 2);
    assertThat(chosen(strided(DType.FLOAT32, 9), 1, 3)).isEqualTo("own");
    assertThat(device.memoryInfo().freeBytes()).isEqualTo(free);
  }

  @Test
  void otherFaultsOfTheDriverAreTheCallersAndAreNotRemembered() {
    KernelSignature signature = strided(DType.FLOAT32, 7);
    simulator.fail("cuMemAlloc", 1, 999);
    assertThatThrownBy(() -> measured().chosenFor(signature)).isInstanceOf(CudaFailure.class);
    assertThat(chosen(signature, 3, 2, 1)).isEqualTo(SECOND);
  }

  @Test
  void withoutCudnnNothingIsServedAndForOtherConvolutionsItIsNotLookedFor() {
    long created = simulator.calls("cudnnCreate");
    KernelSignature unequal = KernelSignature.of(List.of(TensorType.of(DType.FLOAT32, 1, 1, 4, 4), TensorType.of(
      DType.FLOAT32, 1, 1, 3, 3)), List.of(TensorType.of(DType.FLOAT32, 1, 1, 3, 3)),
      Attributes.NONE.with("pads", AttributeValue.Ints.of(0, 0, 1, 1)));
    assertThat(measured().accepts(unequal)).isFalse();
    assertThat(simulator.calls("cudnnCreate")).isEqualTo(created);
    assertThat(measured().accepts(strided(DType.FLOAT32, 7))).isTrue();
    assertThat(simulator.calls("cudnnCreate")).isEqualTo(created + 1);
    cudnn.close();
    cudnn = found(CudaUnderTest.search());
    assertThat(measured().accepts(strided(DType.FLOAT32, 7))).isFalse();
  }

  @Test
  void theDevicesClockGivesAMedianOfRunsThatAreBounded() {
    int[] runs = {0};
    try (var stream = device.newStream("timed"); var memory = device.allocate(64)) {
      double millis = KernelTimer.ofDevice().millis(stream, () -> {
        stream.fill(memory.address(), (byte) 0, 64);
        runs[0]++;
      });
      assertThat(millis).isNotNegative();
      assertThat(runs[0]).isBetween(1, 5);
    }
  }
}
