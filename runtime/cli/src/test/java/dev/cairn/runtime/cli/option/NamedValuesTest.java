package dev.cairn.runtime.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.Shape;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class NamedValuesTest {
  @Test
  void aShapeIsWhatComesAfterTheLastColon() {
    assertThat(NamedShape.parse("input:1x3x224x224")).isEqualTo(new NamedShape("input", Shape.of(1, 3, 224, 224)));
    assertThat(NamedShape.parse("serving/input:0:7")).isEqualTo(new NamedShape("serving/input:0", Shape.of(7)));
    assertThat(NamedShape.parse("x:scalar")).isEqualTo(new NamedShape("x", Shape.SCALAR));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "x:", ":1", "x:1x", "x:x1", "x:1xx2", "x:1X2", "x:1,2", "x:-1", "x:0", "x:1x0x2",
    "x:1.5",
    "x: 1", "x:batch", "x:99999999999999999999", "x:9223372036854775807", "x:4294967296x4294967296"})
  void noShape(String text) {
    assertThatThrownBy(() -> NamedShape.parse(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "given=" + text);
    assertThatThrownBy(() -> new NamedShape.Converter().convert(text)).isInstanceOf(TypeConversionException.class);
  }

  @Test
  void aFileIsWhatComesAfterTheLastColon() {
    var converter = new NamedFile.Converter();
    assertThat(converter.convert("x:a b.npy")).isEqualTo(new NamedFile("x", Path.of("a b.npy")));
    assertThat(converter.convert("input:0:/tmp/x.npy")).isEqualTo(new NamedFile("input:0", Path.of("/tmp/x.npy")));
    assertThat(converter.convert("a b.npz")).isEqualTo(new NamedFile(null, Path.of("a b.npz")));
    assertThat(converter.convert("/tmp/x.safetensors").name()).isNull();
    for (String text : new String[] {"", "x", "x:", ":x.npy", "x:y.npz", "x:y.safetensors"}) {
      assertThatThrownBy(() -> converter.convert(text)).isInstanceOf(TypeConversionException.class)
        .hasMessageContaining(
          "given=" + text);
    }
  }
}
