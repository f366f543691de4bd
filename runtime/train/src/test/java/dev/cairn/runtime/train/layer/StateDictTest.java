package dev.cairn.runtime.train.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.tensorfile.SafetensorsFile;
import dev.cairn.runtime.train.initializer.Initializers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values by path, to a file and back (case 158). */
class StateDictTest {
  private static final PartialType ROWS = PartialType.of(DType.FLOAT32, 2, 3);

  @TempDir
  private Path folder;

  private static Sequential net() {
    return Sequential.of().add("fc", Dense.of(2)).add("bn", BatchNorm.of());
  }

  private static Sequential filled(long seed) {
    Sequential net = net();
    net.initialize(Initializers.normal(1), seed, ROWS);
    return net;
  }

  private static Map<String, TensorView> values(Layer layer) {
    Map<String, TensorView> values = new LinkedHashMap<>();
    layer.allPaths().forEach((path, it) -> values.put(path, it.value()));
    return values;
  }

  private static void assertSame(Layer one, Layer other) {
    one.allPaths().forEach((path, it) -> assertThat(it.value().segment().mismatch(other.get(path).value().segment()))
      .as(path).isEqualTo(-1));
  }

  @Test
  void whatWasSavedIsLoaded() throws IOException {
    Path file = folder.resolve("net.safetensors");
    Sequential saved = filled(1);
    StateDict.save(saved, file);
    assertThat(SafetensorsFile.read(file).tensors()).containsOnlyKeys("fc.weight", "fc.bias", "bn.weight", "bn.bias",
      "bn.running_mean", "bn.running_var");
    Sequential loaded = net();
    StateDict.load(loaded, file);
    assertSame(saved, loaded);
    Sequential other = filled(2);
    StateDict.load(other, file);
    assertSame(saved, other);
  }

  @Test
  void sharedParametersMayComeOnceOrTwice() throws IOException {
    Dense both = Dense.of(3);
    Sequential saved = Sequential.of(both, Activation.relu(), both);
    saved.initialize(Initializers.normal(1), 1, ROWS);
    Path one = folder.resolve("one.safetensors");
    Path two = folder.resolve("two.safetensors");
    StateDict.save(saved, one);
    StateDict.saveWithCopies(saved, two);
    assertThat(SafetensorsFile.read(one).tensors()).hasSize(2);
    assertThat(SafetensorsFile.read(two).tensors()).hasSize(4);
    for (Path file : new Path[] {one, two}) {
      Dense again = Dense.of(3);
      Sequential loaded = Sequential.of(again, Activation.relu(), again);
      StateDict.load(loaded, file);
      assertSame(saved, loaded);
    }
    Sequential apart = Sequential.of(Dense.of(3), Activation.relu(), Dense.of(3));
    StateDict.load(apart, two);
    assertThatIllegalArgumentException().isThrownBy(() -> StateDict.load(apart, one)).withMessageContaining(
      "2.weight is missing, 2.bias is missing");
  }

  @Test
  void allFaultsAreListedAndNothingIsChanged() {
    Sequential net = filled(1);
    Map<String, TensorView> values = values(filled(2));
    values.put("fc.weight", TensorView.ofFloats(Shape.of(2, 4), new float[8]));
    values.remove("bn.bias");
    values.put("head.weight", TensorView.ofLong(1));
    assertThatIllegalArgumentException().isThrownBy(() -> StateDict.load(net, values)).withMessage(
      "a state dict does not fit: fc.weight is float32[2x4] instead of float32[2x3], bn.bias is missing, "
        + "head.weight is not of this layer");
    assertSame(net, filled(1));
  }

  @Test
  void whatPytorchCountsIsLeftOut() {
    Sequential net = filled(1);
    Map<String, TensorView> values = values(filled(2));
    values.put("bn.num_batches_tracked", TensorView.ofLong(7));
    StateDict.load(net, values);
    assertSame(net, filled(2));
  }
}
