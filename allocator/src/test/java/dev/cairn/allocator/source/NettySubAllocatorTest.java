package dev.cairn.allocator.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Scanner;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class NettySubAllocatorTest {
  private final NettySubAllocator source = new NettySubAllocator();

  @Test
  void regionsBeyondTwoGibibytesAreOneRange() {
    long bytes = 3L << 30;
    Region region = Objects.requireNonNull(source.allocate(bytes));
    assertThat(region.address() % 256).isZero();
    assertThat(region.segment().byteSize()).isEqualTo(bytes);
    // A few pages only: what isn't touched costs nothing.
    for (long at : new long[] {0, (1L << 31) - 4, 1L << 31, bytes - 4}) {
      region.segment().set(ValueLayout.JAVA_INT, at, (int) (at >>> 8));
      assertThat(region.segment().get(ValueLayout.JAVA_INT, at)).isEqualTo((int) (at >>> 8));
    }
    assertThat(source.heldBytes()).isEqualTo(bytes);
    source.release(region);
    assertThat(source.heldBytes()).isZero();
  }

  @Test
  void theEdgesBetweenNettyAndTheNativeHeapAreSeamless() {
    for (long bytes : new long[] {(64L << 20) - 256, 64L << 20, (64L << 20) + 256, Integer.MAX_VALUE + 1L}) {
      Region region = Objects.requireNonNull(source.allocate(bytes));
      assertThat(region.segment().byteSize()).isEqualTo(bytes);
      region.segment().set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 1);
      source.release(region);
    }
  }

  @Test
  void impossibleLengthsAreRefusedWithoutAnError() {
    assertThat(source.allocate(1L << 45)).isNull();
    assertThat(source.allocate(1L << 62)).isNull();
    assertThat(source.heldBytes()).isZero();
  }

  /** Touches 384 MiB in each of two ways and looks whether the process has given them back. */
  @Test
  void releasedMemoryLeavesTheProcess() throws Exception {
    Path status = Path.of("/proc/self/statm");
    Assumptions.assumeTrue(Files.isReadable(status), "skipped: no /proc");
    for (long bytes : new long[] {48L << 20, 96L << 20}) {
      List<Region> regions = new ArrayList<>();
      for (long taken = 0; taken < 384L << 20; taken += bytes) {
        Region region = Objects.requireNonNull(source.allocate(bytes));
        region.segment().fill((byte) 1);
        regions.add(region);
      }
      long touched = residentPages(status);
      regions.forEach(source::release);
      assertThat(residentPages(status)).isLessThan(touched - (300L << 20) / 4096);
    }
  }

  private static long residentPages(Path status) throws Exception {
    try (Scanner fields = new Scanner(status, StandardCharsets.US_ASCII)) {
      fields.nextLong();
      return fields.nextLong();
    }
  }
}
