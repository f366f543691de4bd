package dev.cairn.runtime.pass.attention;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.runtime.pass.PassText;
import org.junit.jupiter.api.Test;

class FuseAttentionPassTest {
  private static final String PRODUCT = """
    q = input float32[1x2x3x4]
    b = input float32[1x2x3x4]
    v = input float32[1x2x3x5]
    other = input float32[1x1x1x3]
    flags = input bool[1x1x3x3]
    eight = constant float32:[8] as scalar
    far = constant float32:[-1000000000] as scalar
    near = constant float32:[-5] as scalar
    k = Transpose{perm=[0,1,3,2]}(b)
    p = MatMul(q, k)
    """;
  private final FuseAttentionPass pass = new FuseAttentionPass();

  private static String text(String rest) {
    return PRODUCT.replace(" as scalar", "") + rest;
  }

  private String after(String rest) {
    return PassText.after(pass, text(rest)).lines().filter(line -> !line.contains("= input ") && !line.contains(
      "= constant ")).reduce("", (a, b) -> a + b + "\n");
  }

  @Test
  void takesUpScaleAndAddedMask() {
    assertEquals("""
      y = Attention{nan_when_masked=1, scale=0.125}(q, b, v, other)
      return y=y
      """, after("""
      s = Div(p, eight)
      m = Add(s, other)
      w = Softmax{axis=-1}(m)
      y = MatMul(w, v)
      return y=y
      """));
    assertEquals("""
      y = Attention{nan_when_masked=1, scale=8.0}(q, b, v, other)
      return y=y
      """, after("""
      s = Mul(eight, p)
      m = Add(other, s)
      w = Softmax{axis=3}(m)
      y = MatMul(w, v)
      return y=y
      """));
  }

  @Test
  void withoutScaleAndMaskTheScoresAreTheProducts() {
    assertEquals("""
      y = Attention{nan_when_masked=1, scale=1.0}(q, b, v)
      return y=y
      """, after("""
      w = Softmax(p)
      y = MatMul(w, v)
      return y=y
      """));
  }

  @Test
  void keysThatWereNotTransposedAreSo() {
    assertEquals("""
      y/keys = Transpose{perm=[0,1,3,2]}(k)
      y = Attention{nan_when_masked=1, scale=1.0}(q, y/keys, v)
      return y=y
      """, PassText.after(pass, """
      q = input float32[1x2x3x4]
      k = input float32[1x2x4x3]
      v = input float32[1x2x3x5]
      p = MatMul(q, k)
      w = Softmax(p)
      y = MatMul(w, v)
      return y=y
      """).lines().filter(line -> !line.contains("= input ")).reduce("", (a, b) -> a + b + "\n"));
  }

  @Test
  void aConditionThatIsStillToBeComputedIsNoTriangle() {
    // Only a computed constant counts; a deferred one is a condition like any other.
    assertTrue(after("""
      t = constant bool:[1,0,0,1,1,0,1,1,1]
      shape = constant int64:[1,1,3,3]
      r = Reshape(t, shape)
      m = Where(r, p, far)
      w = Softmax(m)
      y = MatMul(w, v)
      return y=y
      """).contains("y/mask = Where(r, y/nothing, far)"));
  }

  @Test
  void whatAConditionLeavesOutIsAdded() {
    assertEquals("""
      y/mask = Where(flags, y/nothing, far)
      y = Attention{nan_when_masked=1, scale=1.0}(q, b, v, y/mask)
      return y=y
      """, after("""
      m = Where(flags, p, far)
      w = Softmax(m)
      y = MatMul(w, v)
      return y=y
      """));
    assertEquals("""
      y/mask = Where(flags, far, y/nothing)
      y = Attention{nan_when_masked=1, scale=1.0}(q, b, v, y/mask)
      return y=y
      """, after("""
      m = Where(flags, far, p)
      w = Softmax(m)
      y = MatMul(w, v)
      return y=y
      """));
  }

  private static final String TRIANGLE = "t = constant bool:[1,0,0,1,1,0,1,1,1] as 1x1x3x3\n";

  @Test
  void aTriangleAloneOrOfMinusInfinityIsCausal() {
    assertEquals("y = Attention{is_causal=1, nan_when_masked=1, scale=1.0}(q, b, v)\nreturn y=y\n", after(TRIANGLE + """
      m = Where(t, p, far)
      w = Softmax(m)
      y = MatMul(w, v)
      return y=y
      """));
    String infinite = TRIANGLE + "never = constant float32:[-Infinity]\n";
    for (String masks : new String[] {"m = Where(t, p, never)\nn = Add(m, other)\n",
      "m = Add(p, other)\nn = Where(t, m, never)\n"}) {
      String fused = "y = Attention{is_causal=1, nan_when_masked=1, scale=1.0}(q, b, v, other)\nreturn y=y\n";
      assertEquals(fused, after(infinite + masks + """
        w = Softmax(n)
        y = MatMul(w, v)
        return y=y
        """));
    }
  }

  @Test
  void aTriangleOfNumbersBesideAnotherMaskIsAdded() {
    assertEquals("""
      y/mask = Where(t, y/nothing, far)
      y/mask_1 = Add(y/mask, other)
      y = Attention{nan_when_masked=1, scale=1.0}(q, b, v, y/mask_1)
      return y=y
      """, after(TRIANGLE + """
      m = Where(t, p, far)
      n = Add(m, other)
      w = Softmax(n)
      y = MatMul(w, v)
      return y=y
      """));
    assertEquals("""
      y/mask = Where(t, other, far)
      y = Attention{nan_when_masked=1, scale=1.0}(q, b, v, y/mask)
      return y=y
      """, after(TRIANGLE + """
      m = Add(p, other)
      n = Where(t, m, far)
      w = Softmax(n)
      y = MatMul(w, v)
      return y=y
      """));
    assertEquals("""
      y/mask = Where(t, y/nothing, far)
      y/mask_1 = Where(flags, y/mask, never)
      y = Attention{nan_when_masked=1, scale=1.0}(q, b, v, y/mask_1)
      return y=y
      """, after(TRIANGLE + """
      never = constant float32:[-Infinity]
      m = Where(t, p, far)
      n = Where(flags, m, never)
      w = Softmax(n)
      y = MatMul(w, v)
      return y=y
      """));
  }

  private String afterOfOneHead(String masks) {
    return PassText.after(pass, """
      q = input float32[2x3x4]
      b = input float32[2x5x4]
      v = input float32[2x5x6]
      each = input float32[2x1x5]
      all = input float32[1x3x5]
      flags = input bool[2x3x1]
      far = constant float32:[-1000000000]
      k = Transpose{perm=[0,2,1]}(b)
      p = MatMul(q, k)
      %s
      w = Softmax{axis=2}(m)
      y = MatMul(w, v)
      return y=y
      """.formatted(masks)).lines().filter(line -> !line.contains("= input ") && !line.contains("far = constant"))
      .reduce("", (a, b) -> a + b + "\n");
  }

  @Test
  void withoutAnAxisForHeadsThereIsOne() {
    // The mask may have one text here and several in the graph of another batch, which is to have the same nodes.
    assertEquals("""
      y/head/shape = constant int64[4]
      y/head = Reshape(all, y/head/shape)
      y = Attention{kv_num_heads=1, nan_when_masked=1, q_num_heads=1, scale=1.0}(q, b, v, y/head)
      return y=y
      """, afterOfOneHead("m = Add(p, all)"));
    assertTrue(PassText.after(pass, """
      q = input float32[2x3x4]
      k = input float32[2x4x3]
      p = MatMul(q, k)
      w = Softmax(p)
      y = MatMul(w, q)
      return y=y
      """).contains("y/keys = Transpose{perm=[0,2,1]}(k)"));
  }

  /** Without this axis the first axis of the mask would count heads. */
  @Test
  void aMaskOfEachTextGetsAnAxisForTheHead() {
    assertEquals("""
      y/head/shape = constant int64[4]
      y/head = Reshape(each, y/head/shape)
      y = Attention{kv_num_heads=1, nan_when_masked=1, q_num_heads=1, scale=1.0}(q, b, v, y/head)
      return y=y
      """, afterOfOneHead("m = Add(p, each)"));
    assertEquals("""
      y/nothing = constant float32[scalar]
      y/mask = Where(flags, y/nothing, far)
      y/head/shape = constant int64[4]
      y/head = Reshape(y/mask, y/head/shape)
      y = Attention{kv_num_heads=1, nan_when_masked=1, q_num_heads=1, scale=1.0}(q, b, v, y/head)
      return y=y
      """, afterOfOneHead("m = Where(flags, p, far)"));
  }

  private void leaves(String rest) {
    assertTrue(PassText.leaves(pass, text(rest)), rest);
  }

  @Test
  void doesNotFireWhereSomethingInBetweenIsReadElsewhere() {
    leaves("w = Softmax(p)\ny = MatMul(w, v)\nreturn y=y, w=w\n");
    leaves("w = Softmax(p)\ny = MatMul(w, v)\nreturn y=y, p=p\n");
    leaves("s = Div(p, eight)\nw = Softmax(s)\ny = MatMul(w, v)\nz = Relu(s)\nreturn y=y, z=z\n");
    leaves("s = Div(p, eight)\nm = Add(s, s)\nw = Softmax(m)\ny = MatMul(w, v)\nreturn y=y\n");
  }

  @Test
  void doesNotFireOnAnotherPattern() {
    leaves("w = Softmax{axis=2}(p)\ny = MatMul(w, v)\nreturn y=y\n");
    leaves("m = Where(flags, p, near)\nw = Softmax(m)\ny = MatMul(w, v)\nreturn y=y\n");
    leaves("s = Div(eight, p)\nw = Softmax(s)\ny = MatMul(w, v)\nreturn y=y\n");
    leaves("s = Mul(p, other)\nw = Softmax(s)\ny = MatMul(w, v)\nreturn y=y\n");
    leaves("m = Add(p, other)\nn = Add(m, other)\nw = Softmax(n)\ny = MatMul(w, v)\nreturn y=y\n");
    leaves("w = Softmax(p)\nu = Transpose(v)\nz = Transpose(u)\ny = MatMul(w, w)\nreturn y=y, z=z\n");
  }

  @Test
  void doesNotFireOnOperandsThatNoKernelServes() {
    for (String shapes : new String[] {"float64 1x2x3x4 1x2x4x3 1x2x3x5", "float32 1x2x3x257 1x2x257x3 1x2x3x5",
      "float32 1x2x3x4 1x1x4x3 1x2x3x5", "float32 1x2x0x4 1x2x4x3 1x2x3x5", "float32 3x4 4x3 3x5",
      "float32 2x3x4 1x4x3 2x3x5", "float32 2x3x4 2x4x3 3x5", "float32 2x3x257 2x257x3 2x3x5",
      "float64 2x3x4 2x4x3 2x3x5",
      "float32 1x1x1x3x4 1x1x1x4x3 1x1x1x3x5"}) {
      String[] part = shapes.split(" ");
      assertTrue(PassText.leaves(pass, """
        q = input %1$s[%2$s]
        k = input %1$s[%3$s]
        v = input %1$s[%4$s]
        p = MatMul(q, k)
        w = Softmax(p)
        y = MatMul(w, v)
        return y=y
        """.formatted((Object[]) part)), shapes);
    }
  }
}
