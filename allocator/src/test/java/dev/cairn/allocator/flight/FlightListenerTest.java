package dev.cairn.allocator.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.testing.GarbageMeter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.Recording;
import jdk.jfr.SettingDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightListenerTest {
  private static final MemorySpace DEVICE = MemorySpace.device(0);
  private static final Owner CONV = new Owner("conv1", "conv1:0", "f32[1,64]");
  private static final List<String> NAMES = List.of("cairn.Allocation", "cairn.ArenaGrow", "cairn.ArenaShrink",
    "cairn.OutOfMemory");

  @TempDir
  private Path folder;

  private static BfcAllocator allocator(long limitBytes, FlightListener listener) {
    return new BfcAllocator(FakeSubAllocator.scattered(1L << 40), BfcOptions.DEFAULT.withLimitBytes(limitBytes),
      listener);
  }

  private List<RecordedEvent> recorded(Runnable work, String... enabled) throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      NAMES.forEach(recording::disable);
      for (String name : enabled) {
        recording.enable(name).withStackTrace().with("throttle", "off");
      }
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = new ArrayList<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (NAMES.contains(event.getEventType().getName())) {
        events.add(event);
      }
    }
    events.sort((a, b) -> a.getStartTime().compareTo(b.getStartTime()));
    return events;
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    return events.stream().filter(it -> it.getEventType().getName().equals(name)).toList();
  }

  @Test
  void everythingThatHappensIsToldWithItsFigures() throws IOException {
    List<Block> blocks = new ArrayList<>();
    OutOfMemory[] refusal = new OutOfMemory[1];
    List<RecordedEvent> events = recorded(() -> {
      try (Allocator allocator = allocator(4L << 20, new FlightListener(DEVICE, FlightListener.EVERY_GRANT))) {
        blocks.add(allocator.allocate(AllocationRequest.of(1000, CONV)));
        refusal[0] = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(1L << 30, "huge"));
        allocator.free(blocks.getFirst());
        allocator.trim();
      }
    }, NAMES.toArray(String[]::new));

    RecordedEvent grant = named(events, "cairn.Allocation").getFirst();
    assertThat(named(events, "cairn.Allocation")).hasSize(1);
    assertThat(grant.getString("space")).isEqualTo("device:0");
    assertThat(grant.getLong("allocationId")).isEqualTo(blocks.getFirst().allocationId());
    assertThat(grant.getLong("address")).isEqualTo(blocks.getFirst().address());
    assertThat(grant.getLong("bytes")).isEqualTo(1024);
    assertThat(grant.getLong("requestedBytes")).isEqualTo(1000);
    assertThat(grant.getLong("weight")).isEqualTo(1024);
    assertThat(grant.getString("operator") + grant.getString("tensor") + grant.getString("shape")).isEqualTo(
      "conv1conv1:0f32[1,64]");
    assertThat(grant.getStackTrace().getFrames()).extracting(it -> it.getMethod().getType().getName()).contains(
      BfcAllocator.class.getName(), FlightListenerTest.class.getName());

    RecordedEvent grow = named(events, "cairn.ArenaGrow").getFirst();
    RecordedEvent shrink = named(events, "cairn.ArenaShrink").getFirst();
    assertThat(grow.getLong("bytes")).isEqualTo(BfcOptions.FIRST_REGION_BYTES).isEqualTo(shrink.getLong("bytes"));
    assertThat(grow.getLong("address")).isEqualTo(FakeSubAllocator.FIRST_ADDRESS).isEqualTo(shrink.getLong("address"));

    RecordedEvent refused = named(events, "cairn.OutOfMemory").getFirst();
    assertThat(refused.getString("reason")).isEqualTo("limit");
    assertThat(refused.getString("owner")).isEqualTo("huge");
    assertThat(refused.getLong("requestedBytes")).isEqualTo(1L << 30);
    assertThat(refused.getLong("bytesShort")).isEqualTo(refusal[0].bytesShort());
    assertThat(refused.getLong("bytesInUse")).isEqualTo(1024);
    assertThat(refused.getLong("poolBytes")).isEqualTo(BfcOptions.FIRST_REGION_BYTES);
    assertThat(refused.getLong("limitBytes")).isEqualTo(4L << 20);
    assertThat(refused.getLong("freeBytes")).isEqualTo(BfcOptions.FIRST_REGION_BYTES - 1024);
    assertThat(refused.getLong("largestFreeBytes")).isEqualTo(BfcOptions.FIRST_REGION_BYTES - 1024);
  }

  @Test
  void fieldsHaveUnitsAndEventsCategories() throws IOException {
    List<RecordedEvent> events = recorded(() -> {
      try (BfcAllocator allocator = allocator(4L << 20, new FlightListener(DEVICE, FlightListener.EVERY_GRANT))) {
        allocator.release(allocator.grant(256));
      }
    }, NAMES.toArray(String[]::new));
    assertThat(events).hasSizeGreaterThanOrEqualTo(3).allSatisfy(event -> {
      assertThat(event.getEventType().getCategoryNames()).containsExactly("Cairn", "Allocator");
      assertThat(event.getEventType().getLabel()).isNotBlank();
      assertThat(event.getEventType().getField("bytes").getContentType()).isEqualTo("jdk.jfr.DataAmount");
      assertThat(event.getEventType().getField("address").getContentType()).isEqualTo("jdk.jfr.MemoryAddress");
    });
  }

  @Test
  void smallGrantsAreSampledByBytesAndTheWeightsAddUp() throws IOException {
    List<RecordedEvent> events = recorded(() -> {
      try (BfcAllocator allocator = allocator(1L << 30, new FlightListener(DEVICE, 10_000))) {
        for (int i = 0; i < 10_000; i++) {
          allocator.release(allocator.grant(i % 100 == 99 ? 1L << 20 : 256));
        }
      }
    }, "cairn.Allocation");
    long total = 100 * (1L << 20) + 9_900 * 256;
    assertThat(events.stream().mapToLong(it -> it.getLong("weight")).sum()).isBetween(total - 10_000, total);
    assertThat(events.stream().filter(it -> it.getLong("bytes") == 1L << 20)).as("every large one").hasSize(100);
    assertThat(events).hasSizeBetween(101, 500);
    assertThat(events).as("but for the last batch").allMatch(it -> it.getLong("weight") >= 10_000);
  }

  /** The recorder takes samples by its own clock, so grants are made until it has taken some. */
  @Test
  void withoutASettingSamplesAreFewAndTheirWeightsStillAddUp() throws IOException {
    Path file = folder.resolve("throttled.jfr");
    List<RecordedEvent> events;
    long grants = 0;
    try (Recording recording = new Recording();
      BfcAllocator allocator = allocator(1L << 30, new FlightListener(DEVICE, FlightListener.EVERY_GRANT))) {
      recording.start();
      do {
        for (int i = 0; i < 20_000; i++) {
          allocator.release(allocator.grant(256));
        }
        grants += 20_000;
        recording.dump(file);
        events = named(RecordingFile.readAllEvents(file), "cairn.Allocation");
      } while (events.isEmpty());
    }
    assertThat(events.stream().mapToLong(it -> it.getLong("weight")).sum()).isPositive().isLessThanOrEqualTo(grants
      * 256);
    assertThat(events.getFirst().getEventType().getSettingDescriptors()).extracting(SettingDescriptor::getName)
      .contains(
        "throttle");
  }

  @Test
  void eventsThatAreNotEnabledAreNotTold() throws IOException {
    List<RecordedEvent> events = recorded(() -> {
      try (BfcAllocator allocator = allocator(1L << 30, new FlightListener(DEVICE, FlightListener.EVERY_GRANT))) {
        allocator.release(allocator.grant(256));
      }
    }, "cairn.ArenaGrow");
    assertThat(events).extracting(it -> it.getEventType().getName()).containsExactly("cairn.ArenaGrow");
  }

  @Test
  void aStreamHearsOfEventsWhileTheProgramRuns() {
    Set<String> heard = ConcurrentHashMap.newKeySet();
    try (RecordingStream stream = new RecordingStream();
      BfcAllocator allocator = allocator(1L << 30, new FlightListener(DEVICE, FlightListener.EVERY_GRANT))) {
      // Otherwise the recorder may take none of a few events.
      stream.enable("cairn.Allocation").with("throttle", "off");
      stream.enable("cairn.ArenaGrow");
      stream.onEvent(event -> heard.add(event.getEventType().getName()));
      stream.startAsync();
      allocator.release(allocator.grant(256));
      // Waits until the stream has got all events so far.
      assertThat(stream.stop()).isTrue();
    }
    assertThat(heard).containsExactlyInAnyOrder("cairn.Allocation", "cairn.ArenaGrow");
  }

  @Test
  void withoutARecordingNothingIsMade() {
    try (BfcAllocator allocator = allocator(1L << 30, new FlightListener(DEVICE, FlightListener.EVERY_GRANT))) {
      long kept = allocator.grant(256);
      assertThat(GarbageMeter.leastBytes(() -> churn(allocator, 20_000))).isLessThan(1_000);
      allocator.release(kept);
    }
  }

  private static void churn(BfcAllocator allocator, int times) {
    for (int i = 0; i < times; i++) {
      allocator.release(allocator.grant(256L << i % 10));
    }
  }

  @Test
  void aSampleThatWouldOverflowIsCapped() throws IOException {
    List<RecordedEvent> events = recorded(() -> {
      FlightListener listener = new FlightListener(DEVICE, Long.MAX_VALUE);
      listener.granted(0, 0, Long.MAX_VALUE - 1, 1, Owner.NONE);
      listener.granted(1, 0, 1L << 62, 1, Owner.NONE);
    }, "cairn.Allocation");
    assertThat(events).singleElement().satisfies(it -> assertThat(it.getLong("weight")).isEqualTo(Long.MAX_VALUE));
  }

  @Test
  void refusesAPeriodOfNothing() {
    assertThatThrownBy(() -> new FlightListener(DEVICE, 0)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("periodBytes=0");
  }
}
