package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.blas.GemmCall;
import dev.cairn.kernels.cuda.blas.GemmMatrix;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import org.junit.jupiter.api.Test;

/** cuBLAS on streams that are closed, in contexts that are lost, and after its device. */
class CublasFaultsTest extends OnCuda {
  private static GemmCall product(long matrix) {
    GemmMatrix square = GemmMatrix.of(matrix, 4);
    return GemmCall.of(GemmPrecision.FLOAT32, new int[] {4, 4, 4}, square, square, GemmMatrix.of(matrix + 256, 4));
  }

  private Cublas cublas() {
    return Cublas.open(CudaUnderTest.loaded(), device);
  }

  @Test
  void aClosedStreamIsRefusedAlsoWhenItWasTheLastOne() {
    GemmCall call = product(room(512));
    try (Cublas cublas = cublas()) {
      CudaStream second = device.newStream("second");
      cublas.gemm(second, call);
      second.close();
      assertThatThrownBy(() -> cublas.gemm(second, call)).isInstanceOf(IllegalStateException.class);
      cublas.gemm(stream, call);
      stream.synchronize();
    }
  }

  @Test
  void inALostContextItClosesAndTheNextOneWorks() {
    Simulator simulator = CudaUnderTest.simulator();
    Cublas cublas = cublas();
    long room = room(512);
    cublas.gemm(stream, product(room));
    simulator.loseContext();
    assertThat(catchThrowableOfType(CudaFailure.class, stream::synchronize).losesContext()).isTrue();
    assertThatThrownBy(() -> cublas.gemm(stream, product(room))).isInstanceOf(RuntimeException.class)
      .hasMessageContaining("cublasGemmEx");
    cublas.close();
    device.close();
    try (CudaDevice next = CudaDevice.open(CudaUnderTest.driver(), 0);
      Cublas again = Cublas.open(CudaUnderTest
        .loaded(), next)) {
      again.gemm(next.defaultStream(), product(next.allocate(512).address()));
      next.synchronize();
    }
  }

  @Test
  void closingThatTheDriverRefusesMayBeTriedAgain() {
    Simulator simulator = CudaUnderTest.simulator();
    Cublas cublas = cublas();
    simulator.fail("cuCtxSetCurrent", 1, 999);
    assertThatThrownBy(cublas::close).isInstanceOf(CudaFailure.class);
    cublas.gemm(stream, product(room(512)));
    stream.synchronize();
    cublas.close();
    assertThatThrownBy(cublas::version).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void inALostContextThatCannotBeEnteredItClosesWithoutAWord() {
    Simulator simulator = CudaUnderTest.simulator();
    Cublas cublas = cublas();
    simulator.loseContext();
    simulator.fail("cuCtxSetCurrent", 1, 719);
    cublas.close();
    device.close();
  }

  @Test
  void closedAfterItsDeviceItDoesNothing() {
    Cublas cublas = cublas();
    device.close();
    assertThatThrownBy(cublas::version).isInstanceOf(IllegalStateException.class);
    cublas.close();
    cublas.close();
  }
}
