package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;

/** The values of an array as text: in nested brackets, with columns aligned. */
final class ArrayText {
  /** Longer arrays are cut. */
  private static final long MOST_ELEMENTS = 1_000;
  /** The number of positions that are shown at each end of an axis that is cut. */
  private static final long SHOWN_AT_END = 3;
  private static final long CUT = -1;

  private final TensorView view;
  private final boolean isCut;
  private final NumberText numbers;
  private final StringBuilder text = new StringBuilder();

  private ArrayText(TensorView view) {
    this.view = view;
    this.isCut = view.elementCount() > MOST_ELEMENTS;
    List<Long> places = new ArrayList<>();
    gather(0, 0, places);
    this.numbers = NumberText.of(view, places);
  }

  /** The values alone. */
  static String of(TensorView view) {
    if (view.elementCount() == 0) {
      return "[]";
    }
    var made = new ArrayText(view);
    made.append(0, 0);
    return made.text.toString();
  }

  /** The positions of an axis that are shown, with {@link #CUT} where some are not. */
  private List<Long> shown(int axis) {
    long extent = view.shape().extent(axis);
    List<Long> positions = new ArrayList<>();
    boolean cuts = isCut && extent > 2 * SHOWN_AT_END;
    for (long i = 0; i < extent; i++) {
      if (cuts && i == SHOWN_AT_END) {
        positions.add(CUT);
        i = extent - SHOWN_AT_END;
      }
      positions.add(i);
    }
    return positions;
  }

  private long elementsBelow(int axis) {
    Shape shape = view.shape();
    return shape.elementCount(axis + 1, shape.rank());
  }

  private void gather(int axis, long place, List<Long> places) {
    if (axis == view.shape().rank()) {
      places.add(place);
      return;
    }
    for (long position : shown(axis)) {
      if (position != CUT) {
        gather(axis + 1, place + position * elementsBelow(axis), places);
      }
    }
  }

  private void append(int axis, long place) {
    int rank = view.shape().rank();
    if (axis == rank) {
      text.append(numbers.text(place));
      return;
    }
    text.append('[');
    boolean isFirst = true;
    for (long position : shown(axis)) {
      if (!isFirst) {
        text.append(axis == rank - 1 ? " " : "\n".repeat(rank - 1 - axis) + " ".repeat(axis + 1));
      }
      isFirst = false;
      if (position == CUT) {
        text.append("...");
      } else {
        append(axis + 1, place + position * elementsBelow(axis));
      }
    }
    text.append(']');
  }
}
