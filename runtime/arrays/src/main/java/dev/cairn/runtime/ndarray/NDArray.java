package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.expression.Index;
import dev.cairn.runtime.expression.Selection;
import dev.cairn.runtime.graph.Scalars;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A dense, row-major array whose values are computed asynchronously. A call checks types, pushes an operation and
 * returns; a method that gives values to the caller waits for them, and throws {@link
 * dev.cairn.runtime.engine.failure.OperationFailed} each time if they were never computed. Any thread may use it.
 */
public final class NDArray
  implements
    Expression<NDArray>,
    InPlaceFunctions,
    SelectionFunctions,
    TapedFunctions,
    HostValues,
    PlacedFunctions,
    AutoCloseable {
  private final Hold hold;
  private final boolean isView;
  private volatile @Nullable ArrayScope scope;

  /** @param offset of the first element in the storage, in bytes */
  NDArray(ArrayStorage storage, long offset, TensorType type, boolean isView) {
    this.hold = new Hold(storage, offset, type);
    this.isView = isView;
  }

  @Override
  public TensorType type() {
    return hold.type();
  }

  public DType dtype() {
    return type().dtype();
  }

  public Shape shape() {
    return type().shape();
  }

  /** The runtime that this array belongs to. */
  public ArrayRuntime runtime() {
    return hold.storage().runtime;
  }

  /** Whether it was made as another form of an array's bytes. */
  public boolean isView() {
    return isView;
  }

  /** Whether a write to one of them may show in the other, and orders them. */
  public boolean sharesStorageWith(NDArray other) {
    return hold.sharesStorage(other.hold);
  }

  @Override
  public List<NDArray> apply(String operator, Attributes attributes, int results,
    List<@Nullable NDArray> operands) {
    return runtime().apply(operator, attributes, results, operands);
  }

  @Override
  public NDArray call(String operator, Attributes attributes) {
    return runtime().invoker().apply(operator, attributes, this, null);
  }

  @Override
  public NDArray call(String operator, Attributes attributes, NDArray other) {
    return runtime().invoker().apply(operator, attributes, this, other);
  }

  @Override
  public NDArray scalar(Number value) {
    return runtime().constant(Scalars.of(dtype(), value));
  }

  /** A new array with the elements that the indexes select, as NumPy's basic indexing. */
  public NDArray get(Index... indexes) {
    Selection selection = Selection.of(shape(), indexes);
    if (shape().rank() == 0) {
      return copy().reshapedTo(selection.shape());
    }
    return Slices.of(this, selection.ranges()).reshapedTo(selection.shape());
  }

  /** Like {@link #get(Index...)}, with indexes as text: {@code get("0, ::2")}. */
  public NDArray get(String indexes) {
    return get(Index.parse(indexes));
  }

  /** This array under another shape; closes this one, which the caller alone knows. */
  private NDArray reshapedTo(Shape shape) {
    if (shape.equals(shape())) {
      return this;
    }
    if (hold.storage().isSketched) {
      return reshape(shape.extents());
    }
    try {
      return FollowedCalls.follower() == null ? viewedAs(type().withShape(shape), 0) : reshape(shape.extents());
    } finally {
      close();
    }
  }

  /**
   * The selected elements where they lie.
   *
   * @throws IllegalArgumentException when they do not lie one behind another, or elements have fewer than 8 bits and
   *   the first does not start a byte
   */
  public NDArray view(Index... indexes) {
    return Slices.view(this, Selection.of(shape(), indexes));
  }

  /** The positions {@code [from, to)} of the first axis, where they lie. */
  public NDArray rows(long from, long to) {
    return view(Index.range(from, to));
  }

  NDArray viewedAs(TensorType type, long offset) {
    requireOpen("view");
    hold.storage().retain();
    return runtime().own(new NDArray(hold.storage(), hold.offset() + offset, type, true));
  }

  /** A new array with the same elements. */
  public NDArray copy() {
    return astype(dtype());
  }

  @Override
  public NDArray inPlace(String operator, NDArray other) {
    runtime().invoker().applyInto(this, operator, Attributes.NONE, List.of(this, other), false);
    return this;
  }

  @Override
  public NDArray extent(int axis) {
    return constant(TensorView.ofLongs(shape().extent(Math.floorMod(axis, shape().rank()))));
  }

  /** Sets every element. */
  public NDArray fill(Number value) {
    runtime().invoker().applyInto(this, Operators.EXPAND, Attributes.NONE,
      List.of(scalar(value), constant(TensorView.ofLongs(
        shape().extents()))),
      true);
    return this;
  }

  /**
   * Overwrites this array with another of its shape, whose elements are converted. No gradient flows from this array to
   * the other.
   */
  public NDArray copyFrom(NDArray other) {
    SelectionWrite.copy(this, other);
    return this;
  }

  @Override
  public NDArray set(NDArray value, Index... indexes) {
    runtime().requireMine(value, "set");
    SelectionWrite.push(runtime(), this, value, Selection.of(shape(), indexes));
    return this;
  }

  /** Waits until the writes so far have ended. */
  public void waitToRead() {
    requireOpen("waitToRead");
    try {
      runtime().access().await(hold.storage(), "waitToRead");
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Waits until the writes and reads so far have ended. */
  public void waitToWrite() {
    waitToRead();
    var touched = ArrayFootprint.of(new ArrayRange[] {hold});
    runtime().invoker().push(touched, Operation.of("waitToWrite", touched.footprint(), () -> {}), false);
    waitToRead();
  }

  /**
   * Lets the caller read the bytes where they lie; later writes wait until the function returns. Those of a GPU are
   * copied first.
   *
   * @param reader must not keep the segment, nor wait for arrays
   */
  @Override
  public <R> R read(Function<MemorySegment, R> reader) {
    return runtime().access().read(this, reader);
  }

  /**
   * Lets the caller write the bytes where they lie; later operations wait until the function returns. If it throws, the
   * array counts as never computed. An array of a GPU is copied first, and back when the function returns.
   *
   * @param writer must not keep the segment, nor wait for arrays
   */
  public void write(Consumer<MemorySegment> writer) {
    runtime().access().write(this, writer);
  }

  /** Waits for the value, and keeps its bytes where they are, or a copy of a GPU's. The caller closes them. */
  public HeldArray hold() {
    return runtime().access().hold(this);
  }

  /** Whether it was closed, by itself, its scope or its runtime. */
  public boolean isClosed() {
    return hold.isClosed() || runtime().isClosed();
  }

  /**
   * Closes the array; returns at once. Its memory goes back after all uses so far, when no view holds it.
   *
   * @throws IllegalStateException when it is closed already
   */
  @Override
  public void close() {
    hold.storage().requireValues("close");
    if (!hold.close()) {
      throw new IllegalStateException("an array is closed twice: " + summary() + "; its scope closes it, or you do");
    }
  }

  void closeIfOpen() {
    hold.close();
  }

  Hold share() {
    return hold;
  }

  ArrayRange range() {
    return hold;
  }

  @Nullable
  ArrayScope scope() {
    return scope;
  }

  void setScope(@Nullable ArrayScope owner) {
    scope = owner;
  }

  /** The value, where it is known before anything runs. */
  @Nullable
  TensorView constantValue() {
    return hold.storage().isConstant ? hold.view() : null;
  }

  void requireOpen(String operation) {
    runtime().open().require(operation);
    if (hold.isClosed()) {
      throw Refusals.closed(operation, summary(), null);
    }
  }

  /** @param operands what the new values are computed from */
  void requireWritable(String operation, List<NDArray> operands) {
    requireOpen(operation);
    CallFollower follower = FollowedCalls.follower();
    if (follower != null) {
      follower.writes(this, operands);
    }
    if (hold.storage().isReadOnly) {
      throw new IllegalArgumentException("a read-only array cannot be written: operation=%s array=%s; write to a copy"
        .formatted(operation, summary()));
    }
  }

  /** What it is, without its values. */
  String summary() {
    return hold.summary();
  }

  /** The type, then the values, for which it waits. Never throws. */
  @Override
  public String toString() {
    return ArrayText.of(this);
  }
}
