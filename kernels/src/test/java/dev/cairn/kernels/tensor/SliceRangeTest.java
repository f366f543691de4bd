package dev.cairn.kernels.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SliceRangeTest {

  @Test
  void boundsAreClampedAsOnnxSays() {
    assertThat(SliceRange.of(0, 3, 1, 5)).isEqualTo(new SliceRange(0, 1, 3));
    assertThat(SliceRange.of(-2, Long.MAX_VALUE, 1, 5)).isEqualTo(new SliceRange(3, 1, 2));
    assertThat(SliceRange.of(Long.MIN_VALUE, -1, 2, 5)).isEqualTo(new SliceRange(0, 2, 2));
    assertThat(SliceRange.of(-1, Long.MIN_VALUE, -1, 5)).isEqualTo(new SliceRange(4, -1, 5));
    assertThat(SliceRange.of(Long.MAX_VALUE, 0, -2, 6)).isEqualTo(new SliceRange(5, -2, 3));
    assertThat(SliceRange.of(4, -1, -1, 5).count()).isZero();
    assertThat(SliceRange.of(3, 3, 1, 5).count()).isZero();
    assertThat(SliceRange.of(4, 2, 1, 5).count()).isZero();
  }

  /** The one place where ONNX's clamping and NumPy's differ. */
  @Test
  void walkingBackwardsFromBeforeTheAxisSelectsItsFirstIndex() {
    assertThat(SliceRange.of(-100, Long.MIN_VALUE, -1, 5)).isEqualTo(new SliceRange(0, -1, 1));
  }

  @Test
  void stepsOfAnyLengthDoNotOverflow() {
    assertThat(SliceRange.of(0, Long.MAX_VALUE, Long.MAX_VALUE, 5)).isEqualTo(new SliceRange(0, Long.MAX_VALUE, 1));
    assertThat(SliceRange.of(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE, 5))
      .isEqualTo(new SliceRange(4, Long.MIN_VALUE, 1));
    long vast = Long.MAX_VALUE;
    assertThat(SliceRange.of(0, vast, 1, vast).count()).isEqualTo(vast);
    assertThat(SliceRange.of(-1, Long.MIN_VALUE, -1, vast).count()).isEqualTo(vast);
  }

  @Test
  void anEmptyAxisHasNothingToSelect() {
    assertThat(SliceRange.of(0, Long.MAX_VALUE, 1, 0).count()).isZero();
    assertThat(SliceRange.of(-1, Long.MIN_VALUE, -1, 0).count()).isZero();
  }

  @Test
  void everySmallSliceIsWhatWalkingGives() {
    for (long extent = 0; extent <= 5; extent++) {
      for (long start = -7; start <= 7; start++) {
        for (long end = -7; end <= 7; end++) {
          for (long step : new long[] {-3, -2, -1, 1, 2, 3}) {
            assertThat(indexes(SliceRange.of(start, end, step, extent)))
              .as("start=%d end=%d step=%d extent=%d", start, end, step, extent)
              .isEqualTo(walked(start, end, step, extent));
          }
        }
      }
    }
  }

  @Test
  void wrongUseIsRefused() {
    assertThatThrownBy(() -> SliceRange.of(0, 1, 0, 3)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("step=0");
    assertThatThrownBy(() -> SliceRange.of(0, 1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SliceRange.of(0, 1, 1, -3)).hasMessageContaining("extent=-3");
    assertThatThrownBy(() -> new SliceRange(0, 1, -1)).hasMessageContaining("count=-1");
  }

  private static List<Long> indexes(SliceRange range) {
    List<Long> indexes = new ArrayList<>();
    for (long i = 0; i < range.count(); i++) {
      indexes.add(range.start() + i * range.step());
    }
    return indexes;
  }

  /** Walks from the start until the end is passed, without computing a count. */
  private static List<Long> walked(long start, long end, long step, long extent) {
    List<Long> indexes = new ArrayList<>();
    long from = start < 0 ? start + extent : start;
    long to = end < 0 ? end + extent : end;
    from = step > 0 ? Math.max(0, from) : Math.max(0, Math.min(from, extent - 1));
    for (long i = from; i < extent && i >= 0 && (step > 0 ? i < to : i > to); i += step) {
      indexes.add(i);
    }
    return indexes;
  }
}
