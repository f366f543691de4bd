package dev.cairn.runtime.report.plan;

/**
 * How large a picture is, and how much is in it.
 *
 * @param width in pixels, at least 300
 * @param height of the plan itself, in pixels, at least 50
 * @param mostRectangles buffers that are drawn on their own, at most; the largest are
 * @param leastArea of a buffer that is drawn on its own, in square pixels
 */
public record PictureSize(int width, int height, int mostRectangles, double leastArea) {
  /** For a file that is looked at as it is: up to a megabyte. */
  public static final PictureSize ALONE = new PictureSize(1000, 420, 5_000, 0.5);
  /** For a page that can be zoomed: up to four megabytes. */
  public static final PictureSize IN_PAGE = new PictureSize(1240, 560, 20_000, 0.02);

  public PictureSize {
    if (width < 300 || height < 50 || mostRectangles < 1) {
      throw new IllegalArgumentException(
        "too small for a picture: width=%d height=%d mostRectangles=%d".formatted(width,
          height, mostRectangles));
    }
  }
}
