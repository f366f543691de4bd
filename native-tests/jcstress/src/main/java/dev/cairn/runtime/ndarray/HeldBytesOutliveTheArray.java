package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.EngineOptions;
import java.lang.foreign.Arena;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread holds the bytes of an array, while another one drops the array as a runtime does that closes. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the bytes stayed until the hold ended")
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "the array was dropped before, and the hold refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "given back while they were held, or never")
@State
public class HeldBytesOutliveTheArray {
  private static final ArrayRuntime ARRAYS = ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(ArrayOptions.DEFAULT
    .engine().withKind(EngineOptions.Kind.NAIVE)));
  private static final TensorView BYTES = new TensorView(TensorType.of(DType.FLOAT32, 1),
    Arena.global().allocate(4, 4));

  private volatile boolean isReleased;
  private final NDArray array = ARRAYS.wrapReadOnly(BYTES, () -> isReleased = true);

  @Actor
  public void holds(II_Result result) {
    try (HeldArray _ = HeldArray.of(array.range())) {
      result.r1 = isReleased ? 1 : 0;
    } catch (IllegalStateException e) {
      result.r1 = 2;
    }
  }

  @Actor
  public void drops() {
    array.range().storage().drop();
  }

  @Arbiter
  public void end(II_Result result) {
    result.r2 = isReleased ? 1 : 0;
  }
}
