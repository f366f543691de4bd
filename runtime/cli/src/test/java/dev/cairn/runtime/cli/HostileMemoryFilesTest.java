package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.trace.TraceRecorder;
import dev.cairn.runtime.report.dump.MemoryDumps;
import dev.cairn.runtime.report.dump.MemorySnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a dump or a trace says, {@code cairn mem} shows it or says in three lines what is wrong with it. */
class HostileMemoryFilesTest {
  private static final int DUMPS = 100;
  private static final int TRACES = 90;
  private static final String[] NUMBERS = {"-1", "0", "255", "256", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "1e400", "0.5", "null", "true", "\"x\"", "[]", "{}", "2147483648"};
  private static final String PROBLEM = "id,lower,upper,size\na,0,2,1024\nb,1,3,1048576\nc,2,4,2048\n";
  private static final String PLOT = """
    {"actions": [0, 1, 0, 2, 2, 1], "elements_size": [512, 1024, 4096], "elements_info": ["a", "b", "c"],
     "initially_allocated": []}
    """;

  @TempDir
  private Path folder = Path.of("");
  private String dump = "";
  private String log = "";

  @BeforeEach
  void recordBoth() throws IOException {
    Path recorded = folder.resolve("log.csv");
    Path dumped = folder.resolve("whole.json");
    BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(64 << 10).withFirstRegionBytes(16 << 10);
    try (TraceRecorder recorder = TraceRecorder.to(recorded);
      var allocator = new BfcAllocator(FakeSubAllocator.scattered(1L << 40), options, recorder)) {
      List<Block> blocks = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        blocks.add(allocator.allocate(AllocationRequest.of(1 + 300L * i, Owner.of("op" + i, "op:" + i))));
      }
      allocator.free(blocks.remove(3));
      allocator.free(blocks.remove(5));
      try {
        blocks.add(allocator.allocate(AllocationRequest.of(1 << 20)));
      } catch (OutOfMemory e) {
        MemoryDumps.write(MemorySnapshot.of(e), dumped);
      }
      blocks.forEach(allocator::free);
    }
    dump = Files.readString(dumped);
    log = Files.readString(recorded);
  }

  private static void assertTold(Outcome outcome, String file) {
    if (outcome.code() != 0) {
      assertThat(outcome.err()).as(file).startsWith("cairn: ").doesNotContain("\tat ", "Exception", "Error:", "bug");
      assertThat(outcome.unwrapped().err().lines().toList()).as(file).hasSize(3);
    }
  }

  /** A number in it becomes another, or something else than a number; or a byte does; or the end is missing. */
  private static String damaged(String text, Random random) {
    int kind = random.nextInt(4);
    int at = random.nextInt(text.length());
    if (kind == 0) {
      return text.substring(0, at);
    }
    if (kind == 1) {
      return text.substring(0, at) + (char) random.nextInt(300) + text.substring(at + 1);
    }
    int from = at;
    while (from < text.length() && !Character.isDigit(text.charAt(from))) {
      from++;
    }
    int to = from;
    while (to < text.length() && Character.isDigit(text.charAt(to))) {
      to++;
    }
    return text.substring(0, from) + NUMBERS[random.nextInt(NUMBERS.length)] + text.substring(to);
  }

  /** The old file is removed first: ext4 waits for the disk when one is emptied and written again. */
  private Path anew(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name);
    Files.deleteIfExists(file);
    return Files.write(file, bytes);
  }

  @Test
  void damagedDumps() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < DUMPS; i++) {
      String text = damaged(dump, random);
      Path file = anew("d.json", text.getBytes(StandardCharsets.UTF_8));
      assertTold(Outcome.of("mem", "show", file), text);
      if (i % 10 == 0) {
        assertTold(Outcome.of("mem", "show", file, "--to", folder.resolve("d.pickle")), text);
      }
    }
  }

  @Test
  void damagedTraces() throws IOException {
    Random random = new Random(2);
    String[] whole = {log, PROBLEM, PLOT};
    for (int i = 0; i < TRACES; i++) {
      String text = damaged(whole[i % whole.length], random);
      Path file = anew("t", text.getBytes(StandardCharsets.UTF_8));
      assertTold(Outcome.of("mem", "replay", file, "--policy", "doubling"), text);
    }
  }

  @Test
  void filesOfAnotherKind() throws IOException {
    byte[][] files = {{}, {0}, {(byte) 0xff, (byte) 0xfe}, "[".repeat(100_000).getBytes(StandardCharsets.US_ASCII),
      "{\"a\":".repeat(100_000).getBytes(StandardCharsets.US_ASCII), ("\ufeff" + PLOT).getBytes(
        StandardCharsets.UTF_8),
      ("\ufeff" + PROBLEM).getBytes(StandardCharsets.UTF_8), new byte[1 << 20],
      "\n".repeat(1000).getBytes(StandardCharsets.US_ASCII), PROBLEM.replace("\n", "\r").getBytes(
        StandardCharsets.US_ASCII),
      "id,lower,upper,size\n\"a,0,2,1024\n".getBytes(StandardCharsets.US_ASCII),
      PROBLEM.getBytes(StandardCharsets.UTF_16)};
    for (byte[] bytes : files) {
      Path file = anew("f", bytes);
      assertTold(Outcome.of("mem", "replay", file, "--policy", "doubling"), "replay of " + bytes.length);
      for (String format : new String[] {"rmm", "pytorch", "minimalloc"}) {
        assertTold(Outcome.of("mem", "replay", file, "--policy", "doubling", "--trace-format", format),
          format + " of " + bytes.length);
      }
      assertTold(Outcome.of("mem", "show", file), "show of " + bytes.length);
    }
    Outcome.of("mem", "show", folder).failedWith(ExitCode.OTHER, "it is a folder");
  }
}
