package dev.cairn.kernels.cpu.convolution;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConvolutionForm;
import dev.cairn.kernels.attribute.TransposedWindow;
import dev.cairn.kernels.attribute.TransposedWindow.Axis;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.cpu.product.VectorMatmul;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;

/**
 * {@code ConvTranspose} of {@code float32}, one image and one group after the other: a matrix product makes what each
 * input adds under each tap; then each output channel adds up its taps. {@link PairedTaps} serves windows of 2x2 that
 * lie side by side.
 *
 * <pre> workspace: | sums by output channel, tap and input | what the product needs | </pre>
 */
public final class VectorConvTranspose implements Kernel {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final Attributes TRANSPOSED = Attributes.NONE.with("transA", 1);
  private static final long ALIGNMENT = 64;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  /** Sums and outputs that are worth a second thread. */
  private static final long GRAIN = 1 << 15;
  /** Elements of two vectors in alternation, of their lower and of their upper halves. */
  private static final VectorShuffle<Float> LOWER = VectorShuffle.makeZip(SPECIES, 0);
  private static final VectorShuffle<Float> UPPER = VectorShuffle.makeZip(SPECIES, 1);

  /** The matrices of one image and one group. */
  private record Parts(int groups, int outputs, int taps, TensorType weights, TensorType input, TensorType sums) {
    static Parts of(Attributes attributes, Shape x, Shape w) {
      int groups = ConvolutionForm.of(attributes).groups();
      long taps = w.elementCount(2, w.rank());
      long channels = x.extent(1) / groups;
      long positions = x.elementCount(2, x.rank());
      long rows = w.extent(1) * taps;
      return new Parts(groups, Math.toIntExact(w.extent(1)), Math.toIntExact(taps), TensorType.of(DType.FLOAT32,
        channels, rows), TensorType.of(DType.FLOAT32, channels, positions),
        TensorType.of(DType.FLOAT32, rows,
          positions));
    }

    long productStart() {
      return Math.ceilDiv(sums.bytes(), ALIGNMENT) * ALIGNMENT;
    }

    long productBytes() {
      return VectorMatmul.GEMM.workspaceBytes(KernelSignature.of(List.of(weights, input), List.of(sums), TRANSPOSED));
    }
  }

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    Kernel chosen = PairedTaps.find(signature.attributes(), signature.input(0).shape(), signature.input(1).shape())
      .map(Kernel.class::cast).orElse(this);
    return new PlannedKernel(chosen, Map.of());
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    if (PairedTaps.find(signature.attributes(), signature.input(0).shape(), signature.input(1).shape()).isPresent()) {
      return 0;
    }
    Parts parts = Parts.of(signature.attributes(), signature.input(0).shape(), signature.input(1).shape());
    return parts.productStart() + parts.productBytes();
  }

  @Override
  public void run(KernelCall call) {
    TensorView y = call.output(0);
    if (y.elementCount() == 0) {
      return;
    }
    Shape x = call.input(0).shape();
    Optional<PairedTaps> paired = PairedTaps.find(call.attributes(), x, call.input(1).shape());
    if (paired.isPresent()) {
      paired.get().run(call);
      return;
    }
    Parts parts = Parts.of(call.attributes(), x, call.input(1).shape());
    List<Axis> axes = TransposedWindow.of(call.attributes(), x, call.input(1).shape()).axes();
    long plane = y.shape().elementCount(2, y.shape().rank());
    TensorView sums = part(call.workspace(), parts.sums, 0);
    for (long item = 0; item < x.extent(0) * parts.groups; item++) {
      multiply(call, parts, item, sums);
      long firstChannel = item % parts.groups * parts.outputs;
      long start = item * parts.outputs * plane;
      long positions = parts.input.shape().extent(1);
      CpuStream.of(call).parallel(parts.outputs, Math.max(1, GRAIN / (plane + parts.taps * positions)), (first,
        end) -> {
        for (long channel = first; channel < end; channel++) {
          float bias = call.has(2)
            ? call.input(2).segment().get(FLOAT, (firstChannel + channel) * Float.BYTES)
            : 0;
          long from = channel * parts.taps * positions;
          var spread = new Spread(axes, sums.segment().asSlice(from * Float.BYTES), y.segment().asSlice((start + channel
            * plane) * Float.BYTES, plane * Float.BYTES));
          spread.fill(bias);
          spread.add(0, 0, 0, 0);
        }
      });
    }
  }

  private static void multiply(KernelCall call, Parts parts, long item, TensorView sums) {
    TensorView w = part(call.input(1).segment(), parts.weights, item % parts.groups * parts.weights.bytes());
    TensorView x = part(call.input(0).segment(), parts.input, item * parts.input.bytes());
    VectorMatmul.GEMM.run(new KernelCall(new TensorView[] {w, x}, new TensorView[] {sums}, TRANSPOSED, call.workspace()
      .asSlice(parts.productStart()), call.stream()));
  }

  private static TensorView part(MemorySegment segment, TensorType type, long at) {
    return new TensorView(type, segment.asSlice(at, type.bytes()));
  }

  /** Adds sums of taps to the plane of an output channel. For one thread. */
  private static final class Spread {
    private final Axis[] axes;
    private final MemorySegment sums;
    private final MemorySegment plane;
    private final int positions;

    Spread(List<Axis> axes, MemorySegment sums, MemorySegment plane) {
      this.axes = axes.toArray(Axis[]::new);
      this.sums = sums;
      this.plane = plane;
      this.positions = axes.stream().mapToInt(Axis::input).reduce(1, Math::multiplyExact);
    }

    void fill(float bias) {
      long count = plane.byteSize() / Float.BYTES;
      long whole = count - count % LANES;
      FloatVector all = FloatVector.broadcast(SPECIES, bias);
      for (long i = 0; i < whole; i += LANES) {
        all.intoMemorySegment(plane, i * Float.BYTES, ORDER);
      }
      for (long i = whole; i < count; i++) {
        plane.set(FLOAT, i * Float.BYTES, bias);
      }
    }

    /**
     * Adds all taps of an axis and those after it.
     *
     * @param tap the tap along all axes before this one
     * @param from the line of a tap's sums along them
     * @param at the line of the plane along them
     */
    void add(int axis, int tap, int from, int at) {
      Axis along = axes[axis];
      boolean isLast = axis == axes.length - 1;
      for (int k = 0; k < along.kernel(); k++) {
        int first = along.firstInput(k);
        int end = along.endInput(k);
        int taps = tap * along.kernel() + k;
        if (!isLast) {
          for (int i = first; i < end; i++) {
            add(axis + 1, taps, from * along.input() + i, at * along.output() + along.at(i, k));
          }
        } else if (first < end) {
          int start = taps * positions + from * along.input() + first;
          int to = at * along.output() + along.at(first, k);
          if (arePaired(along, k)) {
            addPairs(start, to, end - first);
            k++;
          } else {
            addLine(start, to, end - first, along.stride());
          }
        }
      }
    }

    /** Whether a tap and the next one have the same inputs, and make neighbouring outputs of each. */
    private static boolean arePaired(Axis along, int tap) {
      return along.stride() == 2 && along.dilation() == 1 && tap + 1 < along.kernel()
        && along.firstInput(tap) == along.firstInput(tap + 1) && along.endInput(tap) == along.endInput(tap + 1);
    }

    private void addPairs(int from, int at, int count) {
      int whole = SPECIES.loopBound(count);
      for (int i = 0; i < whole; i += LANES) {
        FloatVector even = load(sums, from + i);
        FloatVector odd = load(sums, from + positions + i);
        int to = at + 2 * i;
        store(load(plane, to).add(even.rearrange(LOWER, odd)), to);
        store(load(plane, to + LANES).add(even.rearrange(UPPER, odd)), to + LANES);
      }
      for (int i = whole; i < count; i++) {
        addOne(from + i, at + 2 * i);
        addOne(from + positions + i, at + 2 * i + 1);
      }
    }

    private void addLine(int from, int at, int count, int stride) {
      int whole = stride == 1 ? SPECIES.loopBound(count) : 0;
      for (int i = 0; i < whole; i += LANES) {
        store(load(plane, at + i).add(load(sums, from + i)), at + i);
      }
      for (int i = whole; i < count; i++) {
        addOne(from + i, at + i * stride);
      }
    }

    private void addOne(int from, int at) {
      long place = (long) at * Float.BYTES;
      plane.set(FLOAT, place, plane.get(FLOAT, place) + sums.get(FLOAT, (long) from * Float.BYTES));
    }

    private static FloatVector load(MemorySegment from, int at) {
      return FloatVector.fromMemorySegment(SPECIES, from, (long) at * Float.BYTES, ORDER);
    }

    private void store(FloatVector value, int at) {
      value.intoMemorySegment(plane, (long) at * Float.BYTES, ORDER);
    }
  }
}
