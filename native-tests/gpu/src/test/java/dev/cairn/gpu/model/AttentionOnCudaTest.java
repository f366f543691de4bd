package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attention of three axes, one head, and of four, as exporters write it: one step on CUDA, as written here. */
@Tag("long")
class AttentionOnCudaTest {
  private static final int QUERIES = 19;
  private static final int KEYS = 35;

  /** Scores of {@code batch}, perhaps heads, 19 queries and 35 keys. */
  private static final class Written {
    private final GraphBuilder builder = new GraphBuilder("attention");
    private final long[] outer;

    Written(int rank) {
      outer = rank == 3 ? new long[] {3} : new long[] {3, 2};
    }

    private NodeEntry input(String name, long... inner) {
      return builder.input(name, TensorType.of(DType.FLOAT32, LongStream.concat(LongStream.of(outer), LongStream.of(
        inner)).toArray()));
    }

    private NodeEntry number(String name, float value) {
      return builder.constant(name, TensorView.ofFloats(Shape.of(1), value));
    }

    private NodeEntry triangle() {
      byte[] counts = new byte[QUERIES * KEYS];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = (byte) (i % KEYS <= i / KEYS ? 1 : 0);
      }
      return builder.constant("triangle", new TensorView(TensorType.of(DType.BOOL, QUERIES, KEYS), MemorySegment
        .ofArray(counts)));
    }

    private NodeEntry masked(String mask, NodeEntry scores) {
      return switch (mask) {
        case "none" -> scores;
        case "added" -> builder.apply("Add", scores, input("mask", 1, KEYS));
        case "left out" -> builder.apply("Where", builder.apply("Greater", input("mask", QUERIES, KEYS), number("zero",
          0)), number("far", -1e9f), scores);
        case "causal" -> builder.apply("Where", triangle(), scores, number("far", -1e9f));
        case "causal and added" -> builder.apply("Add", builder.apply("Where", triangle(), scores, number("far",
          -1e9f)), input("mask", 1, KEYS));
        default -> throw new IllegalArgumentException(mask);
      };
    }

    Graph model(String mask) {
      AttributeValue order = outer.length == 1 ? AttributeValue.Ints.of(0, 2, 1) : AttributeValue.Ints.of(0, 1, 3, 2);
      NodeEntry keys = builder.apply("Transpose", Attributes.NONE.with("perm", order), input("k", KEYS, 12));
      NodeEntry scores = builder.apply("Mul", builder.apply("MatMul", input("q", QUERIES, 12), keys), number("scale",
        2));
      NodeEntry shares = builder.apply("Softmax", masked(mask, scores));
      builder.output("y", builder.apply("MatMul", shares, input("v", KEYS, 7)));
      return builder.build();
    }
  }

  @ParameterizedTest
  @CsvSource({"3, none", "3, added", "3, left out", "3, causal", "3, causal and added", "4, added", "4, left out",
    "4, causal and added"})
  void isOneStepAndWhatItIsAsWritten(int rank, String mask) {
    Graph model = new Written(rank).model(mask);
    CompileOptions plain = CompileOptions.DEFAULT;
    Map<String, Tensor> inputs = Models.inputs(model, 3);
    SessionOptions device = SessionOptions.DEFAULT.withThreads(1).withDevice(CudaUnderTest.device());
    try (Session written = Session.of(model, SessionOptions.DEFAULT.withCompile(plain.withAttention(false)));
      Session there = Session.of(model, device);
      Session half = Session.of(model, device.withCompile(plain.withPrecision(Precision.FLOAT16)));
      Result expected = written.run(inputs);
      Result actual = there.run(inputs);
      Result rounded = half.run(inputs)) {
      for (Session session : new Session[] {there, half}) {
        assertThat(session.compiled().orElseThrow().storage().steps()).extracting(it -> it.operator()).contains(
          "Attention").doesNotContain("Softmax");
      }
      Models.assertClose(mask, expected.get("y"), actual.get("y"), 64 * 0x1p-24);
      Models.assertClose(mask, expected.get("y"), rounded.get("y"), 8 * 0x1p-11);
    } finally {
      inputs.values().forEach(Tensor::close);
    }
  }
}
