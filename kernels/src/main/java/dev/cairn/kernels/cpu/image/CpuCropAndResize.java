package dev.cairn.kernels.cpu.image;

import dev.cairn.kernels.attribute.CropAndResizeForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.IndexInput;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@code CropAndResize(x, rois, batch_indices, crop_size)} of com.microsoft, for {@code float32}: regions of images,
 * all resized to the same size. A region is two corners {@code y, x, y, x}, in units of the last row and column.
 * Positions are rounded to {@code float32} after each operation, as those of ONNX Runtime, because an edge of a region
 * often lies on an edge of the image.
 */
public final class CpuCropAndResize implements Kernel {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int CORNERS = 4;

  /** @throws IllegalArgumentException if there is no such image */
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    Shape shape = y.shape();
    if (y.elementCount() == 0) {
      return;
    }
    CropAndResizeForm form = CropAndResizeForm.of(call.attributes());
    var images = new IndexInput(call.input(2));
    MemorySegment regions = call.input(1).segment();
    int height = Math.toIntExact(x.shape().extent(2));
    int width = Math.toIntExact(x.shape().extent(3));
    int rows = Math.toIntExact(shape.extent(2));
    int columns = Math.toIntExact(shape.extent(3));
    long channels = shape.extent(1);
    CpuStream.of(call).parallel(shape.extent(0), 1, (first, end) -> {
      for (long region = first; region < end; region++) {
        long image = images.at(region, x.shape().extent(0));
        float[] down = positions(regions, region, 0, rows, height);
        float[] across = positions(regions, region, 1, columns, width);
        for (long channel = 0; channel < channels; channel++) {
          long plane = (image * channels + channel) * height * width;
          long at = (region * channels + channel) * rows * columns;
          for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
              float value = isOutside(down[row], height) || isOutside(across[column], width)
                ? form.outside()
                : form.isNearest()
                  ? at(x, plane, nearest(down[row]) * width + nearest(across[column]))
                  : mixed(x, plane, width, down[row], across[column]);
              y.segment().set(FLOAT, (at + (long) row * columns + column) * Float.BYTES, value);
            }
          }
        }
      }
    });
  }

  /** The positions of samples along an axis: from corner to corner, or in the middle if there is one. */
  private static float[] positions(MemorySegment regions, long region, int axis, int count, int extent) {
    float begin = regions.get(FLOAT, (region * CORNERS + axis) * Float.BYTES);
    float end = regions.get(FLOAT, (region * CORNERS + axis + 2) * Float.BYTES);
    float[] positions = new float[count];
    if (count == 1) {
      positions[0] = (float) (0.5 * (begin + end) * (extent - 1));
      return positions;
    }
    float step = (end - begin) * (extent - 1) / (count - 1);
    for (int i = 0; i < count; i++) {
      positions[i] = begin * (extent - 1) + i * step;
    }
    positions[count - 1] = end * (extent - 1);
    return positions;
  }

  private static boolean isOutside(float position, int extent) {
    return !(position >= 0 && position <= extent - 1);
  }

  /** Halves are rounded up. */
  private static int nearest(float position) {
    return (int) Math.floor(position + 0.5);
  }

  private static float mixed(TensorView x, long plane, int width, float down, float across) {
    int top = (int) Math.floor(down);
    int left = (int) Math.floor(across);
    int bottom = (int) Math.ceil(down);
    int right = (int) Math.ceil(across);
    float share = across - left;
    float upper = between(at(x, plane, top * width + left), at(x, plane, top * width + right), share);
    float lower = between(at(x, plane, bottom * width + left), at(x, plane, bottom * width + right), share);
    return between(upper, lower, down - top);
  }

  private static float between(float first, float second, float share) {
    return first + (second - first) * share;
  }

  private static float at(TensorView x, long plane, int index) {
    return x.segment().get(FLOAT, (plane + index) * Float.BYTES);
  }
}
