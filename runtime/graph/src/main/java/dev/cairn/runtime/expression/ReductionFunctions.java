package dev.cairn.runtime.expression;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;

/** Functions that combine the elements along axes. Negative axes count back. */
public interface ReductionFunctions<T extends ReductionFunctions<T>> extends OperatorCalls<T> {
  /** The sum over these axes, or over all axes, if none are given; reduced axes are dropped. */
  default T sum(int... axes) {
    return sum(false, axes);
  }

  /** The sum over these axes, or over all axes, if none are given. */
  default T sum(boolean keepsAxes, int... axes) {
    return reduce("ReduceSum", keepsAxes, axes);
  }

  /** The sum over these axes, which are dropped. */
  default T sum(T axes) {
    return call("ReduceSum", Attributes.NONE.with("keepdims", 0), axes);
  }

  /** The sum of squares of all elements. */
  default T sumOfSquares() {
    return sumOfSquares(false);
  }

  /** The sum of squares over these axes, or over all axes, if none are given. */
  default T sumOfSquares(boolean keepsAxes, int... axes) {
    return reduce("ReduceSumSquare", keepsAxes, axes);
  }

  /** The sum over these axes, which stay with extent 1. */
  default T sumKept(T axes) {
    return call("ReduceSum", Attributes.NONE, axes);
  }

  /** The mean over these axes, which stay with extent 1. */
  default T meanKept(T axes) {
    return call("ReduceMean", Attributes.NONE, axes);
  }

  /** The product over these axes, or over all axes, if none are given; reduced axes are dropped. */
  default T prod(int... axes) {
    return prod(false, axes);
  }

  /** The product over these axes, or over all axes, if none are given. */
  default T prod(boolean keepsAxes, int... axes) {
    return reduce("ReduceProd", keepsAxes, axes);
  }

  /** The mean over these axes, or over all axes, if none are given; reduced axes are dropped. */
  default T mean(int... axes) {
    return mean(false, axes);
  }

  /** The mean over these axes, or over all axes, if none are given. */
  default T mean(boolean keepsAxes, int... axes) {
    return reduce("ReduceMean", keepsAxes, axes);
  }

  /** The largest element over these axes, or over all axes, if none are given; reduced axes are dropped. */
  default T max(int... axes) {
    return max(false, axes);
  }

  /** The largest element over these axes, or over all axes, if none are given. */
  default T max(boolean keepsAxes, int... axes) {
    return reduce("ReduceMax", keepsAxes, axes);
  }

  /** The smallest element over these axes, or over all axes, if none are given; reduced axes are dropped. */
  default T min(int... axes) {
    return min(false, axes);
  }

  /** The smallest element over these axes, or over all axes, if none are given. */
  default T min(boolean keepsAxes, int... axes) {
    return reduce("ReduceMin", keepsAxes, axes);
  }

  /**
   * The logarithm of the sum of exponentials over these axes, or over all axes, if none are given; reduced axes are
   * dropped.
   */
  default T logsumexp(int... axes) {
    return reduce("ReduceLogSumExp", false, axes);
  }

  /** The Euclidean norm over all axes, if none are given. */
  default T norm(int... axes) {
    return norm(false, axes);
  }

  /** The Euclidean norm over these axes, or over all axes, if none are given. */
  default T norm(boolean keepsAxes, int... axes) {
    return reduce("ReduceL2", keepsAxes, axes);
  }

  /**
   * Any of ONNX's reductions, such as {@code ReduceSum}.
   *
   * @param keepsAxes whether reduced axes stay, with extent 1
   * @param axes all, if none are given
   */
  default T reduce(String operator, boolean keepsAxes, int... axes) {
    Attributes attributes = Attributes.NONE.with("keepdims", keepsAxes ? 1 : 0);
    long[] numbers = Arrays.stream(axes).asLongStream().toArray();
    return axes.length == 0 ? call(operator, attributes) : callWith(operator, attributes, numbers);
  }

  /** The place of the largest element along an axis, which is dropped. */
  default T argmax(int axis) {
    return call("ArgMax", Attributes.NONE.with("axis", axis).with("keepdims", 0));
  }

  /** The place of the smallest element along an axis, which is dropped. */
  default T argmin(int axis) {
    return call("ArgMin", Attributes.NONE.with("axis", axis).with("keepdims", 0));
  }

  /** Running sums along an axis. */
  default T cumsum(int axis) {
    return call("CumSum", Attributes.NONE, constant(TensorView.ofLong(axis)));
  }

  /**
   * The largest elements along an axis, largest first, or the smallest, smallest first; and their places. Of equal
   * elements the earlier comes first.
   */
  default List<T> topk(long count, int axis, boolean largest) {
    return ordered(constant(TensorView.ofLongs(count)), axis, largest);
  }

  /** The elements along an axis in rising or falling order. */
  default T sort(int axis, boolean rising) {
    return ordered(extent(axis), axis, !rising).get(0);
  }

  /** The places of the elements along an axis in rising or falling order. Equal elements keep theirs. */
  default T argsort(int axis, boolean rising) {
    return ordered(extent(axis), axis, !rising).get(1);
  }

  private List<T> ordered(T count, int axis, boolean largest) {
    Attributes attributes = Attributes.NONE.with("axis", axis).with("largest", largest ? 1 : 0);
    return callAll("TopK", attributes, 2, List.of(count));
  }

  /** The extent of an axis, as the only element of an {@code int64} tensor. */
  default T extent(int axis) {
    Attributes from = Attributes.NONE.with("start", axis);
    return extents(axis == -1 ? from : from.with("end", axis + 1));
  }

  /**
   * The extents of this expression, as a list of {@code int64}.
   *
   * @param range {@code start} and {@code end}, as {@code Shape} has them; none for all extents
   */
  default T extents(Attributes range) {
    return call("Shape", range);
  }
}
