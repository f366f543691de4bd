package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.assertSays;
import static dev.cairn.runtime.onnx.Models.ints;
import static dev.cairn.runtime.onnx.Models.node;
import static dev.cairn.runtime.onnx.Models.real;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.AttributeProto.AttributeType;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.InvalidModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model's own functions, inlined. */
class FunctionsTest {
  private static final String DOMAIN = "local";

  @TempDir
  private Path folder;

  @Test
  void callBecomesTheBody() {
    FunctionProto twice = function("Twice", "a -> c", node("b = Relu(a)"), node("c = Add(b, b)"));
    assertGraph(model(13, List.of(twice), call("h = Twice(x)"), call("y = Twice(h)")), """
      x = input float32[2]
      twice_h/relu_b = Relu(x)
      twice_h/add_c = Add(twice_h/relu_b, twice_h/relu_b)
      twice_y/relu_b = Relu(twice_h/add_c)
      twice_y/add_c = Add(twice_y/relu_b, twice_y/relu_b)
      return y=twice_y/add_c
      """);
  }

  @Test
  void functionsCallFunctionsWithTheirAttributes() {
    AttributeProto slope = reference("slope", "alpha", AttributeType.FLOAT);
    AttributeProto alpha = reference("alpha", "slope", AttributeType.FLOAT);
    FunctionProto inner = function("Leaky", "a -> b", node("b = LeakyRelu(a)", alpha)).toBuilder()
      .addAttribute("slope")
      .build();
    FunctionProto outer = function("Outer", "a -> b", call("h = Leaky(a)", slope), call("b = Leaky(h)"));
    FunctionProto withDefault = outer.toBuilder().addAttributeProto(real("alpha", 0.25f)).build();
    assertGraph(model(16, List.of(inner, withDefault), call("h = Outer(x)", real("alpha", 0.5f)),
      call("y = Outer(h)")), """
        x = input float32[2]
        outer_h/leaky_h/leakyrelu_b = LeakyRelu{alpha=0.5}(x)
        outer_h/leaky_b/leakyrelu_b = LeakyRelu(outer_h/leaky_h/leakyrelu_b)
        outer_y/leaky_h/leakyrelu_b = LeakyRelu{alpha=0.25}(outer_h/leaky_b/leakyrelu_b)
        outer_y/leaky_b/leakyrelu_b = LeakyRelu(outer_y/leaky_h/leakyrelu_b)
        return y=outer_y/leaky_b/leakyrelu_b
        """);
  }

  @Test
  void aLongNameIsNotRepeatedForEachNodeOfAFunction() {
    var body = new NodeProto[5000];
    for (int i = 0; i < body.length; i++) {
      body[i] = node((i == body.length - 1 ? "z" : "v" + i) + " = Relu(" + (i == 0 ? "a" : "v" + (i - 1)) + ")");
    }
    NodeProto once = call("y = Chain(x)").toBuilder().setName("n".repeat(1_000_000)).build();
    Graph graph = Models.read(model(13, List.of(function("Chain", "a -> z", body)), once), folder);
    List<String> names = graph.nodes().stream().map(Node::name).toList();
    assertEquals(5001, Set.copyOf(names).size(), "names differ all the same");
    assertTrue(names.stream().allMatch(name -> name.length() < 140), "the longest of a node in a function");
    assertTrue(names.getLast().endsWith("/relu_z"), names.getLast());
  }

  @Test
  void eachFunctionHasItsOwnOpset() {
    FunctionProto old = function("Old", "a -> b", node("b = Squeeze(a)", ints("axes", 0))).toBuilder()
      .clearOpsetImport()
      .addOpsetImport(Models.opset("", 11))
      .build();
    assertGraph(model(18, List.of(old), call("y = Old(x)")), """
      x = input float32[2]
      old_y/squeeze_b/axes = constant int64[1]
      old_y/squeeze_b = Squeeze(x, old_y/squeeze_b/axes)
      return y=old_y/squeeze_b
      """);
  }

  @Test
  void inputsMayBeLeftOutAndResultsUnused() {
    FunctionProto bounds = function("Bounds", "a, low, high -> b, c", node("b = Clip(a, low, high)"),
      node("c = Neg(a)"));
    assertGraph(model(13, List.of(bounds), call("y = Bounds(x)")), """
      x = input float32[2]
      bounds_y/clip_b = Clip(x)
      return y=bounds_y/clip_b
      """);
  }

  @Test
  void resultsThatAreInputsOrComeTwiceAreCopied() {
    FunctionProto pass = function("Pass", "a -> a, b, b", node("b = Neg(a)"));
    assertGraph(model(13, List.of(pass), call("p, q, r = Pass(x)"), node("s = Add(p, q)"), node("y = Add(s, r)")), """
      x = input float32[2]
      p = Identity(x)
      pass_p/neg_b = Neg(x)
      add_s = Add(p, pass_p/neg_b)
      r = Identity(pass_p/neg_b)
      add_y = Add(add_s, r)
      return y=add_y
      """);
  }

  @Test
  void valuesInsideDoNotMeetThoseOutside() {
    FunctionProto function = function("F", "a -> c", node("b = Relu(a)"), node("c = Abs(b)"));
    assertGraph(model(13, List.of(function), node("f_y/b = Neg(x)"),
      call("h = F(f_y/b)").toBuilder().setName("f_y").build(),
      node("y = Add(h, f_y/b)")), """
        x = input float32[2]
        neg_f_y/b = Neg(x)
        f_y/relu_b = Relu(neg_f_y/b)
        f_y/abs_c = Abs(f_y/relu_b)
        add_y = Add(f_y/abs_c, neg_f_y/b)
        return y=add_y
        """);
  }

  @Test
  void overloadsAreFunctionsOfTheirOwn() {
    FunctionProto one = function("F", "a -> b", node("b = Relu(a)"));
    FunctionProto other = function("F", "a -> b", node("b = Neg(a)")).toBuilder().setOverload("neg").build();
    NodeProto call = call("y = F(x)").toBuilder().setOverload("neg").build();
    assertGraph(model(13, List.of(one, other), call), """
      x = input float32[2]
      f_y/neg_b = Neg(x)
      return y=f_y/neg_b
      """);
  }

  @Test
  void gapsInsideFunctionsAreNamedByTheCall() {
    FunctionProto strange = function("Strange", "a -> b", node("b = Unheard(a)"));
    var error = assertThrows(UnsupportedOperators.class,
      () -> read(model(13, List.of(strange), call("h = Strange(x)"), call("y = Strange(h)"))));
    assertEquals(List.of("strange_h/unheard_b", "strange_y/unheard_b"),
      error.gaps().stream().map(gap -> gap.node()).toList());
  }

  @Test
  void wrongCallsAreErrors() {
    FunctionProto one = function("One", "a -> b", node("b = Relu(a)"));
    assertInvalid("more inputs or results", model(13, List.of(one), call("y = One(x, x)")));
    assertInvalid("more inputs or results", model(13, List.of(one), call("y, z = One(x)")));
    assertInvalid("two functions have one name", model(13, List.of(one, one), call("y = One(x)")));
    assertInvalid("reads an undefined value: node=bad_y/relu_b",
      model(13, List.of(function("Bad", "a -> b", node("b = Relu(x)"))), call("y = Bad(x)")));
    assertInvalid("an attribute outside of a function refers to a function's: node=leakyrelu_y",
      model(13, List.of(), node("y = LeakyRelu(x)", reference("alpha", "slope", AttributeType.FLOAT))));
    assertInvalid("an output is undefined",
      model(13, List.of(function("Empty", "a -> b")), call("y = Empty(x)")));
    assertInvalid("which opset it uses",
      model(13, List.of(one.toBuilder().clearOpsetImport().build()), call("y = One(x)")));
  }

  @Test
  void recursionIsAnError() {
    FunctionProto self = function("Self", "a -> b", call("b = Self(a)"));
    assertInvalid("a function calls itself", model(13, List.of(self), call("y = Self(x)")));
    FunctionProto ping = function("Ping", "a -> b", call("b = Pong(a)"));
    FunctionProto pong = function("Pong", "a -> b", call("b = Ping(a)"));
    assertInvalid("chain=[local::Ping, local::Pong]", model(13, List.of(ping, pong), call("y = Ping(x)")));
  }

  /** Each function calls the one before twice. */
  @Tag("long")
  @Test
  void fewLinesCannotFillTheMemory() {
    var functions = new ArrayList<FunctionProto>();
    functions.add(function("F0", "a -> b"));
    for (int i = 1; i <= 60; i++) {
      String call = "F" + (i - 1) + "(a)";
      functions.add(function("F" + i, "a -> b", call("c = " + call), call("b = " + call)));
    }
    assertInvalid("too many nodes", model(13, functions, call("y = F60(x)")));
  }

  @Test
  void callsOfCallsHaveALimit() {
    var functions = new ArrayList<FunctionProto>();
    functions.add(function("F0", "a -> b"));
    for (int i = 1; i <= 200; i++) {
      functions.add(function("F" + i, "a -> b", call("b = F" + (i - 1) + "(a)")));
    }
    assertInvalid("nested too deeply", model(13, functions, call("y = F200(x)")));
  }

  /** A function from {@code "a, b -> c"}, of opset 13 and of the local domain. */
  private static FunctionProto function(String name, String signature, NodeProto... body) {
    List<String> sides = List.of(signature.split(" -> ", -1));
    return FunctionProto.newBuilder()
      .setName(name)
      .setDomain(DOMAIN)
      .addAllInput(List.of(sides.get(0).split(", ", -1)))
      .addAllOutput(List.of(sides.get(1).split(", ", -1)))
      .addOpsetImport(Models.opset("", 13))
      .addOpsetImport(Models.opset(DOMAIN, 1))
      .addAllNode(List.of(body))
      .build();
  }

  private static NodeProto call(String text, AttributeProto... attributes) {
    return node(text, attributes).toBuilder().setDomain(DOMAIN).build();
  }

  private static AttributeProto reference(String name, String to, AttributeType type) {
    return AttributeProto.newBuilder().setName(name).setRefAttrName(to).setType(type).build();
  }

  private static ModelProto model(long opset, List<FunctionProto> functions, NodeProto... nodes) {
    return Models.model(opset, new long[] {2}, nodes).toBuilder()
      .addOpsetImport(Models.opset(DOMAIN, 1))
      .addAllFunctions(functions)
      .build();
  }

  private Graph read(ModelProto model) {
    return Models.read(model, folder);
  }

  private void assertGraph(ModelProto model, String text) {
    assertEquals(text, read(model).toString());
  }

  private void assertInvalid(String part, ModelProto model) {
    assertSays(assertThrows(InvalidModel.class, () -> read(model)), part);
  }
}
