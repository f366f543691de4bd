package dev.cairn.runtime.train.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.cached.CachedOp;
import dev.cairn.runtime.cached.CachedOpOptions;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Layers on arrays while a thread records, and as planned graphs: same bits (cases 150, 151, 155; defect 11). */
class CachedLayerTest {
  private static Sequential network() {
    return Sequential.of(Conv.of(4, 3, 3), BatchNorm.of(), Activation.relu(), MaxPool.window(2, 2), Dropout.of(0.5),
      Flatten.of(), Dense.of(3));
  }

  /** Losses, gradients and running statistics of three iterations. */
  private static List<float[]> train(boolean isCached) {
    List<float[]> seen = new ArrayList<>();
    Layer layer = network();
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withSeed(5));
      var _ = arrays.scope();
      var net = LayerArrays.of(layer, arrays);
      var op = CachedOp.of(x -> net.applyAll(Autograd.isTraining(), x), CachedOpOptions.DEFAULT)) {
      UnaryOperator<NDArray> call = isCached
        ? x -> op.call(x).get(0)
        : x -> net.applyAll(Autograd.isTraining(), List
          .of(x)).get(0);
      net.apply(arrays.zeros(DType.FLOAT32, 4, 2, 8, 8));
      Map<String, NDArray> parameters = net.arrays();
      parameters.keySet().retainAll(layer.parameters().keySet());
      parameters.values().forEach(NDArray::attachGradient);
      arrays.random().seed(9);
      for (int i = 0; i < 3; i++) {
        try (var _ = arrays.scope()) {
          NDArray x = arrays.random().uniform(DType.FLOAT32, i == 1 ? 2 : 4, 2, 8, 8);
          NDArray loss;
          try (var _ = Autograd.record()) {
            loss = call.apply(x).pow(2).mean();
          }
          loss.backward();
          seen.add(loss.toFloatArray());
          parameters.values().forEach(parameter -> {
            seen.add(parameter.gradient().toFloatArray());
            parameter.subi(parameter.gradient().mul(0.1));
          });
          layer.states().keySet().forEach(it -> seen.add(Objects.requireNonNull(net.arrays().get(it)).toFloatArray()));
          seen.add(call.apply(x).toFloatArray());
        }
      }
      assertThat(op.stats().pendingCalls()).isZero();
    }
    return seen;
  }

  @Test
  void aCachedLayerGivesTheBitsOfTheLayer() {
    List<float[]> plain = train(false);
    List<float[]> cached = train(true);
    assertThat(plain).hasSize(cached.size());
    for (int i = 0; i < plain.size(); i++) {
      assertThat(cached.get(i)).as("array %d", i).containsExactly(plain.get(i));
    }
    // Gradients are not zero.
    assertThat(plain.get(1)).isNotEqualTo(new float[plain.get(1).length]);
  }
}
