package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What arrays must do on every engine; a hang is a failure. When a test has ended, no memory is in use. */
@ParameterizedClass
@EnumSource(Kind.class)
public abstract class ArrayContract {
  /** Set for each class; the first value is for the checker of nulls. */
  @Parameter
  protected Kind kind = Kind.NAIVE;

  protected ArrayRuntime arrays;
  protected ArrayScope scope;

  @BeforeEach
  protected void open() {
    arrays = ArrayRuntime.open(options());
    scope = arrays.scope();
  }

  @AfterEach
  protected void close() {
    scope.close();
    arrays.close();
    assertThat(arrays.stats().storages()).isZero();
    assertThat(arrays.stats().memory().bytesInUse()).isZero();
  }

  protected ArrayOptions options() {
    return ArrayOptions.DEFAULT.withEngine(EngineOptions.DEFAULT.withKind(kind).withThreads(new EngineOptions.Threads(1,
      2, 1, 1, 3))).withThreads(1);
  }

  protected boolean isNaive() {
    return kind == Kind.NAIVE;
  }

  protected NDArray floats(float... values) {
    return arrays.of(values, values.length);
  }

  /** The numbers from 0 under a shape. */
  protected NDArray counting(long... shape) {
    long count = 1;
    for (long extent : shape) {
      count *= extent;
    }
    float[] values = new float[(int) count];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    return arrays.of(values, shape);
  }
}
