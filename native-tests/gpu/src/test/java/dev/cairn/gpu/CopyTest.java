package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.cuda.CudaEvent;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.DeviceMemory;
import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.kernels.cuda.PinnedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class CopyTest extends OnCuda {
  private static final int BYTES = 1 << 16;

  /** Copies and fills of random ranges in random directions, on one stream, against two arrays. */
  @Test
  void randomCopiesAndFillsLeaveWhatAModelHas() {
    long address = room(BYTES);
    try (PinnedMemory pinned = device.allocatePinned(BYTES); Arena arena = Arena.ofConfined()) {
      MemorySegment pageable = arena.allocate(BYTES);
      byte[] onDevice = new byte[BYTES];
      byte[] onHost = new byte[BYTES];
      var random = new SplittableRandom(6);
      pinned.segment().fill((byte) 0);
      stream.fill(address, (byte) 0, BYTES);
      for (int round = 0; round < 300; round++) {
        int bytes = random.nextInt(BYTES / 2);
        int from = random.nextInt(BYTES / 2);
        int to = random.nextInt(BYTES / 2);
        switch (random.nextInt(5)) {
          case 0 -> {
            stream.copyToDevice(address + to, pinned.segment().asSlice(from, bytes));
            System.arraycopy(onHost, from, onDevice, to, bytes);
          }
          case 1 -> {
            stream.copyToHost(pinned.segment().asSlice(to, bytes), address + from);
            System.arraycopy(onDevice, from, onHost, to, bytes);
          }
          case 2 -> {
            int half = bytes / 2;
            stream.copyOnDevice(address + BYTES / 2 + half, address + from / 2, half);
            System.arraycopy(onDevice, from / 2, onDevice, BYTES / 2 + half, half);
          }
          case 3 -> {
            byte value = (byte) random.nextInt();
            stream.fill(address + to, value, bytes);
            Arrays.fill(onDevice, to, to + bytes, value);
          }
          default -> {
            byte[] noise = new byte[bytes];
            random.nextBytes(noise);
            MemorySegment.copy(noise, 0, pageable, ValueLayout.JAVA_BYTE, 0, bytes);
            stream.copyToDevice(address + to, pageable.asSlice(0, bytes));
            // Memory that is not page-locked was read when the call returned.
            pageable.fill((byte) 0x55);
            System.arraycopy(noise, 0, onDevice, to, bytes);
          }
        }
      }
      stream.synchronize();
      assertThat(pinned.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(onHost);
      stream.copyToHost(pageable, address);
      assertThat(pageable.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(onDevice);
    }
  }

  @Test
  void intsAreFilledWhole() {
    long address = upload(new int[100]);
    stream.fillInts(address + 40, 0x01020304, 7);
    int[] wanted = new int[100];
    Arrays.fill(wanted, 10, 17, 0x01020304);
    assertThat(ints(address, 100)).isEqualTo(wanted);
  }

  @Test
  void aCopyOnAnotherStreamWaitsForTheMark() {
    CudaStream second = device.newStream("second");
    long first = room(BYTES);
    long other = room(BYTES);
    try (PinnedMemory pinned = device.allocatePinned(BYTES)) {
      for (int round = 1; round <= 50; round++) {
        stream.fillInts(first, round, BYTES / 4);
        second.waitFor(stream, stream.record());
        second.copyOnDevice(other, first, BYTES);
        stream.waitFor(second, second.record());
        second.copyToHost(pinned.segment(), other);
        second.synchronize();
        assertThat(pinned.segment().toArray(ValueLayout.JAVA_INT)).containsOnly(round);
      }
    }
  }

  /** Many more marks than the ring has places for, while nothing can pass and when all has. */
  @Test
  void marksPassInOrderHoweverManyThereAre() {
    long address = room(BYTES);
    for (int i = 1; i <= 500; i++) {
      stream.fill(address, (byte) i, BYTES);
      assertThat(stream.record()).isEqualTo(i);
    }
    long seen = 0;
    while (seen < 500) {
      long passed = seen;
      while (passed < 500 && stream.hasPassed(passed + 1)) {
        passed++;
      }
      for (long mark = 1; mark <= passed; mark++) {
        assertThat(stream.hasPassed(mark)).isTrue();
      }
      seen = passed;
    }
  }

  @Test
  void eventsTellTheTimeBetweenThem() {
    try (CudaEvent first = device.newEvent(); CudaEvent second = device.newEvent()) {
      assertThat(first.hasPassed()).isTrue();
      first.record(stream);
      stream.fill(room(BYTES), (byte) 1, BYTES);
      second.record(stream);
      second.synchronize();
      assertThat(first.hasPassed()).isTrue();
      assertThat(first.millisUntil(second)).isBetween(0f, 60_000f);
    }
  }

  @Test
  void memoryOnTheJavaHeapIsRefused() {
    assertThatThrownBy(() -> stream.copyToDevice(room(16), MemorySegment.ofArray(new byte[16]))).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("Java heap");
  }

  @Test
  void copiesOfNothingAreNothing() {
    stream.copyToDevice(0, MemorySegment.NULL);
    stream.copyToHost(MemorySegment.NULL, 0);
    stream.copyOnDevice(0, 0, 0);
    stream.fill(0, (byte) 0, 0);
    stream.synchronize();
  }

  @Test
  void countsThatNoMemoryHasAreRefusedAndNothingIsLost() {
    Assumptions.assumeFalse(CudaUnderTest.isReal(), "skipped: a GPU sees no end of memory inside a page");
    long room = room(4096);
    for (int bits = 13; bits < 63; bits++) {
      long count = 1L << bits;
      assertThatThrownBy(() -> stream.fill(room, (byte) 1, count)).isInstanceOf(CudaFailure.class);
      assertThatThrownBy(() -> stream.fillInts(room, 1, count)).isInstanceOf(CudaFailure.class);
      assertThatThrownBy(() -> stream.copyOnDevice(room, room, count)).isInstanceOf(CudaFailure.class);
    }
    assertThatThrownBy(() -> stream.fill(room, (byte) 1, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stream.fillInts(room, 1, Long.MIN_VALUE)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stream.copyOnDevice(room, room, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LaunchShape.covering(-1, 32)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LaunchShape.covering(1L << 40, 32)).isInstanceOf(IllegalArgumentException.class);
    stream.synchronize();
  }

  @Test
  void memoryThatWasGivenBackIsToBeHadAgain() {
    long free = device.memoryInfo().freeBytes();
    for (int round = 0; round < 100; round++) {
      try (DeviceMemory memory = device.allocate(8 << 20)) {
        if (!CudaUnderTest.isReal()) { // other tests take and return memory meanwhile
          assertThat(device.memoryInfo().freeBytes()).isLessThanOrEqualTo(free - (8 << 20));
        }
        assertThat(memory.address() % 256).isZero();
      }
    }
    if (!CudaUnderTest.isReal()) {
      assertThat(device.memoryInfo().freeBytes()).isEqualTo(free);
    }
  }

  @Test
  void aSegmentEndsWithItsMemory() {
    PinnedMemory pinned = device.allocatePinned(64);
    MemorySegment segment = pinned.segment();
    pinned.close();
    pinned.close();
    assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
  }
}
