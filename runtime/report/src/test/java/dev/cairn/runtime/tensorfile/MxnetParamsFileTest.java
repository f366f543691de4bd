package dev.cairn.runtime.tensorfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.TensorView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MxnetParamsFileTest {
  private static final int V1 = 0xF993FAC8;
  private static final int V2 = 0xF993FAC9;
  private static final int V3 = 0xF993FACA;

  @TempDir
  Path folder;

  private Map<String, TensorView> read(MxnetParams params) throws IOException {
    return MxnetParamsFile.read(params.write(folder.resolve("net-0001.params")));
  }

  private static TensorView array(Map<String, TensorView> arrays, String name) {
    return Objects.requireNonNull(arrays.get(name), name);
  }

  @Test
  void readsNamedArraysOfAllTypes() throws IOException {
    Map<String, TensorView> arrays = read(new MxnetParams().floats("arg:w", new long[] {2, 2}, 1, 2, 3, 4).header(V2, 0,
      2).elements(5, (byte) -1, (byte) 2).named("aux:signs").header(V3, 0, 1).elements(7, (byte) 9).named("truth"));
    assertThat(arrays).hasToString("{arg:w=view of float32[2x2], aux:signs=view of int8[2], truth=view of bool[1]}");
    assertThat(array(arrays, "arg:w").doubleAt(3)).isEqualTo(4);
    assertThat(array(arrays, "aux:signs").longAt(0)).isEqualTo(-1);
    assertThat(array(arrays, "truth").longAt(0)).isEqualTo(1);
  }

  @Test
  void readsAllAges() throws IOException {
    Map<String, TensorView> arrays = read(new MxnetParams().header(V1, 0, 3).elements(3, new byte[] {1, 2, 3})
      .legacyHeader(1, 2).elements(3, new byte[] {4, 5}).header(V3, 0).elements(3, (byte) 6));
    assertThat(arrays).hasToString("{0=view of uint8[3], 1=view of uint8[1x2], 2=view of uint8[scalar]}");
    assertThat(array(arrays, "1").longAt(1)).isEqualTo(5);
    assertThat(array(arrays, "2").longAt(0)).isEqualTo(6);
  }

  @Test
  void refusesWhatItCannotHold() {
    assertThatThrownBy(() -> read(new MxnetParams().header(V2, 2, 2).named("sparse"))).isInstanceOf(
      InvalidTensorFile.class).hasMessageContaining("CSR");
    assertThatThrownBy(() -> read(new MxnetParams().header(V2, 0, 2).elements(99))).hasMessageContaining("code=99");
    assertThatThrownBy(() -> read(new MxnetParams().header(V2, 0, 1L << 40, 1L << 40).elements(0)))
      .isInstanceOf(InvalidTensorFile.class).hasMessageContaining("larger than the file");
    assertThatThrownBy(() -> read(new MxnetParams().header(V2, 0, 1).elements(3, (byte) 1).named("a").header(V2, 0, 1)
      .elements(3, (byte) 1).named("a"))).hasMessageContaining("name=a");
    assertThatThrownBy(() -> MxnetParamsFile.read(Files.write(folder.resolve("x"), new byte[64]))).hasMessageContaining(
      "not an MXNet file");
  }

  @Test
  void damagedFilesAreRefusedOrRead() throws IOException {
    byte[] whole = new MxnetParams().floats("arg:w", new long[] {2, 3}, 1, 2, 3, 4, 5, 6).header(V2, 0, 3).elements(3,
      new byte[] {1, 2, 3}).named("aux:m").bytes();
    for (int length = 0; length < whole.length; length++) {
      Path cut = Files.write(folder.resolve("cut.params"), Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> MxnetParamsFile.read(cut)).isInstanceOf(InvalidTensorFile.class);
    }
    var random = new SplittableRandom(1);
    for (int i = 0; i < 1000; i++) {
      byte[] other = whole.clone();
      other[random.nextInt(other.length)] = (byte) random.nextInt();
      Path file = Files.write(folder.resolve("other.params"), other);
      try {
        assertThat(MxnetParamsFile.read(file)).hasSizeLessThanOrEqualTo(2);
      } catch (InvalidTensorFile e) {
        assertThat(e).hasMessageContaining(file.toString());
      }
    }
  }
}
