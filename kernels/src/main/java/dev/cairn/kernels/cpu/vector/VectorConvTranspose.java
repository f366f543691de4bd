package dev.cairn.kernels.cpu.vector;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.TransposedWindow;
import dev.cairn.kernels.attribute.TransposedWindow.Axis;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * {@code ConvTranspose} of {@code float32}, an image and a group at a time: a matrix product makes what each input adds
 * under each tap; then each output channel adds up its taps.
 *
 * <pre> workspace: | sums by output channel, tap and input | what the product needs | </pre>
 */
public final class VectorConvTranspose implements Kernel {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final Attributes TRANSPOSED = Attributes.NONE.with("transA", 1);
  private static final long ALIGNMENT = 64;

  /** The matrices of one image and one group. */
  private record Parts(int groups, int outputs, int taps, TensorType weights, TensorType input, TensorType sums) {
    static Parts of(Attributes attributes, Shape x, Shape w) {
      int groups = attributes.getInt("group", 1);
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
  public long workspaceBytes(KernelSignature signature) {
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
    Parts parts = Parts.of(call.attributes(), x, call.input(1).shape());
    List<Axis> axes = TransposedWindow.of(call.attributes(), x, call.input(1).shape()).axes();
    long plane = y.shape().elementCount(2, y.shape().rank());
    TensorView sums = part(call.workspace(), parts.sums, 0);
    for (long item = 0; item < x.extent(0) * parts.groups; item++) {
      multiply(call, parts, item, sums);
      long firstChannel = item % parts.groups * parts.outputs;
      long start = item * parts.outputs * plane;
      CpuStream.of(call).parallel(parts.outputs, 1, (first, end) -> {
        for (long channel = first; channel < end; channel++) {
          float bias = call.has(2)
            ? call.input(2).segment().get(FLOAT, (firstChannel + channel) * Float.BYTES)
            : 0;
          MemorySegment to = y.segment().asSlice((start + channel * plane) * Float.BYTES, plane * Float.BYTES);
          fill(to, bias, plane);
          addTaps(new Spread(axes, sums.segment(), to), parts.taps, channel * parts.taps * parts.input.shape().extent(
            1));
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

  private static void fill(MemorySegment to, float value, long count) {
    for (long i = 0; i < count; i++) {
      to.set(FLOAT, i * Float.BYTES, value);
    }
  }

  private static void addTaps(Spread spread, int taps, long start) {
    int positions = spread.axes.stream().mapToInt(Axis::input).reduce(1, Math::multiplyExact);
    for (int tap = 0; tap < taps; tap++) {
      int[] places = new int[spread.axes.size()];
      int rest = tap;
      for (int axis = places.length - 1; axis >= 0; axis--) {
        places[axis] = rest % spread.axes.get(axis).kernel();
        rest /= spread.axes.get(axis).kernel();
      }
      spread.add(0, places, start + (long) tap * positions, 0);
    }
  }

  /** Adds sums of taps to the plane of an output channel. */
  private record Spread(List<Axis> axes, MemorySegment sums, MemorySegment to) {
    /** @param from the line of the sums, and {@code at} that of the plane, along all axes before this one */
    void add(int axis, int[] tap, long from, long at) {
      Axis along = axes.get(axis);
      int first = along.firstInput(tap[axis]);
      int end = along.endInput(tap[axis]);
      if (axis < axes.size() - 1) {
        long inner = 1;
        for (Axis after : axes.subList(axis + 1, axes.size())) {
          inner *= after.input();
        }
        for (int i = first; i < end; i++) {
          add(axis + 1, tap, from + i * inner, (at + along.at(i, tap[axis])) * axes.get(axis + 1).output());
        }
      } else if (first < end) {
        addLine(from + first, at + along.at(first, tap[axis]), end - first, along.stride());
      }
    }

    private void addLine(long from, long at, int count, int stride) {
      for (int i = 0; i < count; i++) {
        long place = (at + (long) i * stride) * Float.BYTES;
        to.set(FLOAT, place, to.get(FLOAT, place) + sums.get(FLOAT, (from + i) * Float.BYTES));
      }
    }
  }
}
