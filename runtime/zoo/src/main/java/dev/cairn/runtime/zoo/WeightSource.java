package dev.cairn.runtime.zoo;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.NativeTensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Random {@code float32} tensors that depend on nothing but the seed, a name and the shape.
 *
 * <p>Element {@code i} comes from one hash of a counter (the finaliser of SplitMix64, Steele, Lea and Flood 2014,
 * over key + i * golden ratio), so that any element could be made alone. A normal number is the sum of the hash's
 * four 16-bit quarters, scaled: mean and deviation are exact, and nothing lies further out than 3.5 deviations.
 */
final class WeightSource {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final int SUM_MEAN = 2 * 0xFFFF;
  private static final double SUM_DEVIATION = Math.sqrt((65536.0 * 65536.0 - 1) / 3);
  private static final float UNIT = 0x1p-24f;

  private final long seed;

  WeightSource(long seed) {
    this.seed = seed;
  }

  /** Numbers about {@code mean}, with the shape of a bell. */
  TensorView normal(String name, Shape shape, double mean, double deviation) {
    TensorView view = NativeTensor.allocate(new TensorType(DType.FLOAT32, shape));
    MemorySegment room = view.segment();
    long key = key(name);
    float scale = (float) (deviation / SUM_DEVIATION);
    float shift = (float) mean;
    long count = shape.elementCount();
    for (long i = 0; i < count; i++) {
      long bits = mix(key + i * GOLDEN);
      int sum = (int) ((bits & 0xFFFF) + (bits >>> 16 & 0xFFFF) + (bits >>> 32 & 0xFFFF) + (bits >>> 48));
      room.setAtIndex(ValueLayout.JAVA_FLOAT, i, (sum - SUM_MEAN) * scale + shift);
    }
    return view;
  }

  /** Numbers between {@code low} (included) and {@code high}, all as likely. */
  TensorView uniform(String name, Shape shape, double low, double high) {
    TensorView view = NativeTensor.allocate(new TensorType(DType.FLOAT32, shape));
    long key = key(name);
    float span = (float) (high - low);
    for (long i = 0; i < shape.elementCount(); i++) {
      float part = (mix(key + i * GOLDEN) >>> 40) * UNIT;
      view.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, part * span + (float) low);
    }
    return view;
  }

  /** The seed and a name as one number (FNV-1a over the name's characters, then mixed with the seed). */
  private long key(String name) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001B3L;
    }
    return mix(hash + mix(seed + GOLDEN));
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
