package dev.cairn.kernels.cpu.quantized;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.attribute.QuantizedInputs;
import dev.cairn.kernels.attribute.QuantizedRange;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import org.jspecify.annotations.Nullable;

/**
 * Makes results of the sums of a product of quantised tensors, as the operator wants them: whole, scaled, or quantised
 * again. The left operand and the result have one scale. The right one's scales, and the bias, go along the columns of
 * a matrix product, or along the rows, which are channels, of a convolution.
 */
final class IntegerFinish {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final long GRAIN = 1 << 14;

  private final KernelCall call;
  private final QuantizedInputs inputs;
  private final MemorySegment sums;
  private final boolean areFloats;
  private final int columns;
  private final int channels;
  private final boolean alongRows;
  private final float[] factors;
  private final int[] wholeBias;
  private final float[] bias;
  private final int zero;
  private @Nullable IntegerOffsets offsets;

  /** The place of the sums, row after row, and their operands. */
  record Sums(MemorySegment segment, boolean areFloats, long rows, int columns) {}

  private IntegerFinish(KernelCall call, QuantizedInputs inputs, Sums sums, int channels, boolean alongRows) {
    this.call = call;
    this.inputs = inputs;
    this.sums = sums.segment();
    this.areFloats = sums.areFloats();
    this.columns = sums.columns();
    this.channels = channels;
    this.alongRows = alongRows;
    var numbers = new QuantizedNumbers(call, inputs);
    this.zero = numbers.zero(0);
    this.factors = new float[channels];
    for (int i = 0; i < channels; i++) {
      float scale = numbers.productScale(0, i);
      factors[i] = inputs.scale() == QuantizedInputs.NONE ? scale : scale / numbers.scale(0);
    }
    this.wholeBias = new int[channels];
    this.bias = new float[channels];
    if (call.has(inputs.bias())) {
      MemorySegment given = call.input(inputs.bias()).segment();
      if (inputs.scale() == QuantizedInputs.NONE) {
        MemorySegment.copy(given, FLOAT, 0, bias, 0, channels);
      } else {
        MemorySegment.copy(given, INT, 0, wholeBias, 0, channels);
      }
    }
  }

  /** Finishes a matrix product. */
  static void ofColumns(KernelCall call, QuantizedInputs inputs, Sums sums) {
    new IntegerFinish(call, inputs, sums, sums.columns(), false).run(sums.rows());
  }

  /** Like {@link #ofColumns(KernelCall, QuantizedInputs, Sums)}, of a product without its zero points. */
  static void ofColumns(KernelCall call, QuantizedInputs inputs, Sums sums, IntegerOffsets offsets) {
    var finish = new IntegerFinish(call, inputs, sums, sums.columns(), false);
    finish.offsets = offsets;
    for (int j = 0; j < sums.columns(); j++) {
      finish.wholeBias[j] += offsets.ofColumn(j);
    }
    finish.run(sums.rows());
  }

  /** Finishes a convolution with so many output channels. */
  static void ofChannels(KernelCall call, QuantizedInputs inputs, Sums sums, int channels) {
    new IntegerFinish(call, inputs, sums, channels, true).run(sums.rows());
  }

  private boolean hasRowOffsets() {
    return offsets != null && offsets.hasRows();
  }

  private void run(long rows) {
    boolean isWhole = inputs.leftScale() == QuantizedInputs.NONE;
    if (isWhole && !areFloats && offsets == null) {
      return;
    }
    CpuStream.of(call).parallel(rows, Math.ceilDiv(GRAIN, columns + 1), (first, end) -> {
      var row = new Row();
      for (long i = first; i < end; i++) {
        row.prepare(i);
        if (isWhole) {
          row.toWhole();
        } else if (inputs.scale() == QuantizedInputs.NONE) {
          row.toFloats();
        } else {
          row.toBytes();
        }
      }
    });
  }

  /** One row of the result. For one thread. */
  private final class Row {
    private final float[] rowFactors = alongRows ? new float[columns] : factors;
    private final int[] rowWholeBias = alongRows || hasRowOffsets() ? new int[columns] : wholeBias;
    private final QuantizedRange range = inputs.scale() == QuantizedInputs.NONE
      ? new QuantizedRange(0, 0)
      : QuantizedRange.of(call.output(0).dtype());
    private long first;

    void prepare(long row) {
      first = row * columns;
      if (alongRows) {
        int channel = (int) (row % channels);
        Arrays.fill(rowFactors, factors[channel]);
        Arrays.fill(rowWholeBias, wholeBias[channel]);
      }
      IntegerOffsets all = offsets;
      if (all != null && hasRowOffsets()) {
        int sum = all.rowSum(row);
        for (int j = 0; j < columns; j++) {
          rowWholeBias[j] = wholeBias[j] + sum * all.ofRow(j);
        }
      }
    }

    private int sum(int column) {
      long at = (first + column) * Float.BYTES;
      return (areFloats ? (int) sums.get(FLOAT, at) : sums.get(INT, at)) + rowWholeBias[column];
    }

    private IntVector sums(int column) {
      return ByteLanes.sums(sums, (first + column) * Float.BYTES, areFloats).add(IntVector.fromArray(ByteLanes.ints(),
        rowWholeBias, column));
    }

    void toWhole() {
      MemorySegment y = call.output(0).segment();
      int whole = SPECIES.loopBound(columns);
      for (int j = 0; j < whole; j += LANES) {
        sums(j).intoMemorySegment(y, (first + j) * Integer.BYTES, ORDER);
      }
      for (int j = whole; j < columns; j++) {
        y.set(INT, (first + j) * Integer.BYTES, sum(j));
      }
    }

    void toFloats() {
      MemorySegment y = call.output(0).segment();
      boolean adds = call.has(inputs.bias());
      int whole = SPECIES.loopBound(columns);
      for (int j = 0; j < whole; j += LANES) {
        long at = (first + j) * Float.BYTES;
        FloatVector scaled = ByteLanes.toFloats(sums(j)).mul(FloatVector.fromArray(SPECIES, rowFactors, j));
        (adds ? scaled.add(FloatVector.fromArray(SPECIES, bias, j)) : scaled).intoMemorySegment(y, at, ORDER);
      }
      for (int j = whole; j < columns; j++) {
        float scaled = sum(j) * rowFactors[j];
        y.set(FLOAT, (first + j) * Float.BYTES, adds ? scaled + bias[j] : scaled);
      }
    }

    void toBytes() {
      MemorySegment y = call.output(0).segment();
      int whole = SPECIES.loopBound(columns);
      for (int j = 0; j < whole; j += LANES) {
        FloatVector units = ByteLanes.toFloats(sums(j)).mul(FloatVector.fromArray(SPECIES, rowFactors, j));
        ByteLanes.store(units, range, zero, y, first + j);
      }
      for (int j = whole; j < columns; j++) {
        float units = sum(j) * rowFactors[j];
        y.set(ValueLayout.JAVA_BYTE, first + j, (byte) range.quantized(units, zero));
      }
    }
  }
}
