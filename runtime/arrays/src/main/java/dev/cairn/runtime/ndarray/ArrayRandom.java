package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.cpu.random.PhiloxGenerator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.resource.RandomState;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random arrays of a runtime. Seeds take effect in the order of the program, and each call takes one draw, so a seed
 * and the calls after it decide all numbers: on any engine, with any number of threads. Thread-safe.
 */
public final class ArrayRandom {
  private static final Logger LOG = LoggerFactory.getLogger(ArrayRandom.class);

  private final ArrayRuntime arrays;
  private final RandomState state;

  ArrayRandom(ArrayRuntime arrays, RandomState state) {
    this.arrays = arrays;
    this.state = state;
  }

  /** Without a seed it takes one and logs it: a program that wants the same numbers again gives that. */
  static ArrayRandom of(ArrayRuntime arrays, OptionalLong seed) {
    if (seed.isPresent()) {
      return new ArrayRandom(arrays, new RandomState(seed.getAsLong()));
    }
    long own = ThreadLocalRandom.current().nextLong();
    LOG.info("random numbers of arrays begin with a seed of their own: seed={}", own);
    return new ArrayRandom(arrays, new RandomState(own));
  }

  /** Begins again, with another seed. */
  public void seed(long seed) {
    state.seed(seed);
  }

  /** Seed and next draw, to be kept and given to {@link RandomState#restored}. */
  public long[] save() {
    return state.save();
  }

  /** States with seeds of their own, such as one for each replica of a model. */
  public List<RandomState> split(int count) {
    return state.split(count);
  }

  /** The same functions with a state of the caller. */
  public ArrayRandom with(RandomState other) {
    return new ArrayRandom(arrays, other);
  }

  /** Numbers from 0 to 1, without 1, all as likely. */
  public NDArray uniform(DType dtype, long... shape) {
    return uniform(0, 1, dtype, shape);
  }

  /**
   * Numbers from {@code low} to {@code high}, without {@code high}, all as likely. Both ends are rounded to {@code
   * float32}, for an array of any type.
   *
   * @throws IllegalArgumentException when an end is not finite, or {@code low} is not less than {@code high}
   */
  public NDArray uniform(double low, double high, DType dtype, long... shape) {
    if (!Float.isFinite((float) low) || !Float.isFinite((float) high) || (float) low >= (float) high) {
      throw new IllegalArgumentException("not a range of float32 numbers: low=%s high=%s".formatted(low, high));
    }
    return shaped("RandomUniform", Attributes.NONE.with("low", real(low)).with("high", real(high)), dtype, shape);
  }

  /** Normally distributed numbers with mean 0 and deviation 1. */
  public NDArray normal(DType dtype, long... shape) {
    return normal(0, 1, dtype, shape);
  }

  /** Normally distributed numbers. Mean and deviation are rounded to {@code float32}, for an array of any type. */
  public NDArray normal(double mean, double deviation, DType dtype, long... shape) {
    return shaped("RandomNormal", Attributes.NONE.with("mean", real(mean)).with("scale", real(deviation)), dtype,
      shape);
  }

  /** 1 as often as each element says, else 0, of its type. */
  public NDArray bernoulli(NDArray probabilities) {
    return drawn("Bernoulli", Attributes.NONE, List.of(probabilities));
  }

  /** For each row of logarithms of likelihoods, so many classes; {@code int64[row,sample]}. */
  public NDArray categorical(NDArray logits, int samples) {
    return drawn("Multinomial", typed(Attributes.NONE.with("sample_size", new AttributeValue.Int(samples)),
      DType.INT64), List.of(logits));
  }

  private NDArray shaped(String operator, Attributes attributes, DType dtype, long... shape) {
    var extents = new AttributeValue.Ints(LongStream.of(Shape.of(shape).extents()).boxed().toList());
    return drawn(operator, typed(attributes.with("shape", extents), dtype), List.of());
  }

  private static AttributeValue real(double number) {
    return new AttributeValue.Real((float) number);
  }

  private static Attributes typed(Attributes attributes, DType dtype) {
    return attributes.with("dtype", new AttributeValue.Text(dtype.toString()));
  }

  /** The seed and the next draw, {@code int64[2]}, as random operators read them; takes the draw. */
  public NDArray draw() {
    CallFollower follower = ArrayRuntime.follower();
    NDArray later = follower == null ? null : follower.draw(arrays, state);
    return later == null ? arrays.constant(state.draw()) : later;
  }

  /** The numbers of the next draw, which this takes. */
  PhiloxGenerator generator() {
    TensorView draw = state.draw();
    return new PhiloxGenerator(draw.longAt(0), draw.longAt(1));
  }

  private NDArray drawn(String operator, Attributes attributes, List<NDArray> operands) {
    NDArray draw = draw();
    List<NDArray> all = operands.isEmpty() ? List.of(draw) : List.of(operands.get(0), draw);
    return arrays.apply(operator, attributes, 1, all).get(0);
  }
}
