package dev.cairn.runtime.report.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.report.MemoryMapText;
import dev.cairn.allocator.report.OomReport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemorySnapshotJsonTest {
  private static final String ZERO = "{\"current\":0,\"peak\":0,\"total\":0}";

  private static byte[] written(MemorySnapshot snapshot) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    MemorySnapshotJson.write(snapshot, out);
    return out.toByteArray();
  }

  private static MemorySnapshot read(byte[] bytes) throws IOException {
    return MemorySnapshotJson.read(new ByteArrayInputStream(bytes));
  }

  private static String text(MemorySnapshot snapshot) throws IOException {
    StringBuilder text = new StringBuilder();
    MemoryMapText.write(snapshot.map(), text);
    return text.toString();
  }

  /** Compares the document with that of docs/memory-dump.md. */
  @Test
  void theDocumentWordForWord() throws IOException {
    String json = new String(written(Snapshots.small()), StandardCharsets.UTF_8);
    assertThat(json).startsWith("{\"schemaVersion\":2,\"kind\":\"cairn-memory\",\"space\":{\"kind\":\"device\","
      + "\"ordinal\":1},\"failure\":{\"reason\":\"limit\",\"bytesShort\":512,\"requestedBytes\":1000,"
      + "\"roundedBytes\":1024,\"alignmentBytes\":256,\"freedBefore\":0,"
      + "\"owner\":{\"operator\":\"conv2\",\"tensor\":\"conv2:0\",\"shape\":\"\"},"
      + "\"circumstances\":[\"waited 5 ms\"],\"lastEvents\":[{\"kind\":\"grow\",\"allocationId\":-1,"
      + "\"address\":1099511635968,\"bytes\":4194304,"
      + "\"owner\":{\"operator\":\"\",\"tensor\":\"\",\"shape\":\"\"}},"
      + "{\"kind\":\"free\",\"allocationId\":16,\"address\":1099511628288,\"bytes\":256,"
      + "\"owner\":{\"operator\":\"conv1\",\"tensor\":\"conv1:0\",\"shape\":\"f32[1,64]\"}}]},"
      + "\"stats\":{\"all\":{\"count\":{\"current\":2,\"peak\":2,\"total\":2},");
    assertThat(json).endsWith("\"limitBytes\":4195500,\"largestBytes\":4194304,\"largestFreeBytes\":256,"
      + "\"timeHeldBytes\":256,\"refusalCount\":0,\"reserveCount\":0,\"movedBytes\":0},"
      + "\"owners\":[{\"operator\":\"\",\"tensor\":\"\",\"shape\":\"\"},"
      + "{\"operator\":\"conv1\",\"tensor\":\"conv1:0\",\"shape\":\"f32[1,64]\"}],"
      + "\"regions\":[{\"address\":1099511627776,\"bytes\":1024,\"chunks\":[\n"
      + "{\"address\":1099511627776,\"bytes\":512,\"state\":\"in-use\",\"requestedBytes\":400,\"allocationId\":17,"
      + "\"owner\":1,\"step\":3}\n"
      + ",{\"address\":1099511628288,\"bytes\":256,\"state\":\"free\",\"freedAt\":9}\n"
      + ",{\"address\":1099511628544,\"bytes\":256,\"state\":\"free\",\"freedAt\":0}]},"
      + "{\"address\":1099511635968,\"bytes\":4194304,\"chunks\":[\n"
      + "{\"address\":1099511635968,\"bytes\":4194304,\"state\":\"in-use\",\"requestedBytes\":4194304,"
      + "\"allocationId\":18,\"owner\":0,\"step\":0}]}]}\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void whatWasWrittenIsReadAgain(int seed) throws IOException {
    for (int round = 0; round < 40; round++) {
      MemorySnapshot before = Snapshots.random(100L * seed + round, 4, 30);
      MemorySnapshot after = read(written(before));
      assertThat(after.map().stats()).isEqualTo(before.map().stats());
      assertThat(after.map().owners()).isEqualTo(before.map().owners());
      assertThat(after.map().regions()).isEqualTo(before.map().regions());
      assertThat(after.map().chunks()).containsExactlyElementsOf(before.map().chunks().toList());
      assertThat(text(after)).isEqualTo(text(before));
      assertThat(after.failure().isPresent()).isEqualTo(before.failure().isPresent());
      before.failure().ifPresent(failure -> {
        assertThat(after.failure().orElseThrow()).hasMessage(failure.getMessage());
        assertThat(after.failure().orElseThrow().lastEvents()).isEqualTo(failure.lastEvents());
        assertThat(OomReport.of(after.failure().orElseThrow()).text()).isEqualTo(OomReport.of(failure).text());
      });
      assertThat(written(after)).isEqualTo(written(before));
    }
  }

  @Test
  void theLeastLimitIsWrittenAndRead() throws IOException {
    OutOfMemory failure = Snapshots.small().failure().orElseThrow();
    byte[] json = written(MemorySnapshot.of(failure.withLeastLimit(9_000_000)));
    assertThat(new String(json, StandardCharsets.UTF_8)).contains("],\"leastLimitBytes\":9000000},\"stats\"");
    assertThat(read(json).failure().orElseThrow().leastLimitBytes()).hasValue(9_000_000);
    assertThat(read(written(Snapshots.small())).failure().orElseThrow().leastLimitBytes()).isEmpty();
    OutOfMemory ways = failure.withLeastLimit(9_000_000).withWays(List.of(new OutOfMemory.Way("", 8_000_000, "it fits"),
      new OutOfMemory.Way("--recompute auto", 7_000_000, "by recompute")));
    OutOfMemory read = read(written(MemorySnapshot.of(ways))).failure().orElseThrow();
    assertThat(read.ways()).hasSize(2).isEqualTo(ways.ways());
    assertThat(read).hasMessage(ways.getMessage());
  }

  @Test
  void theBudgetIsWrittenAndRead() throws IOException {
    var budget = new OutOfMemory.Budget("shared", 5_000_000, 4_900_000, 7_000_000);
    OutOfMemory failure = Snapshots.small().failure().orElseThrow().withBudget(budget);
    OutOfMemory after = read(written(MemorySnapshot.of(failure))).failure().orElseThrow();
    assertThat(after.budget()).hasValue(budget);
    assertThat(after).hasMessage(failure.getMessage());
  }

  @Test
  void anEmptyPoolIsWrittenAndRead() throws IOException {
    MemorySnapshot after = read(written(MemorySnapshot.of(Snapshots.empty(MemorySpace.PINNED))));
    assertThat(after.map().space()).isEqualTo(MemorySpace.PINNED);
    assertThat(after.map().chunkCount()).isZero();
    assertThat(after.map().stats().limitBytes()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void keysThatAreNotKnownArePassedOver() throws IOException {
    String json = new String(written(Snapshots.small()), StandardCharsets.UTF_8);
    String more = json.replace("\"kind\"", "\"new\":{\"deep\":[1,{\"a\":null}]},\"kind\"").replace("\"chunks\"",
      "\"new\":[1],\"chunks\"").replace("\"state\"", "\"new\":{\"deep\":1},\"state\"")
      .replace("\"schemaVersion\":2", "\"schemaVersion\":1")
      .replace("\"circumstances\"", "\"end\":\"lower\",\"waits\":true,\"circumstances\"");
    assertThat(more).isNotEqualTo(json);
    assertThat(text(read(more.getBytes(StandardCharsets.UTF_8)))).isEqualTo(text(Snapshots.small()));
  }

  @Test
  void aDumpFromBeforeEventsWereRememberedIsRead() throws IOException {
    String json = new String(written(Snapshots.small()), StandardCharsets.UTF_8);
    String older = json.replaceFirst(",\"lastEvents\":\\[.*?}}\\]", "");
    assertThat(older).isNotEqualTo(json);
    MemorySnapshot after = read(older.getBytes(StandardCharsets.UTF_8));
    assertThat(after.failure().orElseThrow().lastEvents()).isEmpty();
    assertThat(text(after)).isEqualTo(text(Snapshots.small()));
  }

  @Test
  void aFileThatWasCutOffIsToldWhereverTheCutIs() throws IOException {
    byte[] whole = written(Snapshots.small());
    for (int length = 0; length < whole.length - 1; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(cut)).as("%d bytes", length).isInstanceOf(InvalidDump.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void aDamagedFileIsReadOrRefusedButNothingElse(int seed) throws IOException {
    byte[] whole = written(Snapshots.small());
    Random random = new Random(seed);
    for (int round = 0; round < 3000; round++) {
      byte[] damaged = whole.clone();
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        String byOne = "0123456789\"{}[]:,-.e \n\u0000a";
        damaged[random.nextInt(damaged.length)] = (byte) byOne.charAt(random.nextInt(byOne.length()));
      }
      try {
        MemorySnapshot snapshot = read(damaged);
        // A dump that is accepted can be reported.
        text(snapshot);
        snapshot.failure().ifPresent(failure -> OomReport.of(failure).text());
      } catch (InvalidDump refused) {
        assertThat(refused).hasMessageContaining("memory dump");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "\"schemaVersion\":2|\"schemaVersion\":3|schemaVersion=3",
    "\"kind\":\"cairn-memory\"|\"kind\":\"trace\"|kind is not cairn-memory",
    "\"kind\":\"device\"|\"kind\":\"tape\"|TAPE",
    "\"ordinal\":1|\"ordinal\":-1|ordinal=-1",
    "\"ordinal\":1|\"ordinal\":99999999999|ordinal=99999999999",
    "\"bytes\":1024,|\"bytes\":1280,|do not cover",
    "\"bytes\":1024,|\"bytes\":768,|do not cover",
    "\"bytes\":1024,|\"bytes\":0,|regions overlap",
    "\"bytes\":4194304,\"chunks\"|\"bytes\":9223372036854775807,\"chunks\"|regions overlap",
    "\"bytes\":512,|\"bytes\":-512,|do not cover",
    "\"address\":1099511635968|\"address\":5|out of order",
    "\"requestedBytes\":400|\"requestedBytes\":513|requestedBytes=513",
    "\"allocationId\":17|\"allocationId\":-1|allocationId=-1",
    "\"owner\":1,\"step\"|\"owner\":2,\"step\"|owners=2",
    "\"owner\":1,\"step\"|\"owner\":-1,\"step\"|owner=-1",
    "\"step\":3|\"step\":99999999999|step=99999999999",
    "\"state\":\"free\"|\"state\":\"lost\"|neither in use nor free",
    "\"freedAt\":9|\"freedAt\":-9|freedAt=-9",
    "\"kind\":\"grow\"|\"kind\":\"bend\"|BEND",
    "\"kind\":\"grow\"|\"kind\":\"grant\"|allocationId=-1",
    "\"allocationId\":16|\"allocationId\":-1|allocationId=-1",
    "\"lastEvents\":[|\"lastEvents\":[1,|an event is not an object",
    "\"roundedBytes\":1024|\"roundedBytes\":-256|roundedBytes=-256",
    "\"alignmentBytes\":256|\"alignmentBytes\":3|alignmentBytes=3",
    "\"limitBytes\":4195500|\"limitBytes\":12|not possible",
    "\"largestFreeBytes\":256|\"largestFreeBytes\":9999999|not possible",
    "\"operator\":\"\"|\"operator\":\"x\"|not empty",
    "\"stats\"|\"figures\"|stats is missing",
    "\"owners\"|\"regions\"|owners is missing"})
  void brokenRulesAreToldByTheirFacts(String found, String replaced, String fact) throws IOException {
    String json = new String(written(Snapshots.small()), StandardCharsets.UTF_8);
    assertThat(json).contains(found);
    byte[] broken = json.replace(found, replaced).getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> read(broken)).isInstanceOf(InvalidDump.class).hasMessageContaining(fact);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "null", "1", "{}", "<html>", "{\"schemaVersion\":\"1\"}", "\u0080\u0002}"})
  void whatIsNoDumpIsTold(String text) {
    assertThatThrownBy(() -> read(text.getBytes(StandardCharsets.ISO_8859_1))).isInstanceOf(InvalidDump.class)
      .hasMessageContaining("memory dump");
  }

  @Test
  void whatIsTooDeepOrTooLongForTheParserIsTold() {
    for (String text : List.of("{\"deep\":" + "[".repeat(5000), "{\"schemaVersion\":" + "9".repeat(5000) + "}",
      "{\"" + "n".repeat(100_000) + "\":1}")) {
      assertThatThrownBy(() -> read(text.getBytes(StandardCharsets.UTF_8))).isInstanceOf(InvalidDump.class)
        .hasMessageContaining("memory dump");
    }
  }

  @Test
  void somethingAfterTheEndIsNotPassedOver() throws IOException {
    String json = new String(written(Snapshots.small()), StandardCharsets.UTF_8);
    assertThatThrownBy(() -> read((json + "{}").getBytes(StandardCharsets.UTF_8)))
      .hasMessageContaining("unexpected content");
  }

  @Test
  void aStreamThatFailsIsTold() {
    assertThatIOException().isThrownBy(() -> MemorySnapshotJson.write(Snapshots.small(), new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        throw new IOException("disk full");
      }
    })).withMessage("disk full");
  }

  @Test
  void figuresAreReadWhole() throws IOException {
    String blocks = "{\"count\":%s,\"bytes\":%s,\"requestedBytes\":%s}".formatted(ZERO, ZERO, ZERO);
    String json = "{\"schemaVersion\":1,\"kind\":\"cairn-memory\",\"space\":{\"kind\":\"host\",\"ordinal\":0},"
      + "\"failure\":null,\"stats\":{\"all\":%s,\"small\":%s,\"large\":%s,\"pool\":%s,".formatted(blocks, blocks,
        blocks, ZERO)
      + "\"regions\":{\"current\":0,\"peak\":4,\"total\":9},\"freeSplits\":%s,\"freeSplitBytes\":%s,\"bypass\":%s,"
        .formatted(ZERO, ZERO, ZERO)
      + "\"limitBytes\":5,\"largestBytes\":6,\"largestFreeBytes\":0,\"timeHeldBytes\":0,\"refusalCount\":7,"
      + "\"reserveCount\":8},\"owners\":[],\"regions\":[]}";
    MemorySnapshot snapshot = read(json.getBytes(StandardCharsets.UTF_8));
    assertThat(snapshot.map().stats().movedBytes()).as("older dumps lack the key").isZero();
    MemorySnapshot newer = read(json.replace("\"reserveCount\":8", "\"reserveCount\":8,\"movedBytes\":9").getBytes(
      StandardCharsets.UTF_8));
    assertThat(newer.map().stats().movedBytes()).isEqualTo(9);
    assertThat(snapshot.map().stats().regions().total()).isEqualTo(9);
    assertThat(snapshot.map().stats().refusalCount()).isEqualTo(7);
    assertThat(snapshot.map().stats().reserveCount()).isEqualTo(8);
  }
}
