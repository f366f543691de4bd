package dev.cairn.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryProblemTest {
  private static final Lifetime ONCE = new Lifetime(0, 1);

  @ParameterizedTest
  @CsvSource({"0,3,3,5,false", "0,4,3,5,true", "3,5,0,3,false", "3,5,0,4,true", "0,9,4,5,true", "4,5,0,9,true",
    "2,3,2,3,true"})
  void lifetimesAreHalfOpen(int first, int end, int otherFirst, int otherEnd, boolean overlap) {
    assertThat(new Lifetime(first, end).overlaps(new Lifetime(otherFirst, otherEnd))).isEqualTo(overlap);
  }

  @Test
  void lifetimesAreNeverEmptyNorNegative() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Lifetime(4, 4))
      .withMessage("empty lifetime: first=4 end=4");
    assertThatIllegalArgumentException().isThrownBy(() -> new Lifetime(4, 3)).withMessageContaining("empty lifetime");
    assertThatIllegalArgumentException().isThrownBy(() -> new Lifetime(-1, 3))
      .withMessage("lifetime begins before step 0: first=-1 end=3");
  }

  @ParameterizedTest
  @CsvSource({"0,1,0", "1,1,1", "0,64,0", "1,64,64", "63,64,64", "64,64,64", "65,64,128", "1,4096,4096",
    "9223372036854775807,1,9223372036854775807", "9223372036854775744,64,9223372036854775744"})
  void aBufferReservesItsBytesRoundedUp(long bytes, long alignment, long reserved) {
    Buffer buffer = Buffer.of("x", bytes, ONCE).withAlignment(alignment);
    assertThat(buffer.reservedBytes()).isEqualTo(reserved);
  }

  @Test
  void badBuffersSayWhatIsWrong() {
    assertThatIllegalArgumentException().isThrownBy(() -> Buffer.of("x", -5, ONCE))
      .withMessage("negative bytes: buffer=x bytes=-5");
    assertThatIllegalArgumentException().isThrownBy(() -> Buffer.of(" ", 5, ONCE))
      .withMessage("buffer without a name: bytes=5 lifetime=[0, 1)");
    for (long alignment : new long[] {0, -1, 3, 20, 96, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> Buffer.of("x", 5, ONCE).withAlignment(alignment))
        .withMessage("alignment is not a power of two: buffer=x alignment=" + alignment);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> Buffer.of("x", Long.MAX_VALUE, ONCE).withAlignment(2))
      .withMessage("bytes overflow when aligned: buffer=x bytes=9223372036854775807 alignment=2");
  }

  @Test
  void namesAreUnique() {
    assertThatIllegalArgumentException()
      .isThrownBy(() -> MemoryProblem.of(Buffer.of("x", 1, ONCE), Buffer.of("y", 1, ONCE), Buffer.of("x", 2, ONCE)))
      .withMessage("two buffers with one name: buffer=x");
  }

  @Test
  void sumsMustFitALong() {
    Buffer half = Buffer.of("half", Long.MAX_VALUE / 2 + 1, ONCE);
    Buffer rest = Buffer.of("rest", Long.MAX_VALUE / 2, ONCE);
    assertThat(MemoryProblem.of(half, rest).unsharedBytes()).isEqualTo(Long.MAX_VALUE);
    assertThatIllegalArgumentException()
      .isThrownBy(() -> MemoryProblem.of(half, rest, Buffer.of("straw", 1, new Lifetime(8, 9))))
      .withMessage("bytes of the problem overflow: buffer=straw bytes=1 before=9223372036854775807");
    assertThatIllegalArgumentException()
      .isThrownBy(() -> MemoryProblem.of(half.withAlignment(64), rest)).withMessageContaining("overflow: buffer=rest");
    assertThatIllegalArgumentException()
      .isThrownBy(() -> MemoryProblem.of(Buffer.of("x", 1, ONCE).withAlignment(1L << 62), half))
      .withMessageContaining("overflow");
  }

  @Test
  void outputsAndKeptBuffersAreHeldToTheLastStep() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("plain", 1, new Lifetime(0, 2)),
      Buffer.of("kept", 1, new Lifetime(1, 2)).withoutReuse(), Buffer.of("out", 1, new Lifetime(3, 4)).asOutput(),
      Buffer.of("last", 1, new Lifetime(6, 7)));
    assertThat(problem.steps()).isEqualTo(7);
    assertThat(problem.held()).containsExactly(new Lifetime(0, 2), new Lifetime(1, 7), new Lifetime(3, 7),
      new Lifetime(6, 7));
  }

  @Test
  void unsharedBytesAreTheSumOfReservedBytes() {
    assertThat(MemoryProblem.of().unsharedBytes()).isZero();
    assertThat(MemoryProblem.of(Buffer.of("x", 10, ONCE).withAlignment(64), Buffer.of("y", 7, ONCE)).unsharedBytes())
      .isEqualTo(71);
  }

  @Test
  void textFormIsOneLineABuffer() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("x", 100, new Lifetime(0, 3)),
      Buffer.of("y", 0, ONCE).withAlignment(64).withReuseKey("cpu/float32/s0").withoutReuse().asOutput());
    assertThat(problem).hasToString("""
      x: 100 bytes [0, 3)
      y: 0 bytes [0, 1) align=64 key=cpu/float32/s0 kept output""");
    assertThat(new MemoryProblem(List.of())).hasToString("");
  }
}
