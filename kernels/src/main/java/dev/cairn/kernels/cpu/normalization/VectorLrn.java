package dev.cairn.kernels.cpu.normalization;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.attribute.ResponseWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.VectorLogarithm;
import dev.cairn.kernels.cpu.vector.VectorMath;
import dev.cairn.kernels.cpu.vector.VectorRows.Row;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@code LRN(x)} of {@code float32}: lanes walk along a plane, and each gathers the squares of its neighbouring
 * channels.
 */
public final class VectorLrn implements Kernel {
  private static final long GRAIN = 1 << 13;
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final float USUAL_BETA = 0.75f;

  @Override
  public void run(KernelCall call) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    ResponseWindow window = ResponseWindow.of(call.attributes());
    long size = window.size();
    float factor = window.alpha() / size;
    float bias = window.bias();
    float beta = window.beta();
    var planes = ChannelPlanes.of(call.input(0).shape());
    CpuStream.of(call).parallel(planes.planes(), planes.grain(GRAIN), (first, end) -> {
      for (long plane = first; plane < end; plane++) {
        long channel = plane % planes.channels();
        long from = plane - Math.min(channel, (size - 1) / 2);
        long to = plane + Math.min(planes.channels() - 1 - channel, size / 2);
        long length = planes.elements();
        var row = new Row(plane * length, length);
        fill(y, row, bias);
        for (long other = from; other <= to; other++) {
          join(x, other * length, y, row, factor);
        }
        divide(x, y, plane * length, length, beta);
      }
    });
  }

  private static void fill(MemorySegment y, Row row, float value) {
    for (long i = row.at(); i < row.at() + row.length(); i++) {
      y.set(ValueLayout.JAVA_FLOAT_UNALIGNED, i * Float.BYTES, value);
    }
  }

  /** Adds {@code factor * x^2} of the plane at {@code from} to a row of y, which stays in the first-level cache. */
  private static void join(MemorySegment x, long from, MemorySegment y, Row row, float factor) {
    FloatVector a = FloatVector.broadcast(SPECIES, factor);
    long at = row.at();
    long length = row.length();
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      FloatVector value = load(x, from + i);
      store(value.mul(a).fma(value, load(y, at + i)), y, at + i);
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      FloatVector value = load(x, from + whole, rest);
      store(value.mul(a).fma(value, load(y, at + whole, rest)), y, at + whole, rest);
    }
  }

  /** Divides x by what {@code y} holds, to the power of beta. */
  private static void divide(MemorySegment x, MemorySegment y, long at, long length, float beta) {
    long whole = length - length % LANES;
    boolean usual = beta == USUAL_BETA;
    for (long i = 0; usual && i < whole; i += LANES) {
      store(load(x, at + i).div(threeQuarters(load(y, at + i))), y, at + i);
    }
    for (long i = 0; !usual && i < whole; i += LANES) {
      store(load(x, at + i).div(power(load(y, at + i), beta)), y, at + i);
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      FloatVector base = load(y, at + whole, rest);
      FloatVector divisor = usual ? threeQuarters(base) : power(base, beta);
      store(load(x, at + whole, rest).div(divisor), y, at + whole, rest);
    }
  }

  private static FloatVector threeQuarters(FloatVector base) {
    FloatVector root = base.sqrt();
    return root.mul(root.sqrt());
  }

  private static FloatVector power(FloatVector base, float exponent) {
    return VectorMath.exp(VectorLogarithm.log(base).mul(exponent));
  }
}
