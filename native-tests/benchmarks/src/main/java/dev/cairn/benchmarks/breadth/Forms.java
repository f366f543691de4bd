package dev.cairn.benchmarks.breadth;

import static dev.cairn.benchmarks.written.WrittenModel.ints;
import static dev.cairn.benchmarks.written.WrittenModel.text;
import static dev.cairn.benchmarks.written.WrittenModel.whole;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** All forms. To add one, add a line. */
final class Forms {
  static final List<Form> ALL = Stream.of(elementwise(), choices(), along(), moves(), products(), images())
    .flatMap(List::stream).toList();

  private Forms() {}

  /** Each kind of broadcasting. */
  private static List<Form> elementwise() {
    return List.of( //
      Form.elementwise("one operand", true, it -> it.operand(it.images())), //
      Form.elementwise("to another type", false, it -> it.operand(it.images()).with(whole("to", ElementTypes.number(
        it.dtype() == DType.FLOAT32 ? DType.INT64 : DType.FLOAT32)))), //
      Form.elementwise("to a half type", false, it -> it.operand(it.images()).with(whole("to", ElementTypes.number(
        DType.FLOAT16)))), //
      Form.elementwise("equal shapes", true, it -> {
        long[] shape = it.images();
        it.operand(shape).operand(shape);
      }), //
      Form.elementwise("a scalar", true, it -> it.operand(it.images()).operand()), //
      Form.elementwise("a scalar before", false, it -> it.operand().operand(it.images())), //
      Form.elementwise("a row", false, it -> {
        long[] shape = it.images();
        it.operand(shape).operand(shape[3]);
      }), //
      Form.elementwise("a column", false, it -> {
        long[] shape = it.images();
        it.operand(shape).operand(shape[0], shape[1], shape[2], 1);
      }), //
      Form.elementwise("one a channel", true, it -> {
        long[] shape = it.images();
        it.operand(shape).operand(shape[1], 1, 1);
      }), //
      Form.elementwise("a column and a row", false, it -> {
        long[] shape = it.shape(2);
        it.operand(shape[0], 1).operand(1, shape[1]);
      }), //
      Form.elementwise("to the left", false, it -> {
        long[] shape = it.images();
        it.operand(shape).operand(shape).with(text("direction", "LEFT"));
      }), //
      Form.elementwise("remainder of the dividend", false, it -> {
        long[] shape = it.images();
        it.operand(shape).operand(shape).with(whole("fmod", 1));
      }));
  }

  /** What is chosen by a mask, or bounded by two numbers. */
  private static List<Form> choices() {
    return List.of( //
      Form.elementwise("a mask and equal shapes", true, it -> {
        long[] shape = it.images();
        it.operand(DType.BOOL, shape).operand(shape).operand(shape);
      }), //
      Form.elementwise("a mask and a scalar", true, it -> {
        long[] shape = it.images();
        it.operand(DType.BOOL, shape).operand(shape).operand();
      }), //
      Form.elementwise("a mask of a row", false, it -> {
        long[] shape = it.images();
        it.operand(DType.BOOL, shape[3]).operand(shape).operand(shape);
      }), //
      Form.elementwise("a mask of a column", false, it -> {
        long[] shape = it.images();
        it.operand(DType.BOOL, shape[0], shape[1], shape[2], 1).operand(shape).operand(shape);
      }), //
      Form.elementwise("two scalars", false, it -> it.operand(it.images()).operand().operand()));
  }

  private static List<Form> along() {
    return List.of( //
      Form.along("axis", it -> it.operand(it.shape(3)).with(whole("axis", it.axis()))), //
      Form.along("axes", it -> it.operand(it.shape(3)).longs(it.axis())), //
      Form.along("axis as an operand", it -> it.operand(it.shape(3)).scalar(it.axis())), //
      Form.along("joined", it -> {
        long[] shape = it.shape(3);
        it.operand(shape).operand(shape).with(whole("axis", it.axis()));
      }), //
      Form.along("halves", it -> it.operand(it.shape(3)).with(whole("axis", it.axis())).with(whole("num_outputs", 2))
        .results(2)), //
      Form.along("some indices", it -> it.operand(it.shape(3)).operand(DType.INT64, 8).with(whole("axis", it.axis()))),
      Form.along("an index for each", it -> {
        long[] shape = it.shape(3);
        it.operand(shape).operand(DType.INT64, shape).with(whole("axis", it.axis()));
      }), //
      Form.along("an update for each", it -> {
        long[] shape = it.shape(3);
        it.operand(shape).operand(DType.INT64, shape).operand(shape).with(whole("axis", it.axis()));
      }), //
      Form.along("the best", it -> it.operand(it.shape(3)).longs(4).with(whole("axis", it.axis())).results(2)), //
      Form.along("a depth", it -> it.operand(DType.INT64, it.shape(2)).scalar(16).operand(2).with(whole("axis", it
        .axis()))),
      Form.along("stretched", it -> {
        long[] shape = it.shape(3);
        long[] from = shape.clone();
        from[it.axis()] = 1;
        it.operand(from).longs(shape);
      }));
  }

  private static List<Form> moves() {
    List<Form> all = new ArrayList<>(List.of( //
      Form.whole("as it is", true, it -> it.operand(it.images())), //
      Form.whole("reversed axes", true, it -> it.operand(it.shape(3)).with(ints("perm", 2, 1, 0))), //
      Form.whole("the last two axes", true, it -> it.operand(it.images()).with(ints("perm", 0, 1, 3, 2))), //
      Form.whole("the two inner axes", true, it -> it.operand(it.images()).with(ints("perm", 0, 2, 1, 3))), //
      Form.whole("channels last", true, it -> it.operand(it.images()).with(ints("perm", 0, 2, 3, 1))), //
      Form.whole("the first to the last", true, it -> it.operand(it.shape(3)).with(ints("perm", 1, 2, 0))), //
      Form.whole("each twice", false, it -> it.operand(it.shape(3)).longs(1, 2, 1)), //
      Form.whole("every second row", false, it -> it.operand(it.shape(3)).longs(0).longs(Long.MAX_VALUE).longs(1).longs(
        2)), //
      Form.whole("every second column", false, it -> it.operand(it.shape(3)).longs(0).longs(Long.MAX_VALUE).longs(2)
        .longs(2)), //
      Form.whole("columns from the second", false, it -> it.operand(it.shape(3)).longs(1).longs(Long.MAX_VALUE).longs(2)
        .longs(1)), //
      Form.whole("blocks", true, it -> it.operand(it.images()).with(whole("blocksize", 2))), //
      Form.whole("slices by index", false, it -> it.operand(it.shape(3)).operand(DType.INT64, 8, 2)), //
      Form.whole("slices replaced", false, it -> {
        long[] shape = it.shape(3);
        it.operand(shape).operand(DType.INT64, 8, 2).operand(8, shape[2]);
      }), //
      Form.whole("a mask of rows", false, it -> {
        long[] shape = it.shape(3);
        it.operand(shape).operand(DType.BOOL, shape[0]).with(whole("axis", 0));
      }), //
      Form.whole("by scale and zero", true, it -> it.operand(it.images()).operand(DType.FLOAT32).operand(
        DType.UINT8))));
    for (String mode : List.of("constant", "edge", "reflect", "wrap")) {
      all.add(Form.whole("pads, " + mode, true, it -> it.operand(it.images()).longs(0, 0, 2, 2, 0, 0, 1, 1).with(text(
        "mode", mode))));
    }
    return all;
  }

  private static List<Form> products() {
    return List.of( //
      Form.whole("matrices", true, it -> it.operand(it.shape(2)).operand(square(it))), //
      Form.whole("batches of matrices", true, it -> {
        long[] shape = it.shape(3);
        it.operand(shape).operand(shape[0], shape[2], shape[1]);
      }), //
      Form.whole("one row", false, it -> it.operand(1, 512).operand(512, 512)), //
      Form.whole("rows, weights and bias", true, it -> {
        long[] shape = it.shape(2);
        it.operand(shape).operand(shape[1], shape[0]).operand(shape[0]);
      }), //
      Form.whole("equation of matrices", false, it -> {
        long[] shape = it.shape(3);
        it.operand(shape).operand(shape[0], shape[2], shape[1]).with(text("equation", "bij,bjk->bik"));
      }));
  }

  private static long[] square(OneNode node) {
    long[] first = node.shape(2);
    return new long[] {first[1], first[1]};
  }

  private static List<Form> images() {
    return List.of( //
      Form.whole("windows of 3", true, it -> it.operand(it.images()).with(ints("kernel_shape", 3, 3))), //
      Form.whole("windows of 2, apart", true, it -> it.operand(it.images()).with(ints("kernel_shape", 2, 2)).with(ints(
        "strides", 2, 2))), //
      Form.whole("windows of volumes", false, it -> it.operand(it.shape(5)).with(ints("kernel_shape", 2, 2, 2))), //
      Form.whole("small images", false, it -> it.operand(8, 256, 7, 7)), //
      Form.whole("five channels", true, it -> it.operand(it.images()).with(whole("size", 5))), //
      Form.whole("a scale and an offset a channel", true, it -> {
        long[] shape = it.images();
        it.operand(shape).operand(shape[1]).operand(shape[1]);
      }), //
      Form.whole("groups", true, it -> {
        long[] shape = it.images();
        it.operand(shape).operand(shape[1]).operand(shape[1]).with(whole("num_groups", 4));
      }), //
      Form.whole("a scale and an offset a column", true, it -> {
        long[] shape = it.shape(3);
        it.operand(shape).operand(shape[2]).operand(shape[2]);
      }), //
      Form.whole("statistics of channels", true, it -> {
        long[] shape = it.images();
        it.operand(shape).operand(shape[1]).operand(shape[1]).operand(shape[1]).operand(shape[1]);
      }), //
      Form.whole("twice as large", true, it -> it.operand(it.images()).absent().floats(1, 1, 2, 2)), //
      Form.whole("windows of weights", true, it -> {
        long[] shape = it.images();
        it.operand(shape).operand(shape[1], shape[1], 3, 3);
      }));
  }
}
