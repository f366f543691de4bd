package dev.cairn.allocator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RmmCsvTest {
  private static final String HEADER = RmmCsv.HEADER + "\n";

  private static AllocationTrace read(String text) {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static AllocationTrace read(byte[] text) {
    try {
      return RmmCsv.read(new ByteArrayInputStream(text));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static AllocationTrace trace(long... sizesAndFrees) {
    TraceBuilder builder = new TraceBuilder();
    for (long one : sizesAndFrees) {
      if (one > 0) {
        builder.grant(one);
      } else {
        builder.free((int) -one);
      }
    }
    return builder.build();
  }

  private static void assertRefused(String text, String... facts) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(InvalidTrace.class).satisfies(it -> assertThat(it.getMessage())
      .contains(facts).hasLineCount(1));
  }

  @Test
  void aRealLogOfTwoThreadsAndStreams() {
    AllocationTrace trace = read(HEADER + """
      1979,09:47:30:250433,allocate,0x7f2c00000000,1048576,0x0
      1981,09:47:30:250441,allocate,0x7f2c00100000,31,0x55d1c70
      1979,09:47:30:250450,free,0x7f2c00000000,1048576,0x0
      1981,09:47:30:250461,allocate,0x7f2c00000000,512,0x55d1c70
      1981,09:47:30:250470,allocate failure,0x0,99999999999,0x55d1c70
      1979,09:47:30:250471,free,0x7f2c00100000,31,0x0
      """);
    assertThat(trace).isEqualTo(trace(1048576, 31, 0, 512, -1));
    assertThat(trace.notes()).isEqualTo(new TraceNotes(1, 0, 0, 0, 0));
    assertThat(trace.neverFreed()).isEqualTo(1);
  }

  @Test
  void lineEndsBlanksOrderAndCaseDoNotMatter() {
    AllocationTrace expected = trace(5, 6, 0);
    String plain = HEADER + "1,t,allocate,0x100,5,0\n1,t,allocate,0x200,6,0\n1,t,free,0x100,5,0\n";
    assertThat(read(plain)).isEqualTo(expected);
    assertThat(read(plain.replace("\n", "\r\n"))).isEqualTo(expected);
    assertThat(read(plain.stripTrailing())).as("no last line end").isEqualTo(expected);
    assertThat(read("\uFEFF" + plain)).as("byte order mark").isEqualTo(expected);
    assertThat(read("\n \n" + plain.replace("\n", "\n\n") + "  \r\n")).as("blank lines").isEqualTo(expected);
    assertThat(read(plain.replace(",", " , "))).as("blanks").isEqualTo(expected);
    assertThat(read(plain.toUpperCase(Locale.ROOT))).isEqualTo(expected);
    assertThat(read(plain.replace("0x", ""))).as("decimal").isEqualTo(expected);
    assertThat(read(plain.replace("free", "deallocate"))).isEqualTo(expected);
    assertThat(read("Size,Action,Pointer\n5,allocate,0x100\n6,allocate,0x200\n5,free,0x100\n")).isEqualTo(expected);
    assertThat(read(plain + HEADER + "2,t,allocate,0x300,9,0\n")).as("joined logs").isEqualTo(trace(5, 6, 0, 9));
  }

  @Test
  void pointersOf64BitsAreToldApart() {
    assertThat(read(HEADER + """
      1,t,allocate,0xffffffffffffff00,5,0
      1,t,allocate,0X7fffffffffffff00,6,0
      1,t,free,0xFFFFFFFFFFFFFF00,5,0
      """)).isEqualTo(trace(5, 6, 0));
  }

  @Test
  void aLogThatBeganLateHoldsItsBlocksFromTheStart() {
    AllocationTrace trace = read(HEADER + """
      1,t,allocate,0x100,5,0
      1,t,free,0x900,70,0
      1,t,free,0x800,80,0
      """);
    assertThat(trace.peakLiveBytes()).isEqualTo(155);
    assertThat(trace.notes()).isEqualTo(new TraceNotes(0, 2, 0, 0, 0));
    assertThat(trace.isGrant(0) && trace.isGrant(1) && trace.isGrant(2)).isTrue();
    assertThat(trace.neverFreed()).isEqualTo(1);
  }

  @Test
  void aFreeThatIsMissingIsImpliedAndOneTooManyIsLeftOut() {
    AllocationTrace trace = read(HEADER + """
      1,t,allocate,0x100,5,0
      1,t,allocate,0x100,6,0
      1,t,free,0x100,6,0
      1,t,free,0x100,5,0
      1,t,allocate,0x100,7,0
      """);
    assertThat(trace).isEqualTo(trace(5, 0, 6, -1, 7));
    assertThat(trace.notes()).isEqualTo(new TraceNotes(0, 0, 1, 1, 0));
  }

  @Test
  void nothingIsNeitherGrantedNorFreed() {
    AllocationTrace trace = read(HEADER + """
      1,t,allocate,0x0,0,0
      1,t,allocate,(nil),0,0
      1,t,free,(nil),0,0
      1,t,free,nullptr,16,0
      1,t,allocate,0x500,0,0
      1,t,free,0x500,0,0
      1,t,allocate,0x0,77,0
      """);
    assertThat(trace.eventCount()).isZero();
    assertThat(trace.notes()).isEqualTo(new TraceNotes(1, 0, 0, 0, 6));
  }

  @Test
  void theSizeInAFreeIsNotTrusted() {
    assertThat(read(HEADER + "1,t,allocate,0x100,5,0\n1,t,free,0x100,0,0\n")).isEqualTo(trace(5, 0));
    assertThat(read(HEADER + "1,t,allocate,0x100,5,0\n1,t,free,0x100,99,0\n")).isEqualTo(trace(5, 0));
  }

  @Test
  void aHeaderAloneIsAnEmptyTrace() {
    assertThat(read(HEADER).eventCount()).isZero();
    assertThat(read(RmmCsv.HEADER).eventCount()).isZero();
  }

  @Test
  void whatIsNoLogIsRefusedWithItsReason() {
    assertRefused("", "empty", "action,pointer,size");
    assertRefused("\n\r\n  \n", "empty");
    assertRefused("id,lower,upper,size\n1,2,3,4\n", "line=1", "column=action");
    assertRefused("Action,Pointer,Size,Size\n", "line=1", "column=Size");
    assertRefused("{\"actions\": []}", "line=1");
    assertRefused("x".repeat(1 << 20), "line=1", "longer than");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,t,allocate,0x100,-5,0|negative: column=Size value=-5",
    "1,t,allocate,0x100,,0|empty: column=Size", "1,t,allocate,0x100,5.5,0|not a whole number: column=Size value=5.5",
    "1,t,allocate,0x100,9223372036854775808,0|too large: column=Size", "1,t,allocate,0x100,1e3,0|not a whole number",
    "1,t,allocate,0x100,0x10,0|not a whole number", "1,t,allocate,,5,0|empty: column=Pointer",
    "1,t,allocate,0xzz,5,0|not a hexadecimal number", "1,t,allocate,-1,5,0|negative: column=Pointer",
    "1,t,allocate,0x10000000000000000,5,0|too large: column=Pointer", "1,t,allocate,0x,5,0|not a whole number",
    "1,t,realloc,0x100,5,0|neither allocate", "1,t,,0x100,5,0|neither allocate", "1,t,allocate,0x100|cells=4 columns=6",
    "1,t,allocate,0x100,5,0,0|cells=7 columns=6", "allocate|cells=1", "\u0000\u0001\u0002|cells=1",
    "1,t,free,0x100,x,0|not a whole number"})
  void aBadLineIsNamed(String lineAndReason) {
    String[] parts = lineAndReason.split("\\|", -1);
    assertRefused(HEADER + "1,t,allocate,0x900,8,0\r\n\r\n" + parts[0] + "\n1,t,free,0x900,8,0\n",
      "line=4 " + parts[1]);
  }

  @Test
  void aLineIsShownCutAndWithoutControlCharacters() {
    assertThatThrownBy(() -> read(HEADER + "\u0007" + "y".repeat(5000))).isInstanceOf(InvalidTrace.class).satisfies(
      it -> assertThat(it.getMessage()).hasSizeLessThan(200)
        .contains("text=\\u0007yyy", "...").doesNotContain("\u0007"));
  }

  @Test
  void sizesThatTogetherOverflowAreRefused() {
    String huge = "1,t,allocate,0x%d,9223372036854775807,0%n";
    assertThat(read(HEADER + huge.formatted(1)).peakLiveBytes()).isEqualTo(Long.MAX_VALUE);
    assertRefused(HEADER + huge.formatted(1) + huge.formatted(2), "impossible sizes", "more bytes live");
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
    InputStream log = new ByteArrayInputStream((HEADER + "1,t,allocate,0x1,5,0\n").getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> RmmCsv.read(new SequenceInputStream(log, failing))).isInstanceOf(IOException.class)
      .hasMessage("disk on fire");
  }

  @Test
  void damageIsReadOrRefusedButNeverCrashes() {
    damage(2_000);
  }

  @Test
  @Tag("long")
  void muchDamageIsReadOrRefusedButNeverCrashes() {
    damage(20_000);
  }

  private static void damage(int rounds) {
    Random random = new Random(5);
    byte[] log = (HEADER + "1,t,allocate,0x100,5,0\n1,t,free,0x100,5,0\n2,t,allocate failure,0x0,7,0\n".repeat(9))
      .getBytes(StandardCharsets.US_ASCII);
    int refused = 0;
    for (int round = 0; round < rounds; round++) {
      byte[] damaged = log.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        assertThat(read(damaged).neverFreed()).isNotNegative();
      } catch (InvalidTrace e) {
        refused++;
        assertThat(e.getMessage()).hasLineCount(1);
      }
    }
    assertThat(refused).isBetween(1, rounds - 1);
  }

  @Test
  void manyEventsInChunksOfAnySizeAreOne() throws IOException {
    requireOne(50_000);
  }

  @Test
  @Tag("long")
  void aMillionEventsInChunksOfAnySizeAreOne() throws IOException {
    requireOne(500_000);
  }

  private static void requireOne(int blocks) throws IOException {
    StringBuilder log = new StringBuilder(HEADER);
    AllocationTrace expected = RandomTrace.of(3, blocks, 1 << 20, 1L << 30);
    for (int event = 0; event < expected.eventCount(); event++) {
      int block = expected.block(event);
      log.append(event % 7).append(",00:00:00:000000,").append(expected.isGrant(event) ? "allocate" : "free").append(
        ",0x").append(Integer.toHexString(block + 1)).append("00,").append(expected.bytesOf(block)).append(",0\n");
    }
    byte[] bytes = log.toString().getBytes(StandardCharsets.US_ASCII);
    assertThat(read(bytes)).isEqualTo(expected);
    Random random = new Random(1);
    assertThat(RmmCsv.read(new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] into, int from, int length) {
        return super.read(into, from, Math.min(length, 1 + random.nextInt(100)));
      }
    })).isEqualTo(expected);
  }
}
