package dev.cairn.runtime.report.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.Owner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.razorvine.pickle.Unpickler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pickle, opened by the library that wrote it and by Python itself. */
class PytorchSnapshotTest {
  @TempDir
  private Path folder = Path.of("");

  private static byte[] written(MemorySnapshot snapshot) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PytorchSnapshot.write(snapshot, out);
    return out.toByteArray();
  }

  private static Map<?, ?> read(MemorySnapshot snapshot) throws IOException {
    return (Map<?, ?>) new Unpickler().loads(written(snapshot));
  }

  private static List<?> list(Object map, String key) {
    return (List<?>) value(map, key);
  }

  private static Object value(Object map, String key) {
    return Objects.requireNonNull(((Map<?, ?>) map).get(key), key);
  }

  private static long number(Object map, String key) {
    return ((Number) value(map, key)).longValue();
  }

  @Test
  void theSmallSnapshotAsPytorchTellsIts() throws IOException {
    Map<?, ?> snapshot = read(Snapshots.small());
    Object segment = list(snapshot, "segments").getFirst();
    assertThat(List.of(number(segment, "device"), number(segment, "address"), number(segment, "total_size"), number(
      segment, "allocated_size"), number(segment, "active_size"), number(segment, "requested_size"),
      number(segment,
        "stream")))
      .containsExactly(1L, Snapshots.BASE, 1024L, 512L, 768L, 656L, 0L);
    assertThat(value(segment, "segment_type")).isEqualTo("small");
    assertThat(value(segment, "is_expandable")).isEqualTo(false);
    assertThat((Object[]) value(segment, "segment_pool_id")).containsExactly(0, 0);
    assertThat(value(list(snapshot, "segments").get(1), "segment_type")).isEqualTo("large");
    List<?> blocks = list(segment, "blocks");
    assertThat(blocks).extracting(it -> value(it, "state")).containsExactly("active_allocated", "active_pending_free",
      "inactive");
    assertThat(blocks).extracting(it -> number(it, "requested_size")).containsExactly(400L, 256L, 0L);
    assertThat(list(blocks.getFirst(), "frames")).extracting(it -> "%s:%d:%s".formatted(value(it, "filename"), number(
      it, "line"), value(it, "name"))).containsExactly("tensor:17:conv1:0 f32[1,64]", "operator:0:conv1",
        "step:3:step");
    assertThat(list(snapshot, "device_traces")).hasSize(2).first().isEqualTo(List.of());
    Object refusal = ((List<?>) list(snapshot, "device_traces").get(1)).getFirst();
    assertThat(value(refusal, "action")).isEqualTo("oom");
    assertThat(number(refusal, "size")).isEqualTo(1000);
    assertThat(number(refusal, "device_free")).isEqualTo(172);
    assertThat(value(value(snapshot, "allocator_settings"), "space")).isEqualTo("device:1");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void everyChunkIsABlockInItsPlace(int seed) throws IOException {
    for (int round = 0; round < 20; round++) {
      MemoryMap map = Snapshots.random(1000L * seed + round, 5, 40).map();
      List<?> segments = list(read(MemorySnapshot.of(map)), "segments");
      assertThat(segments).hasSize(map.regions().size());
      for (int i = 0; i < segments.size(); i++) {
        List<MemoryMap.ChunkEntry> chunks = map.chunks(map.regions().get(i)).toList();
        List<?> blocks = list(segments.get(i), "blocks");
        assertThat(blocks).extracting(it -> number(it, "address")).containsExactlyElementsOf(chunks.stream().map(
          MemoryMap.ChunkEntry::address).toList());
        assertThat(blocks).extracting(it -> number(it, "size")).containsExactlyElementsOf(chunks.stream().map(
          MemoryMap.ChunkEntry::bytes).toList());
        assertThat(blocks).extracting(it -> value(it, "state").equals("active_allocated")).containsExactlyElementsOf(
          chunks.stream().map(MemoryMap.ChunkEntry::inUse).toList());
      }
    }
  }

  @Test
  void emptyPoolsAndFarDevicesAreWrittenToo() throws IOException {
    for (int ordinal : new int[] {0, 1, 7, Integer.MAX_VALUE}) {
      Map<?, ?> snapshot = read(MemorySnapshot.of(Snapshots.empty(MemorySpace.device(ordinal))));
      assertThat(list(snapshot, "segments")).isEmpty();
      assertThat(list(snapshot, "device_traces")).hasSize(Math.min(ordinal, 4095) + 1);
    }
  }

  @Test
  void pythonOpensItAndFindsPytorchsSchema() throws Exception {
    assumeTrue(hasPython(), "skipped: no python3");
    for (int seed = 0; seed < 8; seed++) {
      MemorySnapshot snapshot = seed == 0 ? Snapshots.small() : Snapshots.random(seed, 5, 60);
      assertThat(checkedByPython(snapshot)).as("seed %d", seed).isEqualTo("ok %d %d %d\n".formatted(snapshot.map()
        .regions().size(), snapshot.map().chunkCount(), snapshot.map().stats().bytesInUse()));
    }
  }

  @Test
  void pythonOpensManyChunks() throws Exception {
    assumeTrue(hasPython(), "skipped: no python3");
    int chunks = 20_001;
    MemoryMapBuilder map = new MemoryMapBuilder(MemorySpace.device(0)).ensureRoom(chunks).region(Snapshots.BASE,
      256L * chunks);
    for (int chunk = 0; chunk < chunks; chunk++) {
      long address = Snapshots.BASE + 256L * chunk;
      if (chunk % 3 == 0) {
        map.free(address, 256, 0);
      } else {
        map.inUse(address, 256, 200, chunk, map.owner(Owner.of("op" + chunk % 1000, "t" + chunk)), chunk);
      }
    }
    MemoryMap built = map.build(256L * chunks);
    assertThat(checkedByPython(MemorySnapshot.of(built))).isEqualTo("ok 1 %d %d\n".formatted(chunks, built.stats()
      .bytesInUse()));
  }

  private static boolean hasPython() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "--version").redirectErrorStream(true).redirectOutput(
        ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private String checkedByPython(MemorySnapshot snapshot) throws IOException, InterruptedException {
    Path pickle = folder.resolve("snapshot.pickle");
    MemoryDumps.write(snapshot, pickle);
    Path script = folder.resolve("check.py");
    try (InputStream resource = PytorchSnapshotTest.class.getResourceAsStream("/dev/cairn/check_snapshot.py")) {
      assertThat(resource).isNotNull();
      Files.write(script, resource == null ? new byte[0] : resource.readAllBytes());
    }
    Process python = new ProcessBuilder("python3", script.toString(), pickle.toString()).redirectErrorStream(true)
      .start();
    String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    python.waitFor();
    return said;
  }
}
