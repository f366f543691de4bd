package dev.cairn.runtime.train.data;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NativeTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Features and labels in memory, row by row.
 *
 * @param features {@code [N,...]}
 * @param labels {@code [N,...]}; class labels are {@code int64[N]}
 */
public record ArrayDataset(TensorView features, TensorView labels) {
  private static final int IMAGE_RANK = 4;

  public ArrayDataset {
    if (features.shape().rank() < 1 || labels.shape().rank() < 1 || features.shape().extent(0) != labels.shape().extent(
      0)) {
      throw new IllegalArgumentException("features and labels have other rows: features=%s labels=%s".formatted(features
        .type(), labels.type()));
    }
  }

  /** How many rows there are. */
  public int rows() {
    return Math.toIntExact(features.shape().extent(0));
  }

  /** A copy of some rows, in the given order. */
  public ArrayDataset select(int... rows) {
    return new ArrayDataset(gather(features, rows), gather(labels, rows));
  }

  /** A copy of the rows whose numbers fulfil a condition, such as {@code row -> row % 5 != 0}. */
  public ArrayDataset where(IntPredicate condition) {
    return select(IntStream.range(0, rows()).filter(condition).toArray());
  }

  /** The same rows with features of another shape, such as {@code 1, 28, 28}. */
  public ArrayDataset reshaped(long... extentsOfOne) {
    long[] extents = LongStream.concat(LongStream.of(rows()), LongStream.of(extentsOfOne)).toArray();
    return new ArrayDataset(features.reshaped(Shape.of(extents)), labels);
  }

  /** The same rows with features {@code [N,columns]}. */
  public ArrayDataset flattened() {
    return reshaped(features.elementCount() / Math.max(1, rows()));
  }

  /**
   * The same rows with features {@code [N,channels,height,width]}. Rows of two axes get one channel; rows of one axis
   * become a square with one channel.
   *
   * @throws IllegalArgumentException when they are no images
   */
  public ArrayDataset asImages() {
    Shape shape = features.shape();
    return switch (shape.rank()) {
      case 2 -> {
        long columns = shape.extent(1);
        long side = Math.round(Math.sqrt((double) columns));
        if (side * side != columns) {
          throw new IllegalArgumentException("rows are no square images: columns=" + columns);
        }
        yield reshaped(1, side, side);
      }
      case IMAGE_RANK - 1 -> reshaped(1, shape.extent(1), shape.extent(2));
      case IMAGE_RANK -> this;
      default -> throw new IllegalArgumentException("rows are no images: features=" + features.type());
    };
  }

  /** A copy of {@linkplain #asImages images} in another size, interpolated linearly as {@code Resize} does. */
  public ArrayDataset resized(int height, int width) {
    ArrayDataset images = asImages();
    Shape shape = images.features.shape();
    if (shape.extent(2) == height && shape.extent(IMAGE_RANK - 1) == width) {
      return images;
    }
    var builder = new GraphBuilder("images");
    NodeEntry given = builder.input("images", images.features.type());
    NodeEntry sizes = builder.constant("sizes", TensorView.ofLongs(shape.extent(0), shape.extent(1), height, width));
    builder.output("resized", builder.apply("Resize", Attributes.NONE.with("mode", new AttributeValue.Text("linear")),
      given, Node.absent(), Node.absent(), sizes));
    try (Session session = Session.of(builder.build(), SessionOptions.DEFAULT);
      Tensor all = Tensor.copyOf(images.features);
      Result result = session.run(Map.of("images", all))) {
      TensorView made = result.get("resized").view();
      TensorView kept = NativeTensor.allocate(made.type());
      kept.segment().copyFrom(made.segment());
      return new ArrayDataset(kept, labels);
    }
  }

  /** A copy whose features are {@code float32} and multiplied by a factor, such as 1/255 for bytes. */
  public ArrayDataset scaled(double factor) {
    TensorView result = NativeTensor.allocate(new TensorType(DType.FLOAT32, features.shape()));
    for (long i = 0; i < features.elementCount(); i++) {
      result.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) (features.doubleAt(i) * factor));
    }
    return new ArrayDataset(result, labels);
  }

  /**
   * Checks that labels are classes.
   *
   * @param classes how many there are
   * @return this data set
   * @throws IllegalArgumentException when a label is outside {@code [0, classes)}; names the first such row
   */
  public ArrayDataset requireClasses(int classes) {
    for (long row = 0; row < labels.elementCount(); row++) {
      long label = labels.longAt(row);
      if (label < 0 || label >= classes) {
        throw new IllegalArgumentException("a label is out of range: row=%d label=%d classes=%d; labels are 0 to %d"
          .formatted(row, label, classes, classes - 1));
      }
    }
    return this;
  }

  private static TensorView gather(TensorView from, int... rows) {
    Shape shape = from.shape().with(0, rows.length);
    TensorView to = NativeTensor.allocate(new TensorType(from.dtype(), shape));
    long bytes = from.shape().extent(0) == 0 ? 0 : from.type().bytes() / from.shape().extent(0);
    for (int i = 0; i < rows.length; i++) {
      MemorySegment.copy(from.segment(), rows[i] * bytes, to.segment(), i * bytes, bytes);
    }
    return to;
  }
}
