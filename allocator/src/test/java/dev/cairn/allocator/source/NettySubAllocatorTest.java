package dev.cairn.allocator.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Scanner;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NettySubAllocatorTest {
  private final NettySubAllocator source = new NettySubAllocator();

  private static NettySubAllocator source(boolean isNettyThere) {
    assertThat(NettyBuffers.find()).isPresent();
    return isNettyThere ? new NettySubAllocator() : new NettySubAllocator(Optional.empty());
  }

  /** What users have whose class path lacks netty: the class must not even be linked with it. */
  @Test
  void withoutNettyOnTheClassPathTheCLibraryServes() throws Exception {
    URL[] classes = {NettySubAllocator.class.getProtectionDomain().getCodeSource().getLocation()};
    try (var loader = new URLClassLoader(classes, new WithoutNetty())) {
      Class<?> type = loader.loadClass(NettySubAllocator.class.getName());
      assertThat(type.getClassLoader()).isEqualTo(loader);
      Object other = type.getConstructor().newInstance();
      Object region = Objects.requireNonNull(type.getMethod("allocate", long.class).invoke(other, 4096L));
      assertThat(type.getMethod("heldBytes").invoke(other)).isEqualTo(4096L);
      type.getMethod("release", region.getClass()).invoke(other, region);
      assertThat(type.getMethod("heldBytes").invoke(other)).isEqualTo(0L);
    }
  }

  /** Knows all that the test knows, but neither netty nor Cairn. */
  private static final class WithoutNetty extends ClassLoader {
    WithoutNetty() {
      super(NettySubAllocatorTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("io.netty.") || name.startsWith("dev.cairn.")) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }

  /** The Java heap is full at the moment when a region is written down. */
  private static final class FullHeap extends HeldRegions {
    @Override
    synchronized Region hold(Region region, Runnable giveBack) {
      throw new OutOfMemoryError("on purpose");
    }
  }

  @Test
  void aBufferThatCannotBeWrittenDownGoesBack() {
    NettyBuffers buffers = NettyBuffers.find().orElseThrow();
    var full = new NettySubAllocator(Optional.of(buffers), new FullHeap());
    assertThatThrownBy(() -> full.allocate(1 << 20)).isInstanceOf(OutOfMemoryError.class);
    assertThat(buffers.usedBytes()).isZero();
  }

  @Test
  void memoryOfTheCLibraryThatCannotBeWrittenDownGoesBack() throws Throwable {
    var full = new NettySubAllocator(Optional.empty(), new FullHeap());
    long before = mappedBytes();
    for (int i = 0; i < 4; i++) {
      assertThatThrownBy(() -> full.allocate(1L << 30)).isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(mappedBytes() - before).isLessThan(1L << 30);
  }

  /** Bytes in mappings of their own that {@code malloc} has given, of glibc. */
  private static long mappedBytes() throws Throwable {
    Linker linker = Linker.nativeLinker();
    MemorySegment mallinfo = linker.defaultLookup().find("mallinfo2").orElse(MemorySegment.NULL);
    Assumptions.assumeTrue(mallinfo.address() != 0, "skipped: the C library has no mallinfo2");
    StructLayout figures = MemoryLayout.structLayout(MemoryLayout.sequenceLayout(10, ValueLayout.JAVA_LONG));
    try (Arena arena = Arena.ofConfined()) {
      var now = (MemorySegment) linker.downcallHandle(mallinfo, FunctionDescriptor.of(figures)).invokeExact(
        (SegmentAllocator) arena);
      return now.getAtIndex(ValueLayout.JAVA_LONG, 4);
    }
  }

  @Test
  void regionsBeyondTwoGibibytesAreOneRange() {
    long bytes = 3L << 30;
    Region region = Objects.requireNonNull(source.allocate(bytes));
    assertThat(region.address() % 256).isZero();
    assertThat(region.segment().byteSize()).isEqualTo(bytes);
    // Only a few pages are touched; the others cost nothing.
    for (long at : new long[] {0, (1L << 31) - 4, 1L << 31, bytes - 4}) {
      region.segment().set(ValueLayout.JAVA_INT, at, (int) (at >>> 8));
      assertThat(region.segment().get(ValueLayout.JAVA_INT, at)).isEqualTo((int) (at >>> 8));
    }
    assertThat(source.heldBytes()).isEqualTo(bytes);
    source.release(region);
    assertThat(source.heldBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theEdgesBetweenNettyAndTheNativeHeapAreSeamless(boolean isNettyThere) {
    NettySubAllocator source = source(isNettyThere);
    for (long bytes : new long[] {256, (64L << 20) - 256, 64L << 20, (64L << 20) + 256, Integer.MAX_VALUE + 1L}) {
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

  /** Touches 192 MiB in each of two ways and looks whether the process has given them back. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void releasedMemoryLeavesTheProcess(boolean isNettyThere) throws Exception {
    NettySubAllocator source = source(isNettyThere);
    Path status = Path.of("/proc/self/statm");
    Assumptions.assumeTrue(Files.isReadable(status), "skipped: no /proc");
    for (long bytes : new long[] {48L << 20, 96L << 20}) {
      List<Region> regions = new ArrayList<>();
      for (long taken = 0; taken < 192L << 20; taken += bytes) {
        Region region = Objects.requireNonNull(source.allocate(bytes));
        region.segment().fill((byte) 1);
        regions.add(region);
      }
      long touched = residentPages(status);
      regions.forEach(source::release);
      assertThat(residentPages(status)).isLessThan(touched - (150L << 20) / 4096);
    }
  }

  private static long residentPages(Path status) throws Exception {
    try (Scanner fields = new Scanner(status, StandardCharsets.US_ASCII)) {
      fields.nextLong();
      return fields.nextLong();
    }
  }
}
