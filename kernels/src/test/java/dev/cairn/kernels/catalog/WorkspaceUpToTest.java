package dev.cairn.kernels.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scratch memory that is asked for the largest shapes is enough for random smaller ones. */
class WorkspaceUpToTest implements Rounds {
  private static final int ROUNDS = 4000;

  /** A call of an operator, by four extents. */
  enum Case {
    ATTENTION("Attention", 2, 700, 700, 80) {
      @Override
      KernelSignature of(DType dtype, int heads, int queries, int keys, int size) {
        return signature(Attributes.NONE, TensorType.of(dtype, 1, heads, queries, size), TensorType.of(dtype, 1, heads,
          queries, size), TensorType.of(dtype, 1, heads, keys, size), TensorType.of(dtype, 1, heads, keys, size));
      }
    },
    POOL("MaxPool", 2, 6, 90, 2000) {
      @Override
      KernelSignature of(DType dtype, int batch, int channels, int height, int width) {
        return signature(Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(3, 3)), TensorType.of(dtype, batch,
          channels, height, width), TensorType.of(dtype, batch, channels, height + 2, width + 2));
      }
    },
    DEPTHWISE("Conv", 2, 6, 90, 2000) {
      @Override
      KernelSignature of(DType dtype, int batch, int channels, int height, int width) {
        // Weights have no open extents.
        return signature(Attributes.NONE.with("group", 6), TensorType.of(dtype, batch, 6, height, width), TensorType.of(
          dtype, batch, 6, height + 2, width + 2), TensorType.of(dtype, 6, 1, 3, 3));
      }
    },
    CONVOLUTION("Conv", 5, 1, 90, 90) {
      @Override
      KernelSignature of(DType dtype, int batch, int one, int height, int width) {
        return signature(Attributes.NONE, TensorType.of(dtype, batch, 20, height, width), TensorType.of(dtype, batch, 9,
          height + 2, width + 2), TensorType.of(dtype, 20, 9, 3, 3));
      }
    },
    PRODUCT("MatMul", 5, 300, 3000, 300) {
      @Override
      KernelSignature of(DType dtype, int batch, int rows, int terms, int columns) {
        return signature(Attributes.NONE, TensorType.of(dtype, batch, rows, columns), TensorType.of(dtype, batch, rows,
          terms), TensorType.of(dtype, batch, terms, columns));
      }
    },
    /** The right side may have one matrix for all of the left. */
    SHARED_PRODUCT("MatMul", 12, 5, 3, 90) {
      @Override
      KernelSignature of(DType dtype, int batch, int rows, int matrices, int columns) {
        return signature(Attributes.NONE, TensorType.of(dtype, batch, rows, columns), TensorType.of(dtype, batch, rows,
          70), TensorType.of(dtype, matrices > 1 ? batch : 1, 70, columns));
      }
    };

    private final String operator;
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<Integer> most;

    Case(String operator, Integer... most) {
      this.operator = operator;
      this.most = List.of(most);
    }

    abstract KernelSignature of(DType dtype, int first, int second, int third, int fourth);

    private static KernelSignature signature(Attributes attributes, TensorType result, TensorType... inputs) {
      return new KernelSignature(List.of(inputs).stream().map(Optional::of).toList(), List.of(result), attributes);
    }

    private KernelSignature random(Random random, DType dtype, int[] upTo) {
      int[] extents = new int[upTo.length];
      for (int i = 0; i < extents.length; i++) {
        extents[i] = 1 + random.nextInt(upTo[i]);
      }
      System.arraycopy(extents, 0, upTo, 0, extents.length);
      return of(dtype, extents[0], extents[1], extents[2], extents[3]);
    }
  }

  private static Kernel kernel(Case of, KernelSignature signature) {
    return StandardKernels.catalog().find(of.operator, signature).orElseThrow().kernel();
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void whatIsEnoughForAShapeIsEnoughForSmallerOnes(Case of) {
    Random random = new Random(17);
    for (int round = 0; round < rounds(ROUNDS); round++) {
      DType dtype = round % 4 == 0 ? DType.FLOAT16 : DType.FLOAT32;
      int[] extents = of.most.stream().mapToInt(Integer::intValue).toArray();
      KernelSignature large = of.random(random, dtype, extents);
      long room = kernel(of, large).workspaceBytesUpTo(large);
      assertThat(room).as("%s", large).isGreaterThanOrEqualTo(kernel(of, large).workspaceBytes(large));
      KernelSignature small = of.random(random, dtype, extents);
      assertThat(room).as("%s %s", large, small).isGreaterThanOrEqualTo(kernel(of, small).workspaceBytes(small));
    }
  }
}
