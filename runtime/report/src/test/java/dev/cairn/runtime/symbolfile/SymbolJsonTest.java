package dev.cairn.runtime.symbolfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.symbol.Symbol;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SymbolJsonTest {
  @TempDir
  Path folder;

  private static Symbol network() {
    Symbol data = Symbol.variable("data", PartialType.of(DType.FLOAT32, PartialType.OPEN, 8));
    Symbol hidden = Symbol.dense("fc1", data, 4).relu().withNotes(Map.of("ctx_group", "dev1"));
    Symbol clipped = hidden.clip(-0.5, Float.MAX_VALUE).leakyRelu(0.1f);
    List<Symbol> parts = clipped.split(1, 1, 3);
    Symbol resized = parts.get(1).apply("Clip", Attributes.NONE, 1, Arrays.asList(parts.get(1), null, parts.get(0)
      .scalar(3))).get(0);
    return Symbol.group(resized.named("out"), parts.get(0));
  }

  @Test
  void textAndSymbolAndTextAreEqual() throws IOException {
    Symbol network = network();
    String text = SymbolJson.text(network);
    Symbol again = SymbolJson.parse(text);
    assertThat(SymbolJson.text(again)).isEqualTo(text);
    assertThat(again.graph()).hasToString(network.graph().toString());
    assertThat(again.outputs()).isEqualTo(network.outputs());
    Path file = folder.resolve("net.json");
    SymbolJson.write(again, file);
    assertThat(SymbolJson.text(SymbolJson.read(file))).isEqualTo(text);
  }

  @Test
  void attributesOfAllKindsKeepTheirKind() {
    Attributes attributes = Attributes.NONE.with("a", 1).with("b", new AttributeValue.Real(Float.NaN)).with("c",
      new AttributeValue.Text("x\"y")).with("d", AttributeValue.Ints.of()).with("e", new AttributeValue.Reals(
        List.of(
          -0f, 1.4E-45f)))
      .with("f", new AttributeValue.Texts(List.of("ä", "")));
    assertThat(AttributeJson.readAttributes(AttributeJson.write(attributes))).isEqualTo(attributes);
  }

  @Test
  void damagedTextsAreRefusedOrRead() {
    String text = SymbolJson.text(network());
    assertThatThrownBy(() -> SymbolJson.parse("{}")).hasMessageContaining("not a symbol of version 1");
    assertThatThrownBy(() -> SymbolJson.parse(text.replaceFirst("\"inputs\":\\[\\[0", "\"inputs\":[[99")))
      .hasMessageContaining("entry=[99");
    assertThatThrownBy(() -> SymbolJson.read(folder.resolve("none"))).isInstanceOf(IOException.class);
    var random = new SplittableRandom(2);
    List<Throwable> others = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      char[] letters = text.toCharArray();
      letters[random.nextInt(letters.length)] = (char) random.nextInt(32, 127);
      try {
        SymbolJson.parse(new String(letters));
      } catch (RuntimeException e) {
        others.add(e);
      }
    }
    assertThat(others).isNotEmpty().allMatch(it -> it instanceof IllegalArgumentException
      || it instanceof InvalidGraph);
  }
}
