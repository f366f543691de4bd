package dev.cairn.kernels.cpu.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.SplitStrings;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StringKernelsTest {
  private final CpuDevice device = new CpuDevice(1);

  @AfterEach
  void close() {
    device.close();
  }

  private static TensorView strings(String... values) {
    return StringElements.of(List.of(values));
  }

  /** Runs the row that the catalog prefers, with results of these types. */
  private List<TensorView> run(String operator, Attributes attributes, List<TensorView> inputs, TensorType... results) {
    TensorView[] outputs = new TensorView[results.length];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = new TensorView(results[i], MemorySegment.ofArray(new byte[(int) results[i].bytes()]));
    }
    var signature = KernelSignature.of(inputs.stream().map(TensorView::type).toList(), List.of(results), attributes);
    KernelRow row = StandardKernels.catalog().find(operator, signature).orElseThrow();
    var call = new KernelCall(inputs.toArray(TensorView[]::new), outputs, attributes, MemorySegment.NULL, device
      .defaultStream());
    row.kernel().run(call);
    return IntStream.range(0, outputs.length).mapToObj(call::output).toList();
  }

  private String[] moved(String operator, Attributes attributes, Shape shape, TensorView... inputs) {
    return StringElements.toArray(run(operator, attributes, List.of(inputs), new TensorType(DType.STRING, shape))
      .getFirst());
  }

  @Test
  void stringsAreMovedAsNumbersAre() {
    TensorView abc = strings("a", "", "ü€");
    assertThat(moved("Gather", Attributes.NONE, Shape.of(2), abc, TensorView.ofLongs(2, -3))).containsExactly("ü€",
      "a");
    assertThat(moved("Concat", Attributes.NONE.with("axis", 0), Shape.of(4), abc, strings("z"))).containsExactly("a",
      "", "ü€", "z");
    assertThat(moved("Slice", Attributes.NONE, Shape.of(2), abc, TensorView.ofLongs(1), TensorView.ofLongs(3)))
      .containsExactly("", "ü€");
    assertThat(moved("Transpose", Attributes.NONE, Shape.of(2, 2), strings("a", "b", "c", "d").reshaped(Shape.of(2,
      2)))).containsExactly("a", "c", "b", "d");
    assertThat(moved("Pad", Attributes.NONE, Shape.of(5), abc, TensorView.ofLongs(1, 1))).containsExactly("", "a", "",
      "ü€", "");
    TensorView condition = new TensorView(TensorType.of(DType.BOOL, 3), MemorySegment.ofArray(new byte[] {1, 0, 1}));
    assertThat(moved("Where", Attributes.NONE, Shape.of(3), condition, abc, strings("x"))).containsExactly("a", "x",
      "ü€");
  }

  @Test
  void stringsCompareByValue() {
    TensorView words = strings("b", "a", "b", "");
    List<TensorView> unique = run("Unique", Attributes.NONE, List.of(words), TensorType.of(DType.STRING, 3), TensorType
      .of(DType.INT64, 3), TensorType.of(DType.INT64, 4), TensorType.of(DType.INT64, 3));
    assertThat(StringElements.toArray(unique.get(0))).containsExactly("", "a", "b");
    assertThat(unique.get(1).toLongArray()).containsExactly(3, 1, 0);
    assertThat(unique.get(2).toLongArray()).containsExactly(2, 1, 2, 0);
    TensorView equal = run("Equal", Attributes.NONE, List.of(words, strings("b")), TensorType.of(DType.BOOL, 4))
      .getFirst();
    assertThat(equal.toLongArray()).containsExactly(1, 0, 1, 0);
  }

  @Test
  void numbersAreWrittenAsCWritesThem() {
    TensorView x = TensorView.ofFloats(Shape.of(9), 3.14f, -0.0f, 1e20f, 0x1p-30f, Float.NaN, Float.NEGATIVE_INFINITY,
      100, 0.1f, 1.2345679E8f);
    assertThat(moved("Cast", Attributes.NONE, x.shape(), x)).containsExactly("3.1400001", "-0", "1e+20",
      "9.3132257e-10",
      "NaN", "-INF", "100", "0.1", "1.2345679e+08");
    assertThat(moved("Cast", Attributes.NONE, Shape.of(2), TensorView.ofLongs(-7, Long.MAX_VALUE))).containsExactly(
      "-7", "9223372036854775807");
  }

  @Test
  void textIsReadAsNumbers() {
    TensorView y = run("Cast", Attributes.NONE, List.of(strings("1.5", " -INF", "nan", "1e-3")), TensorType.of(
      DType.FLOAT32, 4)).getFirst();
    assertThat(y.doubleAt(0)).isEqualTo(1.5);
    assertThat(y.doubleAt(1)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(y.doubleAt(2)).isNaN();
    assertThat(y.doubleAt(3)).isEqualTo(0.001f);
    assertThat(run("Cast", Attributes.NONE, List.of(strings("-5", "+7")), TensorType.of(DType.INT32, 2)).getFirst()
      .toLongArray()).containsExactly(-5, 7);
    assertThatThrownBy(() -> run("Cast", Attributes.NONE, List.of(strings("1", "one")), TensorType.of(DType.INT64, 2)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("element=1 text=\"one\" dtype=int64");
  }

  @Test
  void stringsAreSplitAsPythonSplitsThem() {
    assertThat(split(" a  b c ", "", 9)).containsExactly("a", "b", "c");
    assertThat(split(" a  b c ", "", 1)).containsExactly("a", "b c ");
    assertThat(split("a,,b", ",", 9)).containsExactly("a", "", "b");
    assertThat(split("a,,b", ",", 1)).containsExactly("a", ",b");
    assertThat(split("", "", 9)).isEmpty();
  }

  private static List<String> split(String text, String delimiter, long most) {
    Attributes attributes = Attributes.NONE.with("maxsplit", most).with("delimiter", new AttributeValue.Text(
      delimiter));
    return SplitStrings.of(attributes, strings(text)).all().getFirst();
  }

  @Test
  void labelsThatAreNoKeyGetTheDefault() {
    Attributes attributes = Attributes.NONE.with("keys_floats", new AttributeValue.Reals(List.of(1f, Float.NaN))).with(
      "values_strings", new AttributeValue.Texts(List.of("one", "none"))).with("default_string",
        new AttributeValue.Text("other"));
    assertThat(moved("LabelEncoder", attributes, Shape.of(3), TensorView.ofFloats(Shape.of(3), Float.NaN, 1, 2)))
      .containsExactly("none", "one", "other");
  }

  @Test
  void anEncodedTensorReadsBack() {
    TensorView empty = strings();
    assertThat(StringElements.toArray(empty)).isEmpty();
    assertThat(StringElements.at(strings("", "x", "\u0000y"), 2)).isEqualTo("\u0000y");
    assertThatThrownBy(() -> StringElements.of(Shape.of(2), List.of("a"))).hasMessageContaining("elements=2 values=1");
    assertThatThrownBy(() -> StringElements.at(TensorView.ofLong(1), 0)).hasMessageContaining("not strings");
  }
}
