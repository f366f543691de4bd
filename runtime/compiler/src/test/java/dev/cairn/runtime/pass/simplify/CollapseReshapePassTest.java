package dev.cairn.runtime.pass.simplify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.runtime.pass.PassText;
import org.junit.jupiter.api.Test;

class CollapseReshapePassTest {
  private final CollapseReshapePass pass = new CollapseReshapePass();

  @Test
  void joinsAChainIntoItsLast() {
    assertEquals("""
      x = input float32[2x3x4]
      c/shape = constant int64[2]
      c = Reshape(x, c/shape)
      return y=c
      """, PassText.after(pass, """
      x = input float32[2x3x4]
      s = constant int64:[6,4]
      i = constant int64:[0]
      a = Reshape(x, s)
      b = Unsqueeze(a, i)
      c = Flatten{axis=2}(b)
      return y=c
      """));
  }

  @Test
  void keepsAShapeInBetweenThatIsReadElsewhere() {
    assertEquals("""
      x = input float32[2x3]
      s = constant int64[1]
      a = Reshape(x, s)
      r = Relu(a)
      b/shape = constant int64[2]
      b = Reshape(x, b/shape)
      return r=r, y=b
      """, PassText.after(pass, """
      x = input float32[2x3]
      s = constant int64:[6]
      z = constant int64:[3,-1]
      a = Reshape(x, s)
      r = Relu(a)
      b = Reshape(a, z)
      return r=r, y=b
      """));
  }

  @Test
  void doesNotFireOnASingleShapeNorAcrossAnotherOperator() {
    assertTrue(PassText.leaves(pass, """
      x = input float32[2x3]
      s = constant int64:[6]
      a = Reshape(x, s)
      r = Softmax(a)
      b = Flatten{axis=0}(r)
      return y=b
      """));
  }

  @Test
  void movesAnActivationBeforeTheShape() {
    assertEquals("""
      x = input float32[2x3]
      r = Relu(x)
      b/shape = constant int64[2]
      b = Reshape(r, b/shape)
      return y=b
      """, PassText.after(pass, """
      x = input float32[2x3]
      s = constant int64:[6]
      a = Reshape(x, s)
      r = Relu(a)
      b = Flatten{axis=0}(r)
      return y=b
      """));
  }

  @Test
  void movesAFunctionThatChangesTheElementType() {
    assertEquals("""
      x = input float32[2x3]
      r = IsNaN(x)
      b/shape = constant int64[2]
      b = Reshape(r, b/shape)
      return y=b
      """, PassText.after(pass, """
      x = input float32[2x3]
      s = constant int64:[6]
      a = Reshape(x, s)
      r = IsNaN(a)
      b = Flatten{axis=0}(r)
      return y=b
      """));
  }

  @Test
  void keepsAnActivationThatIsReadElsewhere() {
    assertTrue(PassText.leaves(pass, """
      x = input float32[2x3]
      s = constant int64:[6]
      a = Reshape(x, s)
      r = Relu(a)
      b = Flatten{axis=0}(r)
      return r=r, y=b
      """));
  }

  @Test
  void doesNotFireWithoutElements() {
    assertTrue(PassText.leaves(pass, """
      x = input float32[0x3]
      s = constant int64:[3,0]
      a = Reshape{allowzero=1}(x, s)
      b = Flatten{axis=1}(a)
      return y=b
      """));
  }
}
