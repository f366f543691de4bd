package dev.cairn.allocator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MiniMallocCsvTest {
  private static AllocationTrace read(String text) {
    try {
      return MiniMallocCsv.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String text(AllocationTrace trace) {
    StringBuilder text = new StringBuilder();
    for (int event = 0; event < trace.eventCount(); event++) {
      text.append(trace.isGrant(event) ? '+' : '-').append(trace.bytesOf(trace.block(event)));
    }
    return text.toString();
  }

  @Test
  void freesComeBeforeGrantsAndRowsInOrder() {
    assertThat(text(read("""
      id,lower,upper,size
      a,0,5,1
      b,5,9,2
      c,0,5,3
      d,5,6,4
      e,9,10,5
      """))).isEqualTo("+1+3-1-3+2+4-4-2+5-5");
  }

  @Test
  void columnsMayBeInAnyOrderAndOthersAreLeftOut() {
    assertThat(text(read("size,alignment,upper,lower,id\n7,1,3,1,x\r\n\n"))).isEqualTo("+7-7");
    AllocationTrace empties = read("id,lower,upper,size\na,3,3,9\nb,1,2,0\n");
    assertThat(empties.eventCount()).isZero();
    assertThat(empties.notes().empties()).isEqualTo(2);
  }

  @Test
  void thePeakIsThatOfTheIntervals() {
    Random random = new Random(2);
    for (int round = 0; round < 300; round++) {
      int times = 1 + random.nextInt(30);
      long[] live = new long[times + 1];
      StringBuilder text = new StringBuilder("id,lower,upper,size\n");
      for (int i = random.nextInt(40); i > 0; i--) {
        int lower = random.nextInt(times);
        int upper = lower + 1 + random.nextInt(times - lower);
        long size = 1L + random.nextInt(1000);
        text.append(i).append(',').append(lower).append(',').append(upper).append(',').append(size).append('\n');
        for (int t = lower; t < upper; t++) {
          live[t] += size;
        }
      }
      long peak = 0;
      for (long bytes : live) {
        peak = Math.max(peak, bytes);
      }
      AllocationTrace trace = read(text.toString());
      assertThat(trace.peakLiveBytes()).isEqualTo(peak);
      assertThat(trace.neverFreed()).isZero();
    }
  }

  @Test
  void refusesWhatIsNoProblem() {
    assertThatThrownBy(() -> read("")).isInstanceOf(InvalidTrace.class).hasMessageContaining("empty");
    assertThatThrownBy(() -> read("id,lower,size\n")).hasMessageContaining("line=1").hasMessageContaining("upper");
    assertThatThrownBy(() -> read("id,lower,upper,size\na,5,4,1\n")).hasMessageContaining("line=2 ends before");
    assertThatThrownBy(() -> read("id,lower,upper,size\na,5,6\n")).hasMessageContaining("cells=3");
    assertThatThrownBy(() -> read("id,lower,upper,size\na,-5,6,1\n")).hasMessageContaining("negative: column=lower");
    assertThatThrownBy(() -> read("id,lower,upper,size\na,0,1,9223372036854775807\nb,0,1,1\n")).isInstanceOf(
      InvalidTrace.class).hasMessageContaining("impossible sizes");
  }
}
