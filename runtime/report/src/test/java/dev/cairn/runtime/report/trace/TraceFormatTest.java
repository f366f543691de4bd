package dev.cairn.runtime.report.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.trace.AllocationTrace;
import dev.cairn.allocator.trace.InvalidTrace;
import dev.cairn.allocator.trace.TraceBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceFormatTest {
  private static final String DATA = """
    {"elements_size": [512, 1024, 4096], "elements_info": ["a = {", "b \\" = }", "alloc_data = {"],
     "nested": {"actions": [7], "deep": [[{}]]}, "actions": [0, 1, 0, 2, 0, 1], "elements_category": [null, 1.5, true]}
    """;

  @TempDir
  private Path folder;

  private static AllocationTrace expected() {
    TraceBuilder builder = new TraceBuilder();
    int a = builder.grant(512);
    int b = builder.grant(1024);
    builder.free(a);
    builder.grant(4096);
    builder.grant(512);
    builder.free(b);
    return builder.build();
  }

  private static AllocationTrace read(String text, TraceFormat format) {
    try {
      return format.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static AllocationTrace read(String text) {
    AllocationTrace trace = read(text, TraceFormat.AUTO);
    assertThat(trace).isEqualTo(read(text, TraceFormat.PYTORCH));
    return trace;
  }

  private static void assertRefused(String text, String... facts) {
    for (TraceFormat format : new TraceFormat[] {TraceFormat.AUTO, TraceFormat.PYTORCH}) {
      assertThatThrownBy(() -> read(text, format)).isInstanceOf(InvalidTrace.class).satisfies(it -> assertThat(it
        .getMessage()).contains(facts).hasLineCount(1));
    }
  }

  @Test
  void anElementTurnsLiveAndFreeByTurns() {
    AllocationTrace trace = read(DATA);
    assertThat(trace).isEqualTo(expected());
    assertThat(trace.neverFreed()).isEqualTo(2);
    assertThat(trace.peakLiveBytes()).isEqualTo(512 + 1024 + 4096);
  }

  @Test
  void aPageHoldsItInAScript() {
    assertThat(read("<html><script>var alloc_data = " + DATA + ";\nplot(alloc_data);</script></html>")).isEqualTo(
      expected());
    assertThat(read("<p>alloc_data</p><script>use(alloc_data); alloc_data == 1; alloc_dalloc_data\n=\n" + DATA + "</s"))
      .isEqualTo(expected());
    assertThat(read("let alloc_data=" + DATA)).isEqualTo(expected());
    assertThat(read("\uFEFF \n" + DATA)).isEqualTo(expected());
    assertThat(read("<!-- " + "x".repeat(100_000) + " --><script>alloc_data = " + DATA)).isEqualTo(expected());
  }

  @Test
  void whatIsLiveFromTheStartComesFirst() {
    AllocationTrace trace = read("""
      {"initially_allocated": [1, 1], "actions": [0, 1, 1], "elements_size": [5, 7]}""");
    assertThat(trace.notes().heldFromStart()).isEqualTo(1);
    assertThat(trace.peakLiveBytes()).isEqualTo(12);
    assertThat(trace.bytesOf(trace.block(0))).isEqualTo(7);
    assertThat(trace.eventCount()).isEqualTo(4);
  }

  @Test
  void elementsOfNoBytesAreLeftOut() {
    AllocationTrace trace = read("{\"actions\": [0, 0, 1], \"elements_size\": [0, 9]}");
    assertThat(trace.eventCount()).isEqualTo(1);
    assertThat(trace.notes().empties()).isEqualTo(2);
    assertThat(read("{\"actions\": [], \"elements_size\": []}").eventCount()).isZero();
  }

  @Test
  void whatIsNoPlotDataIsRefusedWithItsPlace() {
    assertRefused("", "empty");
    assertRefused(" \n\t", "empty");
    assertRefused("{}", "member is missing: member=actions");
    assertRefused("{\"actions\": [0]}", "member is missing: member=elements_size");
    assertRefused("{\"actions\": 3, \"elements_size\": []}", "not a list: member=actions line=1 column=13");
    assertRefused("{\"actions\": [0, \"1\"], \"elements_size\": [1]}", "not a list of whole numbers: member=actions");
    assertRefused("{\"actions\": [0.5], \"elements_size\": [1]}", "not a list of whole numbers");
    assertRefused("{\"actions\": [-1], \"elements_size\": [1]}", "negative: member=actions");
    assertRefused("{\"actions\": [0], \"elements_size\": [-512]}", "negative: member=elements_size");
    assertRefused("{\"actions\": [0],\n\"elements_size\": [9223372036854775808]}", "bad JSON: line=2");
    assertRefused("{\"actions\": [0, 1], \"elements_size\": [1]}",
      "no such element: member=actions position=1 element=1");
    assertRefused("{\"initially_allocated\": [9], \"actions\": [0], \"elements_size\": [1]}",
      "no such element: member=initially_allocated");
    assertRefused("{\"actions\": [0, 1], \"elements_size\": [9223372036854775807, 1]}", "impossible sizes");
    assertRefused("<html>alloc_data = [1]</html>", "page has no object of this name");
    assertRefused("<html></html>", "page has no object of this name");
    assertRefused("{\"actions\": [0], oops}", "bad JSON: line=1");
    // The parser's own limits, for which it gives no place.
    assertRefused("{\"deep\": " + "[".repeat(5000), "bad JSON");
    assertRefused("{\"actions\": [" + "9".repeat(5000) + "]}", "bad JSON");
    assertRefused("{\"" + "n".repeat(100_000) + "\": 1}", "bad JSON");
  }

  @Test
  void aDocumentThatEndsEarlyIsRefusedWhereverItIsCut() {
    String whole = DATA.strip();
    for (int length = 1; length < whole.length(); length++) {
      String cut = whole.substring(0, length);
      assertThatThrownBy(() -> read(cut, TraceFormat.PYTORCH)).isInstanceOf(InvalidTrace.class);
      assertThatThrownBy(() -> read("<script>alloc_data = " + cut, TraceFormat.AUTO)).isInstanceOf(InvalidTrace.class);
    }
  }

  @Test
  void damageIsReadOrRefusedButNeverCrashes() {
    Random random = new Random(7);
    byte[] whole = DATA.getBytes(StandardCharsets.UTF_8);
    for (int round = 0; round < 20_000; round++) {
      byte[] damaged = whole.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        assertThat(TraceFormat.AUTO.read(new ByteArrayInputStream(damaged)).neverFreed()).isNotNegative();
      } catch (InvalidTrace e) {
        assertThat(e.getMessage()).isNotBlank();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "page"})
  void aMillionActionsAreRead(String kind) throws IOException {
    TraceBuilder made = new TraceBuilder();
    for (int block = 0; block < 500_000; block++) {
      assertThat(made.grant(1 + block * 7919L % (1 << 20))).isEqualTo(block);
      if (block >= 100) {
        made.free((block - 100) ^ 1);
      }
    }
    AllocationTrace expected = made.build();
    StringBuilder sizes = new StringBuilder("\"elements_size\": [");
    for (int block = 0; block < expected.blockCount(); block++) {
      sizes.append(block == 0 ? "" : ", ").append(expected.bytesOf(block));
    }
    StringBuilder actions = new StringBuilder("\"actions\": [");
    for (int event = 0; event < expected.eventCount(); event++) {
      actions.append(event == 0 ? "" : ",").append(expected.block(event));
    }
    String data = "{" + actions + "], " + sizes + "]}";
    Path file = Files.writeString(folder.resolve("trace"), kind.equals("plain")
      ? data
      : "<script>var alloc_data = "
        + data + ";</script>");
    assertThat(TraceFormat.AUTO.read(file)).isEqualTo(expected);
  }

  @Test
  void formatsAreToldApart() {
    assertThat(read("Thread,Time,Action,Pointer,Size,Stream\r\n1,t,allocate,0x1,9,0\r\n", TraceFormat.AUTO)
      .peakLiveBytes()).isEqualTo(9);
    assertThat(read("\uFEFF\n\nsize , lower,upper,ID\n4,0,1,x\n".toLowerCase(Locale.ROOT), TraceFormat.AUTO)
      .peakLiveBytes()).isEqualTo(4);
    for (String odd : new String[] {"PK\u0003\u0004zip", "hello", "a,b,c\n1,2,3\n", "[1,2]"}) {
      assertThatThrownBy(() -> read(odd, TraceFormat.AUTO)).isInstanceOf(InvalidTrace.class).hasMessageContaining(
        "unknown format").message().hasLineCount(1);
    }
    assertThatThrownBy(() -> read(DATA, TraceFormat.RMM)).isInstanceOf(InvalidTrace.class);
    assertThatThrownBy(() -> read("Action,Pointer,Size\n", TraceFormat.MINIMALLOC)).isInstanceOf(InvalidTrace.class);
    assertThat(TraceFormat.values()).extracting(TraceFormat::toString).containsExactly("auto", "rmm", "pytorch",
      "minimalloc");
  }

  @Test
  void aDiskThatFailsIsAnIoException() {
    InputStream failing = new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException("disk on fire");
      }

      @Override
      public int read(byte[] into, int from, int count) throws IOException {
        throw new IOException("disk on fire");
      }
    };
    InputStream start = new ByteArrayInputStream("{\"actions\": [".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> TraceFormat.PYTORCH.read(new SequenceInputStream(start, failing))).isInstanceOf(
      IOException.class).hasMessage("disk on fire");
    assertThatThrownBy(() -> TraceFormat.AUTO.read(folder.resolve("none"))).isInstanceOf(IOException.class);
  }
}
