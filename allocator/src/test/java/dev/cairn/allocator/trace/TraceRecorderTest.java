package dev.cairn.allocator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.testing.GarbageMeter;
import dev.cairn.testing.ManualClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceRecorderTest {
  @TempDir
  private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private static BfcAllocator allocator(long limitBytes, AllocationListener listener) {
    return new BfcAllocator(FakeSubAllocator.scattered(1L << 40), BfcOptions.DEFAULT.withLimitBytes(limitBytes),
      listener);
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.US_ASCII).lines().toList();
  }

  private AllocationTrace read() throws IOException {
    return RmmCsv.read(new ByteArrayInputStream(out.toByteArray()));
  }

  @Test
  void linesAreThoseOfRmm() throws IOException {
    try (TraceRecorder recorder = new TraceRecorder(out); BfcAllocator allocator = allocator(1L << 22, recorder)) {
      long a = allocator.grant(1000);
      long b = allocator.grant(1, allocator.ownerNumber(Owner.of("x")));
      allocator.release(a);
      assertThatThrownBy(() -> allocator.grant(1L << 40)).isInstanceOf(OutOfMemory.class);
      allocator.release(b);
    }
    String start = Thread.currentThread().threadId() + ",HH:MM:SS:ffffff,";
    assertThat(lines().stream().map(it -> it.replaceFirst(",\\d\\d:\\d\\d:\\d\\d:\\d{6},", ",HH:MM:SS:ffffff,")))
      .containsExactly("Thread,Time,Action,Pointer,Size,Stream", start + "allocate,0x10000000000,1000,0",
        start + "allocate,0x10000000400,1,0", start + "free,0x10000000000,1000,0",
        start + "allocate failure,0x0,1099511627776,0", start + "free,0x10000000400,1,0");
  }

  @Test
  void timesFollowTheClockAndBeginAnewAtMidnight() throws IOException {
    ManualClock clock = new ManualClock();
    clock.advance(Duration.ofDays(3));
    try (TraceRecorder recorder = new TraceRecorder(out, clock, LocalTime.of(23, 59, 58), () -> {});
      BfcAllocator allocator = allocator(1L << 22, recorder)) {
      for (int i = 0; i < 3; i++) {
        long handle = allocator.grant(1);
        clock.advance(Duration.ofNanos(999_999_999));
        allocator.release(handle);
      }
    }
    List<String> times = lines().stream().skip(1).map(it -> it.split(",", -1)[1]).toList();
    assertThat(times).containsExactly("23:59:58:000000", "23:59:58:999999", "23:59:58:999999", "23:59:59:999999",
      "23:59:59:999999", "00:00:00:999999");
  }

  @Test
  void timesAreThoseOfTheDay() throws IOException {
    LocalTime before = LocalTime.now(ZoneId.systemDefault());
    try (TraceRecorder recorder = new TraceRecorder(out)) {
      recorder.freed(0, 256, 256);
    }
    String time = lines().get(1).split(",", -1)[1];
    LocalTime recorded = LocalTime.parse(time, DateTimeFormatter.ofPattern("HH:mm:ss:SSSSSS", Locale.ROOT));
    LocalTime after = LocalTime.now(ZoneId.systemDefault());
    LocalTime from = before.truncatedTo(ChronoUnit.MICROS);
    // If midnight lies between the two readings of the clock, one of them is right.
    assertThat(from.isAfter(after)
      ? !recorded.isBefore(from) || !recorded.isAfter(after)
      : !recorded.isBefore(from) && !recorded.isAfter(after)).as("%s in [%s, %s]", recorded, before, after).isTrue();
  }

  @Test
  void extremesAreWrittenInFull() throws IOException {
    try (TraceRecorder recorder = new TraceRecorder(out)) {
      recorder.granted(0, -256, Long.MAX_VALUE, Long.MAX_VALUE, Owner.NONE);
      recorder.freed(0, -256, Long.MAX_VALUE);
      recorder.freed(1, 0, 512);
    }
    assertThat(lines().get(1)).endsWith(",allocate,0xffffffffffffff00,9223372036854775807,0");
    assertThat(lines().get(2)).endsWith(",free,0xffffffffffffff00,9223372036854775807,0");
    assertThat(lines().get(3)).as("granted before the recording").endsWith(",free,0x0,512,0");
  }

  @Test
  void whatIsReadBackIsWhatWasDone() throws IOException {
    requireReadBack(0, 3);
  }

  @Test
  @Tag("long")
  void soItIsWithMoreSeeds() throws IOException {
    requireReadBack(3, 20);
  }

  private void requireReadBack(int first, int end) throws IOException {
    Path file = folder.resolve("log.csv");
    for (int seed = first; seed < end; seed++) {
      TraceBuilder expected = new TraceBuilder();
      long failures = 0;
      try (TraceRecorder recorder = TraceRecorder.to(file); BfcAllocator allocator = allocator(1L << 26, recorder)) {
        Random random = new Random(seed);
        List<long[]> live = new ArrayList<>();
        for (int step = 0; step < 5_000; step++) {
          if (live.isEmpty() || random.nextInt(100) < 55) {
            long bytes = 1 + random.nextLong(1L << random.nextInt(1, 24));
            try {
              live.add(new long[] {allocator.grant(bytes), expected.grant(bytes)});
            } catch (OutOfMemory e) {
              failures++;
            }
          } else {
            long[] picked = live.remove(random.nextInt(live.size()));
            allocator.release(picked[0]);
            expected.free((int) picked[1]);
          }
        }
        for (long[] rest : live) {
          allocator.release(rest[0]);
          expected.free((int) rest[1]);
        }
      }
      AllocationTrace trace = RmmCsv.read(file);
      assertThat(trace).isEqualTo(expected.build());
      assertThat(trace.notes()).isEqualTo(new TraceNotes(failures, 0, 0, 0, 0));
    }
  }

  @Test
  void manyThreadsLoseNothing() throws Exception {
    int threads = 8;
    int rounds = 4_000;
    try (TraceRecorder recorder = new TraceRecorder(out); BfcAllocator allocator = allocator(1L << 30, recorder)) {
      List<Thread> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(Thread.ofPlatform().start(() -> {
          for (int round = 0; round < rounds; round++) {
            allocator.release(allocator.grant(1 + round));
          }
        }));
      }
      for (Thread worker : workers) {
        worker.join();
      }
    }
    AllocationTrace trace = read();
    assertThat(trace.eventCount()).isEqualTo(2 * threads * rounds);
    assertThat(trace.notes()).isEqualTo(TraceNotes.NONE);
    assertThat(lines().stream().skip(1).map(it -> it.substring(0, it.indexOf(','))).distinct()).hasSize(threads);
  }

  /** Fails after some bytes; counts what it was asked, and whether it was closed. */
  private static final class FailingStream extends OutputStream {
    private final int most;
    private final Throwable failure;
    private int written;
    private boolean closed;

    FailingStream(int most, Throwable failure) {
      this.most = most;
      this.failure = failure;
    }

    @Override
    public void write(int one) throws IOException {
      if (written++ >= most) {
        switch (failure) {
          case IOException e -> throw e;
          case Error e -> throw e;
          default -> throw new IllegalStateException(failure);
        }
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void aFullDiskDisturbsNoAllocationAndIsToldAtTheEnd() {
    for (Throwable failure : List.of(new IOException("no space"), new IllegalStateException("odd"),
      new OutOfMemoryError("heap"))) {
      for (int most : new int[] {0, 39, 1000, 500_000}) {
        FailingStream full = new FailingStream(most, failure);
        TraceRecorder recorder = new TraceRecorder(full);
        try (BfcAllocator allocator = allocator(1L << 30, recorder)) {
          for (int i = 0; i < 10_000; i++) {
            allocator.release(allocator.grant(1));
          }
          allocator.validate();
        }
        assertThatThrownBy(recorder::close).isInstanceOf(IOException.class).hasMessageStartingWith(
          "the trace is incomplete").hasRootCauseInstanceOf(failure.getClass());
        assertThat(full.closed).isTrue();
      }
    }
  }

  @Test
  void aThreadThatIsFasterThanTheDiskWaitsEvenWhenInterrupted() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    Semaphore waits = new Semaphore(0);
    OutputStream slow = new OutputStream() {
      @Override
      public void write(int one) {
        out.write(one);
      }

      @Override
      public void write(byte[] bytes, int from, int length) {
        try {
          release.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        out.write(bytes, from, length);
      }
    };
    boolean[] stillInterrupted = new boolean[1];
    TraceRecorder recorder = new TraceRecorder(slow, System::nanoTime, LocalTime.NOON, waits::release);
    Thread worker = Thread.ofPlatform().start(() -> {
      Thread.currentThread().interrupt();
      for (int i = 0; i < 30_000; i++) {
        recorder.granted(i, 256L * (i + 1), 256, 1, Owner.NONE);
      }
      stillInterrupted[0] = Thread.currentThread().isInterrupted();
    });
    // The first wait ends by the interrupt, and the second one does not.
    waits.acquire(2);
    release.countDown();
    worker.join();
    recorder.close();
    assertThat(stillInterrupted[0]).isTrue();
    assertThat(read().eventCount()).isEqualTo(30_000);
  }

  @Test
  void afterTheEndNothingIsRecordedAndClosingAgainIsAMistake() throws IOException {
    TraceRecorder recorder = new TraceRecorder(out);
    try (BfcAllocator allocator = allocator(1L << 30, recorder)) {
      long kept = allocator.grant(1);
      Thread.currentThread().interrupt();
      recorder.close();
      assertThat(Thread.interrupted()).as("kept").isTrue();
      allocator.release(kept);
      allocator.release(allocator.grant(1));
    }
    assertThat(lines()).hasSize(2);
    assertThatThrownBy(recorder::close).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anEmptyRecordingIsAHeader() throws IOException {
    new TraceRecorder(out).close();
    assertThat(lines()).containsExactly(RmmCsv.HEADER);
  }

  @Test
  void recordingMakesNoObjects() throws IOException {
    try (TraceRecorder recorder = new TraceRecorder(OutputStream.nullOutputStream());
      BfcAllocator allocator = allocator(1L << 30, recorder)) {
      assertThat(GarbageMeter.leastBytes(() -> {
        for (int i = 0; i < 20_000; i++) {
          allocator.release(allocator.grant(256L << i % 10));
        }
      })).isLessThan(1_000);
    }
  }

  @Test
  void aFolderIsNoFile() {
    assertThatThrownBy(() -> TraceRecorder.to(folder)).isInstanceOf(IOException.class);
    assertThat(Files.isDirectory(folder)).isTrue();
  }
}
