package dev.cairn.runtime.pass.simplify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.runtime.pass.PassText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FuseSwishPassTest {
  private static final FuseSwishPass PASS = new FuseSwishPass();

  @ParameterizedTest
  @ValueSource(strings = {"Mul(t, s)", "Mul(s, t)"})
  void inEitherOrder(String product) {
    assertEquals("""
      x = input float32[2x3]
      t = Tanh(x)
      y = Swish(t)
      return y=y
      """, PassText.after(PASS, "x = input float32[2x3]\nt = Tanh(x)\ns = Sigmoid(t)\ny = " + product
      + "\nreturn y=y\n"));
  }

  @Test
  void ofOneSwishAnother() {
    assertEquals("""
      x = input float32[2x3]
      m = Swish(x)
      y = Swish(m)
      return y=y
      """, PassText.after(PASS, """
      x = input float32[2x3]
      s = Sigmoid(x)
      m = Mul(x, s)
      t = Sigmoid(m)
      y = Mul(t, m)
      return y=y
      """));
  }

  @ParameterizedTest
  @ValueSource(strings = {"s = Sigmoid(x); y = Mul(z, s)", "s = Sigmoid(x); m = Mul(x, s); y = Add(m, s)",
    "s = Sigmoid(x); y = Mul(s, s)", "s = Sigmoid(x); y = Add(x, s)", "s = Tanh(x); y = Mul(x, s)",
    "s = Sigmoid(x) # precision=float32; y = Mul(x, s)", "s = Sigmoid(x); y = Mul(x, s) # precision=float32",
    "s = Sigmoid(x) # cairn.repeat=never; y = Mul(x, s)", "s = Sigmoid(x); y = Mul(x, s) # cairn.repeat=never"})
  void notOfOthers(String nodes) {
    assertTrue(PassText.leaves(PASS, "x = input float32[2x3]\nz = input float32[2x3]\n" + nodes.replace("; ", "\n")
      + "\nreturn y=y\n"));
  }

  @Test
  void notOfASigmoidThatIsAResult() {
    assertTrue(PassText.leaves(PASS, "x = input float32[2x3]\ns = Sigmoid(x)\ny = Mul(x, s)\nreturn y=y, s=s\n"));
  }
}
