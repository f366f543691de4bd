package dev.cairn.kernels.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every device's streams do. A subclass gives the device. */
public abstract class StreamContract {
  private Device device;

  /** A device of its own for each test, which the test closes. */
  protected abstract Device newDevice();

  @BeforeEach
  void openDevice() {
    device = newDevice();
  }

  @AfterEach
  void closeDevice() {
    device.close();
  }

  private List<Stream> streams(int made) {
    List<Stream> streams = new ArrayList<>(List.of(device.defaultStream()));
    for (int i = 0; i < made; i++) {
      streams.add(device.newStream("s" + i));
    }
    return streams;
  }

  @Test
  void workIsDoneInTheOrderInWhichItWasGiven() {
    for (Stream stream : streams(2)) {
      List<Integer> done = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        int number = i;
        stream.submit(() -> done.add(number));
      }
      stream.synchronize();
      assertThat(done).hasSize(10_000).isSorted();
    }
  }

  @Test
  void marksAreCountedFromOneOnEachStream() {
    for (Stream stream : streams(2)) {
      assertThat(stream.device()).isSameAs(device);
      assertThat(stream.record()).isEqualTo(1);
      stream.submit(() -> {});
      assertThat(stream.record()).isEqualTo(2);
    }
  }

  @Test
  void afterSynchronizingAllMarksArePassedAndNoneOfTheFuture() {
    for (Stream stream : streams(1)) {
      long first = stream.record();
      stream.submit(() -> {});
      long second = stream.record();
      stream.synchronize();
      assertThat(stream.hasPassed(first)).isTrue();
      assertThat(stream.hasPassed(second)).isTrue();
      assertThat(stream.hasPassed(second + 1_000)).isFalse();
    }
  }

  @Test
  void synchronizingWithoutWorkReturns() {
    for (Stream stream : streams(1)) {
      stream.synchronize();
      stream.synchronize();
    }
  }

  @Test
  void whatWaitsForAMarkSeesTheWorkBeforeIt() {
    List<Stream> streams = streams(3);
    var random = new SplittableRandom(11);
    int[] written = new int[5_000];
    long[] marks = new long[written.length];
    int[] streamOf = new int[written.length];
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < written.length; i++) {
      streamOf[i] = random.nextInt(streams.size());
      Stream stream = streams.get(streamOf[i]);
      int[] before = random.ints(random.nextInt(4), Math.max(0, i - 20), Math.max(1, i)).filter(it -> marks[it] > 0)
        .toArray();
      for (int earlier : before) {
        stream.waitFor(streams.get(streamOf[earlier]), marks[earlier]);
      }
      int number = i;
      stream.submit(() -> {
        for (int earlier : before) {
          if (written[earlier] != earlier + 1) {
            synchronized (wrong) {
              wrong.add("%d began before %d had ended".formatted(number, earlier));
            }
          }
        }
        written[number] = number + 1;
      });
      marks[i] = random.nextBoolean() ? stream.record() : 0;
    }
    streams.forEach(Stream::synchronize);
    assertThat(wrong).isEmpty();
    assertThat(written).doesNotContain(0);
  }

  /** A mark is a number, not a thing that is used again: however many follow, an old one means the old work. */
  @Test
  void anOldMarkIsNeverMistakenForALaterOne() {
    Stream first = device.newStream("first");
    Stream second = device.newStream("second");
    int[] written = new int[1];
    Gate gate = new Gate();
    Thread caller = Thread.currentThread();
    first.submit(() -> {
      // Some streams do work at once, on the thread that submits it.
      if (!caller.equals(Thread.currentThread())) {
        gate.pass();
      }
      written[0] = 1;
    });
    long mark = first.record();
    for (int i = 0; i < 1_000; i++) {
      second.submit(() -> {});
      second.record();
    }
    int[] seen = new int[1];
    second.waitFor(first, mark);
    second.submit(() -> seen[0] = written[0]);
    gate.open();
    second.synchronize();
    assertThat(seen[0]).isEqualTo(1);
  }

  @Test
  void waitingForItselfIsNoWait() {
    Stream stream = device.newStream("alone");
    stream.submit(() -> {});
    stream.waitFor(stream, stream.record());
    stream.synchronize();
  }

  @Test
  void aMarkThatWasNotRecordedIsRefused() {
    Stream stream = device.newStream("waiting");
    Stream other = device.newStream("other");
    other.record();
    for (long mark : new long[] {-1, 0, 2, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> stream.waitFor(other, mark)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mark=" + mark);
    }
  }

  @Test
  void anotherDevicesMarkIsRefused() {
    try (Device stranger = newDevice()) {
      Stream other = stranger.newStream("other");
      long mark = other.record();
      assertThatThrownBy(() -> device.newStream("waiting").waitFor(other, mark)).isInstanceOf(
        IllegalArgumentException.class);
    }
  }

  @Test
  void whatFailsIsThrownOnceAndTheStreamGoesOn() {
    for (Stream stream : streams(1)) {
      assertThatThrownBy(() -> {
        stream.submit(() -> {
          throw new IllegalStateException("on purpose");
        });
        stream.record();
        stream.synchronize();
      }).isInstanceOf(IllegalStateException.class).hasMessage("on purpose");
      int[] done = new int[1];
      stream.submit(() -> done[0]++);
      stream.synchronize();
      assertThat(done[0]).isEqualTo(1);
    }
  }

  @Test
  void aClosedStreamHasDoneItsWorkAndTakesNoMore() {
    Stream stream = device.newStream("short");
    int[] done = new int[1];
    stream.submit(() -> done[0] = 7);
    long mark = stream.record();
    stream.close();
    assertThat(done[0]).isEqualTo(7);
    assertThat(stream.hasPassed(mark)).isTrue();
    assertThatThrownBy(() -> stream.submit(() -> {})).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(stream::record).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(stream::close).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theDefaultStreamIsNotForItsUsersToClose() {
    assertThatThrownBy(device.defaultStream()::close).isInstanceOf(IllegalStateException.class);
    device.defaultStream().submit(() -> {});
    device.defaultStream().synchronize();
  }
}
