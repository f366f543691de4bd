package dev.cairn.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.MemoryInfo;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.runtime.cli.doctor.Diagnosis;
import dev.cairn.runtime.cli.doctor.Finding;
import dev.cairn.runtime.cli.doctor.GpuFacts;
import dev.cairn.runtime.cli.doctor.Host;
import dev.cairn.runtime.cli.doctor.HostProbe;
import dev.cairn.runtime.cli.doctor.Severity;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code cairn doctor} finds where there is a GPU. */
class DoctorTest {
  /** CUDA is loaded by then, so nothing is searched for any more. */
  private static Host look() {
    CudaUnderTest.loaded();
    return HostProbe.look(CudaSearch.of(Map.of()));
  }

  private static Finding memory(Host host) {
    return Diagnosis.of(host).findings().stream().filter(it -> it.check().equals("device memory")).findFirst()
      .orElseThrow();
  }

  @Test
  void aMachineWithAGpuIsHealthy() {
    Host host = look();
    assertTrue(Diagnosis.of(host).hasGpu(), () -> Diagnosis.of(host).toString());
    GpuFacts first = host.cuda().devices().getFirst();
    assertEquals("", first.failure());
    assertTrue(first.freeBytes() > 0 && first.freeBytes() <= first.totalBytes(), first::toString);
    assertTrue(first.capability().matches("\\d+\\.\\d+"), first::toString);
  }

  @Test
  void aGpuWhoseMemoryIsTakenIsTold() {
    CudaUnderTest.simulator();
    try (CudaDevice device = CudaDevice.open(CudaUnderTest.driver(), 0)) {
      MemoryInfo memory = device.memoryInfo();
      device.allocate(memory.freeBytes() - (memory.totalBytes() >> 4));
      Host host = look();
      assertEquals(Severity.NO_GPU, memory(host).severity());
      assertEquals("no GPU has memory left", memory(host).cause());
      assertFalse(Diagnosis.of(host).hasGpu());
    }
    assertTrue(Diagnosis.of(look()).hasGpu(), "and it is told no more once the memory is free again");
  }

  @Test
  void aGpuThatHasNoRoomForAContextIsTold() {
    Simulator simulator = CudaUnderTest.simulator();
    simulator.fail("cuDevicePrimaryCtxRetain", 1, 2);
    Finding finding = memory(look());
    assertEquals(Severity.NO_GPU, finding.severity());
    assertTrue(finding.evidence().contains("CUDA_ERROR_OUT_OF_MEMORY"), finding::evidence);
  }
}
