package dev.cairn.allocator.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaDriver;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is special to sources over the CUDA driver: codes, closing, and virtual addresses. */
@Tag("long")
class CudaSourcesTest {
  private static final int OUT_OF_MEMORY = 2;
  private static final int UNKNOWN = 999;
  private static final long PAGE_BYTES = 2 << 20;

  @BeforeEach
  void load() {
    CudaUnderTest.loaded();
  }

  private static Region take(SubAllocator source, long bytes) {
    return Objects.requireNonNull(source.allocate(bytes));
  }

  /** The Java heap is full at the moment when a region is written down. */
  private static final class FullHeap extends HeldRegions {
    @Override
    synchronized Region hold(Region region, Runnable giveBack) {
      throw new OutOfMemoryError("on purpose");
    }
  }

  @Test
  void memoryThatCannotBeWrittenDownGoesBack() {
    Simulator simulator = CudaUnderTest.simulator();
    CudaDriver driver = CudaUnderTest.driver();
    try (CudaDevice device = CudaDevice.open(driver, 0);
      var plain = CudaSubAllocator.of(0, new FullHeap());
      var pinned = PinnedSubAllocator.of(0, new FullHeap())) {
      long free = device.memoryInfo().freeBytes();
      String before = simulator.leaks();
      assertThatThrownBy(() -> plain.allocate(1 << 20)).isInstanceOf(OutOfMemoryError.class);
      assertThatThrownBy(() -> pinned.allocate(1 << 20)).isInstanceOf(OutOfMemoryError.class);
      assertThat(device.memoryInfo().freeBytes()).isEqualTo(free);
      assertThat(simulator.leaks()).isEqualTo(before);
    }
  }

  @Test
  void virtualRegionsAdjoinAndFillGapsFromBelow() {
    try (var source = CudaVirtualSubAllocator.of(0)) {
      long unit = source.granularityBytes();
      List<Region> regions = new ArrayList<>();
      for (int i = 1; i <= 4; i++) {
        regions.add(take(source, i * unit));
      }
      for (int i = 1; i < 4; i++) {
        assertThat(regions.get(i).address()).isEqualTo(regions.get(i - 1).endAddress());
      }
      source.release(regions.remove(1));
      Region small = take(source, unit);
      Region large = take(source, 5 * unit);
      assertThat(small.address()).isEqualTo(regions.getFirst().endAddress());
      assertThat(large.address()).isEqualTo(regions.getLast().endAddress());
      regions.addAll(List.of(small, large));
      regions.forEach(source::release);
      Region again = take(source, unit);
      assertThat(again.address()).isEqualTo(regions.getFirst().address());
      source.release(again);
    }
  }

  /** Regions of odd lengths against what the driver says is free: exactly the pages that some region touches. */
  @Test
  void pagesThatNoRegionTouchesGoBack() {
    Simulator simulator = CudaUnderTest.simulator();
    CudaDriver driver = CudaUnderTest.driver();
    var random = new SplittableRandom(4);
    String before = simulator.leaks();
    try (CudaDevice device = CudaDevice.open(driver, 0); var source = CudaVirtualSubAllocator.of(0)) {
      long free = device.memoryInfo().freeBytes();
      assertThat(source.freeBytes()).hasValue(free);
      List<Region> regions = new ArrayList<>();
      for (int round = 0; round < 200; round++) {
        if (regions.size() < 8 && random.nextInt(3) > 0) {
          regions.add(take(source, 256L * (1 + random.nextInt(20_000))));
        } else if (!regions.isEmpty()) {
          source.release(regions.remove(random.nextInt(regions.size())));
        }
        Set<Long> pages = new HashSet<>();
        for (Region region : regions) {
          for (long page = region.address() / PAGE_BYTES; page * PAGE_BYTES < region.endAddress(); page++) {
            pages.add(page);
          }
        }
        assertThat(free - device.memoryInfo().freeBytes()).isEqualTo(pages.size() * PAGE_BYTES);
        device.defaultStream().synchronize();
      }
      for (Region region : regions) {
        device.defaultStream().fill(region.address(), (byte) 3, region.bytes());
      }
      device.synchronize();
      regions.forEach(source::release);
    }
    assertThat(simulator.leaks()).isEqualTo(before);
  }

  @Test
  void aSourceInUseIsNotClosed() {
    var source = CudaSubAllocator.of(0);
    Region region = take(source, 4096);
    assertThatThrownBy(source::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("regions=1");
    source.release(region);
    source.close();
    source.close();
    assertThatThrownBy(() -> source.allocate(4096)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void moreThanTheDeviceHasIsNotToBeHad() {
    try (var plain = CudaSubAllocator.of(0); var virtual = CudaVirtualSubAllocator.of(0)) {
      for (SubAllocator source : List.of(plain, virtual)) {
        List<Region> regions = new ArrayList<>();
        long bytes = source.maximumRegionBytes();
        while (bytes >= 32L << 20) {
          Region region = source.allocate(bytes / source.granularityBytes() * source.granularityBytes());
          if (region == null) {
            bytes /= 2;
          } else {
            regions.add(region);
          }
        }
        assertThat(regions).isNotEmpty();
        assertThat(source.allocate(source.maximumRegionBytes())).isNull();
        regions.forEach(source::release);
      }
    }
  }

  /** Each call of a source's life fails once with a memory error and once with another; then all of it works. */
  @Test
  void aFailureOfAnyCallLeavesTheSourceAsItWas() {
    Simulator simulator = CudaUnderTest.simulator();
    String before = simulator.leaks();
    for (String call : List.of("cuMemAlloc_v2", "cuMemFree_v2", "cuCtxSetCurrent")) {
      var source = CudaSubAllocator.of(0);
      failOnce(simulator, call, source, 1 << 20);
      source.close();
    }
    for (String call : List.of("cuMemAllocHost_v2", "cuMemFreeHost", "cuCtxSetCurrent")) {
      var source = PinnedSubAllocator.of(0);
      failOnce(simulator, call, source, 1 << 20);
      source.close();
    }
    for (String call : List.of("cuMemCreate", "cuMemMap", "cuMemSetAccess", "cuMemUnmap", "cuMemRelease",
      "cuCtxSynchronize", "cuCtxSetCurrent")) {
      var source = CudaVirtualSubAllocator.of(0);
      failOnce(simulator, call, source, source.granularityBytes());
      source.close();
    }
    for (String call : List.of("cuInit", "cuDeviceGet", "cuDeviceTotalMem_v2", "cuDevicePrimaryCtxRetain",
      "cuCtxSetCurrent", "cuMemGetAllocationGranularity", "cuMemAddressReserve")) {
      simulator.fail(call, 1, UNKNOWN);
      assertThat(catchThrowableOfType(CudaSourceFailure.class, () -> CudaVirtualSubAllocator.of(0)).code())
        .isEqualTo(UNKNOWN);
    }
    assertThat(simulator.leaks()).isEqualTo(before);
  }

  /** The second of a mapping's pages can't be had, and the first one can't be given back at once. */
  @Test
  void aMappingThatFailsTwiceIsUndoneLater() {
    Simulator simulator = CudaUnderTest.simulator();
    String before = simulator.leaks();
    for (String undo : List.of("cuMemUnmap", "cuMemRelease")) {
      var source = CudaVirtualSubAllocator.of(0);
      long part = source.granularityBytes();
      Region first = Objects.requireNonNull(source.allocate(part));
      simulator.fail("cuMemMap", 2, UNKNOWN);
      simulator.fail(undo, "cuMemRelease".equals(undo) ? 2 : 1, UNKNOWN);
      assertThat(catchThrowableOfType(CudaSourceFailure.class, () -> source.allocate(64L << 20)).call()).isEqualTo(
        "cuMemMap");
      Region second = Objects.requireNonNull(source.allocate(64L << 20));
      source.release(second);
      source.release(first);
      source.close();
      assertThat(simulator.leaks()).as(undo).isEqualTo(before);
      simulator.clear(undo);
    }
  }

  private static void failOnce(Simulator simulator, String call, SubAllocator source, long bytes) {
    for (int code : new int[] {OUT_OF_MEMORY, UNKNOWN}) {
      simulator.fail(call, 1, code);
      Region region = null;
      try {
        region = source.allocate(bytes);
        if (region != null) {
          source.release(region);
          throw new AssertionError("nothing failed: call=" + call);
        }
        assertThat(code).isEqualTo(OUT_OF_MEMORY);
        assertThat(call).contains("Mem");
      } catch (CudaSourceFailure e) {
        assertThat(e.code()).isEqualTo(code);
        assertThat(call).startsWith(e.call());
        if (region != null) {
          source.release(region);
        }
      }
      Region good = take(source, bytes);
      source.release(good);
    }
  }
}
