package dev.cairn.kernels.onednn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OneDnnPagesTest {
  @Test
  void symbolsThatOnlyTheLinkerReadAreNotResident() throws IOException {
    OneDnnFixture.library();
    List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
    int head = IntStream.range(0, lines.size()).filter(i -> lines.get(i).endsWith("/libdnnl.so.3")).findFirst()
      .orElseThrow();
    List<String> facts = lines.subList(head, head + 10);
    assertThat(kilobytes(facts, "Rss:")).as("%s", facts).isLessThan(kilobytes(facts, "Size:") / 2);
  }

  private static long kilobytes(List<String> facts, String name) {
    String line = facts.stream().filter(it -> it.startsWith(name)).findFirst().orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", ""));
  }
}
