package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.SliceRange;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.expression.Index;
import dev.cairn.runtime.expression.Selection;
import dev.cairn.runtime.graph.Scalars;
import dev.cairn.runtime.ndarray.call.ArrayFootprint;
import dev.cairn.runtime.ndarray.call.SelectionWrite;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.ndarray.memory.ArrayDevices;
import dev.cairn.runtime.ndarray.memory.HostPlace;
import dev.cairn.runtime.ndarray.storage.ArrayRange;
import dev.cairn.runtime.ndarray.storage.ArrayStorage;
import dev.cairn.runtime.ndarray.storage.Hold;
import dev.cairn.runtime.pass.gradient.GradientRequest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A dense, row-major array whose values are computed asynchronously. A call checks types, pushes an operation and
 * returns; a method that gives values to the caller waits for them, and throws {@link OperationFailed} each time if
 * they were never computed. Any thread may use it.
 */
public final class NDArray implements Expression<NDArray>, AutoCloseable {
  private static final String SLICE = "Slice";

  private final ArrayRuntime runtime;
  private final Hold hold;
  private volatile @Nullable ArrayScope scope;

  NDArray(ArrayRuntime runtime, Hold hold) {
    this.runtime = runtime;
    this.hold = hold;
  }

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
    return runtime;
  }

  /** Whether it was made as another form of an array's bytes. */
  public boolean isView() {
    return hold.isView();
  }

  /** Whether a write to one of them may show in the other, and orders them. */
  public boolean sharesStorageWith(NDArray other) {
    return hold.sharesStorage(other.hold);
  }

  @Override
  public List<NDArray> apply(String operator, Attributes attributes, int results,
    List<@Nullable NDArray> operands) {
    return runtime.apply(operator, attributes, results, operands);
  }

  @Override
  public NDArray call(String operator, Attributes attributes) {
    if (ArrayRuntime.follower() == null) {
      requireOpen(operator);
      try {
        Hold made = runtime.invoker().runAgain(operator, attributes, hold, null);
        if (made != null) {
          return runtime.own(made);
        }
      } finally {
        Reference.reachabilityFence(this);
      }
    }
    return apply(operator, attributes, 1, List.of(this)).get(0);
  }

  @Override
  public NDArray call(String operator, Attributes attributes, NDArray other) {
    if (ArrayRuntime.follower() == null) {
      requireOpen(operator);
      runtime.requireMine(other, operator);
      try {
        Hold made = runtime.invoker().runAgain(operator, attributes, hold, other.hold);
        if (made != null) {
          return runtime.own(made);
        }
      } finally {
        // Without the fences, the collector could find an operand unreachable, and free its bytes, before the push.
        Reference.reachabilityFence(this);
        Reference.reachabilityFence(other);
      }
    }
    return apply(operator, attributes, 1, List.of(this, other)).get(0);
  }

  /** A number as a scalar of this array's element type. */
  @Override
  public NDArray scalar(Number value) {
    return runtime.constant(Scalars.of(dtype(), value));
  }

  @Override
  public NDArray extent(int axis) {
    return longs(LongStream.of(shape().extent(Math.floorMod(axis, shape().rank()))));
  }

  private NDArray longs(LongStream values) {
    return constant(TensorView.ofLongs(values.toArray()));
  }

  // Parts of the array.

  /** A new array with the elements that the indexes select, as NumPy's basic indexing. */
  public NDArray get(Index... indexes) {
    Selection selection = Selection.of(shape(), indexes);
    return shape().rank() == 0
      ? copy().reshapedTo(selection.shape())
      : apply(SLICE, Attributes.NONE, 1, sliceOperands(selection.ranges())).get(0).reshapedTo(selection.shape());
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
    if (hold.storage().isSketched()) {
      return reshape(shape.extents());
    }
    try {
      return ArrayRuntime.follower() == null ? viewedAs(type().withShape(shape), 0) : reshape(shape.extents());
    } finally {
      close();
    }
  }

  private List<@Nullable NDArray> sliceOperands(List<SliceRange> ranges) {
    NDArray starts = longs(ranges.stream().mapToLong(SliceRange::start));
    NDArray ends = longs(ranges.stream().mapToLong(NDArray::end));
    NDArray axes = longs(LongStream.range(0, ranges.size()));
    NDArray steps = longs(ranges.stream().mapToLong(SliceRange::step));
    return List.of(this, starts, ends, axes, steps);
  }

  /** One past the last position: before the axis, ONNX wants the smallest number. */
  private static long end(SliceRange range) {
    long end = range.count() == 0
      ? range.start()
      : range.start() + (range.count() - 1) * range.step() + Long.signum(range.step());
    return end < 0 ? Long.MIN_VALUE : end;
  }

  /**
   * The selected elements where they lie.
   *
   * @throws IllegalArgumentException when they do not lie one behind another, or elements have fewer than 8 bits and
   *   the first does not start a byte
   */
  public NDArray view(Index... indexes) {
    Selection selection = Selection.of(shape(), indexes);
    if (!selection.isContiguous()) {
      throw new IllegalArgumentException(
        "the selected elements are not contiguous: array=%s selected=%s; use get for a "
          .formatted(type(), selection.shape()) + "copy");
    }
    if (selection.offset() % dtype().perByte() != 0) {
      throw new IllegalArgumentException("the selected elements start within a byte: array=%s first=%d perByte=%d; use "
        .formatted(type(), selection.offset(), dtype().perByte()) + "get for a copy");
    }
    CallFollower follower = ArrayRuntime.follower();
    if (follower == null) {
      return viewedAs(type().withShape(selection.shape()), dtype().bytes(selection.offset()));
    }
    return shape().rank() == 0 ? reshape(selection.shape().extents()) : followedView(selection, follower);
  }

  /** The follower is told of a slice and a reshape. */
  private NDArray followedView(Selection selection, CallFollower follower) {
    Shape shape = selection.shape();
    List<@Nullable NDArray> operands = sliceOperands(selection.ranges());
    List<NDArray> answer = follower.answer(runtime, SLICE, Attributes.NONE, 1, operands);
    if (answer != null) {
      return answer.get(0).reshape(shape.extents());
    }
    Shape ranges = Shape.of(selection.ranges().stream().mapToLong(SliceRange::count).toArray());
    NDArray sliced = viewedAs(type().withShape(ranges), dtype().bytes(selection.offset()));
    follower.ran(SLICE, Attributes.NONE, operands, List.of(sliced));
    return sliced.reshapedTo(shape);
  }

  /** The positions {@code [from, to)} of the first axis, where they lie. */
  public NDArray rows(long from, long to) {
    return view(Index.range(from, to));
  }

  /** Views of the positions of the first axis, without that axis: what a loop over the array goes through. */
  public List<NDArray> unbind() {
    if (shape().rank() == 0) {
      throw new IllegalArgumentException("an array without axes has no positions: array=" + type());
    }
    return LongStream.range(0, shape().extent(0)).mapToObj(i -> view(Index.at(i))).toList();
  }

  private NDArray viewedAs(TensorType type, long offset) {
    requireOpen("view");
    return runtime.own(hold.viewedAs(type, offset));
  }

  /** A new array with the same elements. */
  public NDArray copy() {
    return astype(dtype());
  }

  /**
   * A new array with the elements that another array selects, as NumPy's advanced indexing with one index.
   *
   * @param index bools for the leading axes, which choose elements in their order: the call waits for their values. Or
   *   whole numbers: positions of the first axis
   * @throws IllegalArgumentException when the shapes do not fit, or the index has another element type
   */
  public NDArray get(NDArray index) {
    try (NDArray places = places(index)) {
      return call(Operators.GATHER_ND, Attributes.NONE, places);
    }
  }

  /** The positions that an index selects, along a last axis of their own. */
  private NDArray places(NDArray index) {
    if (index.dtype() == DType.BOOL) {
      long[] leading = Arrays.copyOf(shape().extents(), Math.min(index.shape().rank(), shape().rank()));
      if (!Arrays.equals(leading, index.shape().extents()) || leading.length == 0) {
        throw new IllegalArgumentException("a mask has the extents of the leading axes: array=%s mask=%s".formatted(
          type(), index.type()));
      }
      try (NDArray places = index.call("NonZero", Attributes.NONE)) {
        return places.transpose();
      }
    }
    if (index.dtype().isFloat() || shape().rank() == 0) {
      throw new IllegalArgumentException("an index is a mask of bools, or whole numbers for the first axis: array=%s "
        .formatted(type()) + "index=" + index.type());
    }
    try (NDArray places = index.astype(DType.INT64)) {
      return places.call(Operators.UNSQUEEZE, Attributes.NONE, longs(LongStream.of(-1)));
    }
  }

  // Functions that overwrite the array with their result, whose type must be the array's.

  /**
   * Overwrites this array with the result of an operator of this array and another.
   *
   * @return this array
   * @throws IllegalArgumentException when the result has another type, or the array is read-only
   */
  public NDArray inPlace(String operator, NDArray other) {
    return overwrite(operator, Attributes.NONE, List.of(this, other), false);
  }

  /**
   * Overwrites this array with the only result of an operator, which must have this array's type.
   *
   * @param operands in the operator's order; this array may be one of them
   * @return this array
   */
  public NDArray overwrite(String operator, Attributes attributes, List<NDArray> operands) {
    return overwrite(operator, attributes, operands, true);
  }

  private NDArray overwrite(String operator, Attributes attributes, List<NDArray> operands, boolean ignoresOldValue) {
    requireWritable(operator, operands);
    try {
      runtime.invoker().runInto(hold, operator, attributes, ignoresOldValue, runtime.holds(operator, operands));
      return this;
    } finally {
      Reference.reachabilityFence(operands);
      Reference.reachabilityFence(this);
    }
  }

  public NDArray addi(NDArray other) {
    return inPlace(Operators.ADD, other);
  }

  public NDArray addi(Number other) {
    return addi(scalar(other));
  }

  public NDArray subi(NDArray other) {
    return inPlace(Operators.SUB, other);
  }

  public NDArray subi(Number other) {
    return subi(scalar(other));
  }

  public NDArray muli(NDArray other) {
    return inPlace(Operators.MUL, other);
  }

  public NDArray muli(Number other) {
    return muli(scalar(other));
  }

  public NDArray divi(NDArray other) {
    return inPlace(Operators.DIV, other);
  }

  public NDArray divi(Number other) {
    return divi(scalar(other));
  }

  public NDArray powi(NDArray other) {
    return inPlace(Operators.POW, other);
  }

  public NDArray powi(Number other) {
    return powi(scalar(other));
  }

  /** Sets every element. */
  public NDArray fill(Number value) {
    requireWritable("fill", List.of());
    return filled(value);
  }

  /** Like {@link #fill}; no tape and no sketch follows. */
  NDArray filled(Number value) {
    requireOpen("fill");
    try {
      runtime.invoker().fill(hold, Scalars.of(dtype(), value));
      return this;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Overwrites this array with another of its shape, whose elements are converted, on any device. No gradient flows
   * from this array to the other.
   */
  public NDArray copyFrom(NDArray other) {
    requireOpen("copyFrom");
    runtime.requireMine(other, "copyFrom");
    if (!other.shape().equals(shape())) {
      throw new IllegalArgumentException("shapes differ: operation=copyFrom array=%s other=%s; give it the array's "
        .formatted(type(), other.type()) + "shape with reshape or broadcastTo");
    }
    if (other.hold.equals(hold)) {
      return this;
    }
    CallFollower follower = ArrayRuntime.follower();
    if (follower == null || !follower.copies(this, other)) {
      hold.requireWritable("copyFrom");
      try {
        new SelectionWrite(runtime.invoker(), hold).copy(other.hold);
      } finally {
        Reference.reachabilityFence(other);
        Reference.reachabilityFence(this);
      }
    }
    return this;
  }

  /** Like {@link #copyFrom} of the other array. @return the other array */
  public NDArray copyTo(NDArray target) {
    return target.copyFrom(this);
  }

  /** Overwrites the selected elements with a value that broadcasts to them. */
  public NDArray set(NDArray value, Index... indexes) {
    runtime.requireMine(value, "set");
    Selection selection = Selection.of(shape(), indexes);
    requireWritable("set", List.of(value));
    try {
      new SelectionWrite(runtime.invoker(), hold).set(value.hold, selection);
      return this;
    } finally {
      Reference.reachabilityFence(value);
      Reference.reachabilityFence(this);
    }
  }

  /** Overwrites the selected elements with a number. */
  public NDArray set(Number value, Index... indexes) {
    return set(scalar(value), indexes);
  }

  /**
   * Overwrites the elements that another array selects, as {@link #get(NDArray)} does, with a value that broadcasts to
   * them. Waits for the values of bools. Of equal positions, the last one counts.
   */
  public NDArray set(NDArray value, NDArray index) {
    requireWritable("set", List.of(value, index));
    try (NDArray places = places(index)) {
      long[] chosen = places.shape().extents();
      int indexed = Math.toIntExact(chosen[chosen.length - 1]);
      long[] rest = Arrays.copyOfRange(shape().extents(), indexed, shape().rank());
      long[] all = LongStream.concat(Arrays.stream(chosen, 0, chosen.length - 1), Arrays.stream(rest)).toArray();
      try (NDArray updates = value.broadcastTo(all);
        NDArray changed = callAll("ScatterND", Attributes.NONE, 1, List.of(places, updates)).get(0)) {
        copyFrom(changed);
      }
    }
    return this;
  }

  /** Overwrites the elements that another array selects with a number. */
  public NDArray set(Number value, NDArray index) {
    return set(scalar(value), index);
  }

  // Values for the caller: each method waits for them.

  /** Waits until the writes so far have ended. */
  public void waitToRead() {
    requireOpen("waitToRead");
    try {
      runtime.invoker().access().await(hold.storage(), "waitToRead");
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Waits until the writes and reads so far have ended. */
  public void waitToWrite() {
    waitToRead();
    var touched = ArrayFootprint.of(new ArrayRange[] {hold});
    runtime.invoker().push(touched, Operation.of("waitToWrite", touched.footprint(), () -> {}), false);
    waitToRead();
  }

  /**
   * Lets the caller read the bytes where they lie; later writes wait until the function returns. Those of a GPU are
   * copied first.
   *
   * @param reader must not keep the segment, nor wait for arrays
   */
  public <R> R read(Function<MemorySegment, R> reader) {
    requireOpen("read");
    try {
      return runtime.invoker().access().read(hold, reader);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Lets the caller write the bytes where they lie; later operations wait until the function returns. If it throws, the
   * array counts as never computed. An array of a GPU is copied first, and back when the function returns.
   *
   * @param writer must not keep the segment, nor wait for arrays
   */
  public void write(Consumer<MemorySegment> writer) {
    requireWritable("write", List.of());
    try {
      runtime.invoker().access().write(hold, writer);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Waits for the value, and keeps its bytes where they are, or a copy of a GPU's. The caller closes them. */
  public HeldArray hold() {
    waitToRead();
    try (Hold copy = hold.storage().outlivesRuntime() ? null : runtime.invoker().copies().onHost(hold)) {
      Hold held = copy == null ? hold : copy;
      runtime.invoker().access().await(held.storage(), "hold");
      return runtime.engine().during("hold", () -> HeldArray.of(held));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** A copy of the values on the Java heap. */
  public TensorView toHost() {
    requireOpen("read");
    try {
      return runtime.invoker().access().toHost(hold);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  public float[] toFloatArray() {
    requireType(DType.FLOAT32);
    return read(segment -> segment.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
  }

  public double[] toDoubleArray() {
    requireType(DType.FLOAT64);
    return read(segment -> segment.toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED));
  }

  public int[] toIntArray() {
    requireType(DType.INT32);
    return read(segment -> segment.toArray(ValueLayout.JAVA_INT_UNALIGNED));
  }

  public long[] toLongArray() {
    requireType(DType.INT64);
    return read(segment -> segment.toArray(ValueLayout.JAVA_LONG_UNALIGNED));
  }

  private void requireType(DType wanted) {
    if (dtype() != wanted) {
      throw new IllegalArgumentException("another element type: array=%s wanted=%s; convert with astype".formatted(
        type(), wanted));
    }
  }

  /** The only element; whole numbers beyond 2⁵³ are rounded. */
  public double item() {
    if (shape().elementCount() != 1) {
      throw new IllegalArgumentException("not a single element: array=%s; reduce it first".formatted(type()));
    }
    return toHost().doubleAt(0);
  }

  /** Whether the only element is not zero. */
  public boolean truth() {
    return item() != 0;
  }

  // Where the array lies.

  /** The device that computes with it: {@code cpu}, {@code cuda:0}. */
  public String device() {
    return hold.storage().device().name();
  }

  /**
   * The memory that it lies in: that of its device, or {@code cpu_pinned} or {@code cpu_shared}, with which the
   * processor computes.
   */
  public String place() {
    return hold.storage().placeName();
  }

  /**
   * The array in the memory of a device, or in other memory of the host: itself if it lies there, else a copy. Returns
   * at once. Gradients flow back through the copy.
   *
   * <ul>
   * <li>{@code cpu}, {@code cuda:0}: a device of the runtime
   * <li>{@code cpu_pinned}: page-locked memory, from and to which a GPU copies without a detour; needs a GPU
   * <li>{@code cpu_shared}: memory that other processes of this user map by {@link #sharedName}
   * </ul>
   *
   * Results of calls lie in the ordinary memory of the device that computes them.
   *
   * @throws IllegalArgumentException when the runtime has no such device
   */
  public NDArray to(String place) {
    ArrayDevices devices = runtime.devices();
    HostPlace other = devices.place(place);
    ArrayDevice target = other == null ? devices.named(place) : devices.host();
    requireOpen("to");
    ArrayStorage from = hold.storage();
    if (from.device().equals(target) && Objects.equals(from.hostPlace(), other)) {
      return this;
    }
    if (from.isSketched()) {
      throw new IllegalStateException("a function that becomes one plan runs on one device: array=%s device=%s; move "
        .formatted(type(), target.name()) + "operands before the call");
    }
    try {
      NDArray copy = runtime.own(runtime.invoker().copies().copied(hold, target, other));
      CallFollower follower = ArrayRuntime.follower();
      if (follower != null) {
        follower.ran(Operators.IDENTITY, Attributes.NONE, List.of(this), List.of(copy));
      }
      return copy;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The name by which other processes of this user map the array's bytes ({@link ArrayRuntime#openShared}), as long as
   * the array is open here. Waits for the bytes.
   *
   * @throws IllegalStateException when the array does not lie in {@code cpu_shared}, or is a part of another one
   */
  public String sharedName() {
    waitToRead();
    if (!hold.coversStorage()) {
      throw new IllegalStateException("only a whole array has a name for other processes: array=%s; copy the part"
        .formatted(type()));
    }
    return hold.storage().sharedName();
  }

  // The gradient of the array: dev.cairn.runtime.autograd.Autograd records what leads to it.

  /**
   * Makes this array one whose gradient a backward computes; what it was computed from gets none through it. The
   * gradient begins with zeros, and closes with the array.
   *
   * @return this array
   * @throws IllegalArgumentException when the elements are not floating-point numbers
   */
  public NDArray attachGradient() {
    return attachGradient(GradientRequest.WRITE);
  }

  /** Like {@link #attachGradient()}; {@code NONE} takes a gradient off. */
  public NDArray attachGradient(GradientRequest request) {
    if (!dtype().isFloat()) {
      throw new IllegalArgumentException("only arrays of floating-point numbers have gradients: array=%s; convert it "
        .formatted(type()) + "with astype");
    }
    requireOpen("attachGradient");
    hold.setPlace(request == GradientRequest.NONE ? null : LeafGradient.of(newGradient(), request));
    return this;
  }

  /** Zeros of this array's type, which no scope owns. */
  private NDArray newGradient() {
    Hold made = runtime.invoker().live().own(hold.storage().device(), null, "gradient", type());
    made.storage().becomeGradient();
    try {
      return new NDArray(runtime, made).filled(0);
    } catch (RuntimeException | Error e) {
      made.close();
      throw e;
    }
  }

  /**
   * The attached gradient, which the next backward overwrites or adds to. Closes with this array.
   *
   * @throws IllegalStateException when none is attached
   */
  public NDArray gradient() {
    return leaf().gradient();
  }

  /** Whether a gradient is attached. */
  public boolean hasGradient() {
    return hold.place() instanceof LeafGradient;
  }

  /** Sets the gradient to zeros. */
  public void zeroGradient() {
    leaf().zero();
  }

  /** Takes the gradient off, and closes it. */
  public void dropGradient() {
    leaf();
    hold.setPlace(null);
  }

  /** Whether a backward has set the gradient since an optimizer used it, or it was zeroed. */
  public boolean isGradientFresh() {
    return leaf().isFresh();
  }

  private LeafGradient leaf() {
    if (hold.place() instanceof LeafGradient leaf) {
      return leaf;
    }
    throw new IllegalStateException("the array has no gradient: array=%s; call attachGradient first".formatted(type()));
  }

  /**
   * Computes the gradients of all arrays with attached gradients that this array was computed from, as this array's
   * sum has them. What was recorded is given up.
   *
   * @throws IllegalStateException when this array was not recorded, or its tape was given up
   */
  public void backward() {
    backward(null);
  }

  /**
   * Like {@link #backward()}.
   *
   * @param head the gradient of this array, of its type; null for ones
   */
  public void backward(@Nullable NDArray head) {
    requireOpen("backward");
    if (!(hold.place() instanceof TapePlace place)) {
      throw new IllegalStateException("nothing was recorded for this array: array=%s; compute it while "
        .formatted(type()) + "Autograd.record() is open, from an array with an attached gradient");
    }
    place.backward(this, head);
  }

  /** The same elements where they lie, as an array from which no gradient flows back (T-7). */
  public NDArray detach() {
    requireOpen("detach");
    CallFollower follower = ArrayRuntime.follower();
    List<NDArray> answer = follower == null
      ? null
      : follower.answer(runtime, Operators.STOP_GRADIENT, Attributes.NONE, 1, List.of(this));
    return answer == null ? viewedAs(type(), 0) : answer.get(0);
  }

  // The end of the array.

  /** Whether it was closed, by itself, its scope or its runtime. */
  public boolean isClosed() {
    return hold.isClosed() || runtime.engine().isClosed();
  }

  /**
   * Closes the array; returns at once. Its memory goes back after all uses so far, when no view holds it.
   *
   * @throws IllegalStateException when it is closed already
   */
  @Override
  public void close() {
    hold.storage().requireValues("close");
    if (!hold.end()) {
      throw new IllegalStateException("an array is closed twice: " + hold.summary()
        + "; its scope closes it, or you do");
    }
  }

  Hold range() {
    return hold;
  }

  @Nullable
  ArrayScope scope() {
    return scope;
  }

  void setScope(@Nullable ArrayScope owner) {
    scope = owner;
  }

  void requireOpen(String operation) {
    hold.requireOpen(operation);
  }

  /** @param operands what the new values are computed from */
  private void requireWritable(String operation, List<NDArray> operands) {
    requireOpen(operation);
    CallFollower follower = ArrayRuntime.follower();
    if (follower != null) {
      follower.writes(this, operands);
    }
    hold.requireWritable(operation);
  }

  /** The type, then the values, for which it waits. Never throws. */
  @Override
  public String toString() {
    String first = "%s %s".formatted(type(), device());
    if (isClosed()) {
      return first + " closed";
    }
    if (hasGradient()) {
      first += " gradient";
    }
    if (hold.storage().isSketched()) {
      return first + " sketched";
    }
    if (runtime.engine().isInside()) {
      return first;
    }
    try {
      return first + "\n" + read(segment -> ArrayText.of(new TensorView(type(), segment)));
    } catch (OperationFailed e) {
      return first + " failed: " + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    } catch (IllegalStateException e) {
      // Another thread closed the array meanwhile.
      return first + " closed";
    }
  }
}
