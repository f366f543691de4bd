package dev.cairn.runtime.report.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BufferShapesTest {
  private static PictureFrame frame(PlanView view) {
    return PictureFrame.of(view, 500, 200, PoolStack.of(view.plan()).bytes());
  }

  @Test
  void eachBufferIsInOnePlaceOnly() {
    for (int seed = 0; seed < 50; seed++) {
      PlanView view = Views.random(seed, 1 + seed * 20);
      for (int most : new int[] {1, 7, 100, 10_000}) {
        BufferShapes shapes = BufferShapes.of(view, frame(view), most, 0.5);
        int inStrips = shapes.strips().stream().mapToInt(BufferShapes.Strip::buffers).sum();
        assertThat(shapes.inStrips()).isEqualTo(inStrips);
        assertThat(shapes.rectangles().size() + inStrips + shapes.empty()).isEqualTo(view.problem().size());
        assertThat(shapes.rectangles().size()).isLessThanOrEqualTo(most);
        assertThat(shapes.rectangles()).allMatch(it -> it.area() >= 0.5);
        long drawn = shapes.rectangles().stream().mapToLong(it -> view.problem().buffer(it.buffer()).reservedBytes())
          .sum() + shapes.strips().stream().mapToLong(BufferShapes.Strip::bytes).sum();
        assertThat(drawn).isEqualTo(view.problem().unsharedBytes());
      }
    }
  }

  @Test
  void theLargestAreDrawnOnTheirOwn() {
    PlanView view = Views.random(9, 500);
    BufferShapes all = BufferShapes.of(view, frame(view), 10_000, 0);
    BufferShapes some = BufferShapes.of(view, frame(view), 50, 0);
    double smallest = some.rectangles().stream().mapToDouble(BufferShapes.Rectangle::area).min().orElseThrow();
    assertThat(all.rectangles().stream().filter(it -> it.area() > smallest).count()).isLessThan(50);
    assertThat(some.rectangles()).hasSize(50);
  }

  @Test
  void stripsCoverTheirBuffersAndAreShort() {
    PlanView view = Views.random(11, 4000);
    PictureFrame frame = frame(view);
    BufferShapes shapes = BufferShapes.of(view, frame, 1, 0);
    assertThat(shapes.strips().size()).isLessThan(shapes.inStrips());
    assertThat(shapes.strips()).filteredOn(it -> it.buffers() > 1).allMatch(it -> it.width() <= 24);
    for (BufferShapes.Rectangle it : BufferShapes.of(view, frame, 10_000, 0).rectangles()) {
      boolean isCovered = shapes.rectangles().contains(it)
        || shapes.strips().stream().anyMatch(strip -> strip.y() == Math
          .floor(it.y()) && strip.x() <= it.x() && it.x() + it.width() <= strip.x() + strip.width() + 1e-9);
      assertThat(isCovered).isTrue();
    }
  }
}
