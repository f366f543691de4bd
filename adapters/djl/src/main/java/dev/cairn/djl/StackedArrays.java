package dev.cairn.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.internal.NDArrayEx;
import ai.djl.ndarray.types.Shape;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;

/**
 * The operations that DJL's batchifiers need of an array beside its functions: to be stacked with others. The interface
 * has a hundred further methods, which are refused by name.
 */
final class StackedArrays {
  private StackedArrays() {}

  static NDArrayEx of(CairnNDArray first) {
    return (NDArrayEx) Proxy.newProxyInstance(NDArrayEx.class.getClassLoader(), new Class<?>[] {NDArrayEx.class}, (_,
      method, arguments) -> called(first, method, arguments));
  }

  private static Object called(CairnNDArray first, Method method, Object[] arguments) {
    if (method.getName().equals("stack") && arguments[0] instanceof NDList others) {
      int axis = arguments.length == 1 ? 0 : (int) arguments[1];
      if (axis == 0) {
        return stacked(first, others);
      }
    }
    if (method.getName().equals("getArray")) {
      return first;
    }
    throw new UnsupportedOperationException("arrays of engine Cairn lack this function; add an engine of DJL that has "
      + "it, such as PyTorch: function=" + method.getName());
  }

  private static NDArray stacked(CairnNDArray first, NDList others) {
    for (NDArray other : others) {
      if (!other.getShape().equals(first.getShape()) || other.getDataType() != first.getDataType()) {
        throw new IllegalArgumentException("arrays to stack differ: first=%s %s other=%s %s".formatted(first
          .getDataType(), first.getShape(), other.getDataType(), other.getShape()));
      }
    }
    var manager = (CairnNDManager) first.getManager();
    ByteBuffer row = first.toByteBuffer();
    ByteBuffer all = manager.allocateDirect(row.remaining() * (others.size() + 1)).put(row);
    others.forEach(other -> all.put(other.toByteBuffer()));
    return manager.over(all.rewind(), new Shape(others.size() + 1L).addAll(first.getShape()),
      first.getDataType());
  }
}
