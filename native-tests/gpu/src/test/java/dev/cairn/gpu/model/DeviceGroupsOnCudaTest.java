package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.cached.BoundSymbol;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.pass.gradient.GradientRequest;
import dev.cairn.runtime.symbol.NoteScope;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.symbol.SymbolTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Symbols on groups of devices (S-6): upstream's cases 89 to 91. */
class DeviceGroupsOnCudaTest {
  private static final Map<String, String> TWO = Map.of("dev1", "cpu", "dev2", "cuda:0");
  private static final Map<String, String> ONE = Map.of("dev1", "cpu", "dev2", "cpu");

  private static ArrayRuntime open() {
    return ArrayRuntime.open(ArrayOptions.DEFAULT.withDevices(DeviceOptions.CPU, CudaUnderTest.device()).withThreads(
      1));
  }

  /** ((a + b) * 3 on dev1, - c on dev2), as upstream's chain. */
  private static Symbol chain() {
    Symbol sum;
    try (var _ = NoteScope.of("ctx_group", "dev1")) {
      sum = Symbol.variable("a").add(Symbol.variable("b")).mul(3);
    }
    try (var _ = NoteScope.of("ctx_group", "dev2")) {
      return sum.sub(Symbol.variable("c"));
    }
  }

  @ParameterizedTest
  @EnumSource(value = DType.class, names = {"FLOAT16", "FLOAT32", "FLOAT64"})
  void aChainOverTwoDevicesEqualsOne(DType dtype) {
    try (var arrays = open(); var _ = arrays.scope()) {
      assertThat(gradients(arrays, dtype, TWO)).isEqualTo(gradients(arrays, dtype, ONE));
    }
  }

  private static List<List<Double>> gradients(ArrayRuntime arrays, DType dtype, Map<String, String> groups) {
    Symbol net = chain();
    PartialType type = PartialType.of(dtype, 4, 5);
    SymbolTypes types = net.infer(Map.of("a", type, "b", type, "c", type));
    Map<String, GradientRequest> requests = new LinkedHashMap<>();
    net.arguments().forEach(it -> requests.put(it, GradientRequest.ADD));
    List<List<Double>> all = new ArrayList<>();
    try (var bound = BoundSymbol.of(net, arrays, types, requests, groups)) {
      assertThat(bound.argument("a").device()).isEqualTo("cpu");
      assertThat(bound.argument("c").device()).isEqualTo(groups.get("dev2"));
      bound.argument("a").fill(2);
      bound.argument("b").fill(1);
      bound.argument("c").fill(0.5);
      for (int run = 0; run < 2; run++) {
        NDArray y = bound.forward(true).get(0);
        assertThat(y.device()).isEqualTo(groups.get("dev2"));
        all.add(values(y));
        bound.backward();
      }
      assertThat(bound.gradient("b").device()).isEqualTo("cpu");
      bound.gradients().values().forEach(it -> all.add(values(it)));
    }
    assertThat(all.get(0)).containsOnly(8.5);
    assertThat(all.get(2)).containsOnly(6.0);
    return all;
  }

  private static List<Double> values(NDArray array) {
    var host = array.toHost();
    List<Double> values = new ArrayList<>();
    for (long i = 0; i < host.elementCount(); i++) {
      values.add(host.doubleAt(i));
    }
    return values;
  }

  @Test
  void parametersLieWhereTheirReaderRuns() {
    Symbol hidden;
    try (var _ = NoteScope.of("ctx_group", "dev1")) {
      hidden = Symbol.dense("fc1", Symbol.variable("data"), 8).relu();
    }
    Symbol net;
    try (var _ = NoteScope.of("ctx_group", "dev2")) {
      net = Symbol.dense("fc2", hidden, 3);
    }
    SymbolTypes types = net.infer(Map.of("data", PartialType.of(DType.FLOAT32, 2, 4)));
    try (var arrays = open();
      var _ = arrays.scope();
      var bound = BoundSymbol.of(net, arrays, types, Map.of("fc1_weight", GradientRequest.WRITE), TWO)) {
      assertThat(bound.argument("fc1_weight").device()).isEqualTo("cpu");
      assertThat(bound.argument("fc2_weight").device()).isEqualTo("cuda:0");
      bound.argument("data").fill(1);
      bound.argument("fc1_weight").fill(0.5);
      bound.argument("fc2_weight").fill(1);
      assertThat(bound.forward(true).get(0).toFloatArray()).containsOnly(16);
      bound.backward();
      assertThat(bound.gradient("fc1_weight").toFloatArray()).containsOnly(6);
    }
  }

  @Test
  void unknownGroupsAndDevicesAreRefused() {
    Symbol net = chain();
    PartialType type = PartialType.of(DType.FLOAT32, 2);
    SymbolTypes types = net.infer(Map.of("a", type, "b", type, "c", type));
    try (var arrays = open()) {
      assertThatThrownBy(() -> BoundSymbol.of(net, arrays, types, Map.of(), Map.of("dev1", "cpu"))).isInstanceOf(
        IllegalArgumentException.class).hasMessageContaining("dev2");
      assertThatThrownBy(() -> BoundSymbol.of(net, arrays, types, Map.of(), Map.of("dev1", "cpu", "dev2", "cuda:3")))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("cuda:3").hasMessageContaining(
          "ArrayOptions");
    }
  }
}
