package dev.cairn.runtime.pass.attention;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.runtime.pass.PassText;
import org.junit.jupiter.api.Test;

class MergeHeadsPassTest {
  private static final String APART = """
    a = input float32[2x3x4x5]
    b = input float32[2x6x2x5]
    c = input float32[2x6x2x7]
    q = Transpose{perm=[0,2,1,3]}(a)
    k = Transpose{perm=[0,2,1,3]}(b)
    v = Transpose{perm=[0,2,1,3]}(c)
    h = Attention{is_causal=1}(q, k, v)
    """;
  private final MergeHeadsPass pass = new MergeHeadsPass();

  @Test
  void readsHeadsWhereTheyLie() {
    assertEquals("""
      a = input float32[2x3x4x5]
      b = input float32[2x6x2x5]
      c = input float32[2x6x2x7]
      h/merged/shape = constant int64[3]
      h/merged = Reshape(a, h/merged/shape)
      h/merged_1/shape = constant int64[3]
      h/merged_1 = Reshape(b, h/merged_1/shape)
      h/merged_2/shape = constant int64[3]
      h/merged_2 = Reshape(c, h/merged_2/shape)
      h = Attention{is_causal=1, kv_num_heads=2, q_num_heads=4}(h/merged, h/merged_1, h/merged_2)
      y/shape = constant int64[4]
      y = Reshape(h, y/shape)
      return y=y
      """, PassText.after(pass, APART + "y = Transpose{perm=[0,2,1,3]}(h)\nreturn y=y\n"));
  }

  @Test
  void doesNotFireUnlessAllAreTransposedSoAndReadOnce() {
    assertTrue(PassText.leaves(pass, APART + "y = Transpose{perm=[0,2,1,3]}(h)\nreturn y=y, h=h\n"));
    assertTrue(PassText.leaves(pass, APART + "y = Transpose{perm=[0,1,3,2]}(h)\nreturn y=y\n"));
    assertTrue(PassText.leaves(pass, APART + "return y=h\n"));
    assertTrue(PassText.leaves(pass, APART.replace("k = Transpose{perm=[0,2,1,3]}(b)", "k = Relu(b)").replace(
      "b = input float32[2x6x2x5]", "b = input float32[2x2x6x5]") + "y = Transpose{perm=[0,2,1,3]}(h)\nreturn y=y\n"));
  }
}
