package dev.cairn.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.AbstractSymbolBlock;
import ai.djl.nn.ParameterList;
import ai.djl.training.ParameterStore;
import ai.djl.util.PairList;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.session.ModelInfo;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A session as a block. Its manager closes it. */
final class CairnSymbolBlock extends AbstractSymbolBlock implements AutoCloseable {
  private final Session session;
  private final ModelInfo info;

  CairnSymbolBlock(Session session, NDManager manager) {
    this.session = session;
    this.info = session.info();
    manager.attachInternal(UUID.randomUUID().toString(), this);
  }

  @Override
  protected NDList forwardInternal(ParameterStore parameterStore, NDList inputs, boolean training,
    @Nullable PairList<String, Object> params) {
    NDManager target = inputs.head().getManager();
    try (CairnNDManager scratch = CairnNDManager.SYSTEM.newSubManager(null)) {
      Map<String, Tensor> given = new LinkedHashMap<>();
      try {
        named(inputs).forEach((name, array) -> given.put(name, scratch.from(array).tensor()));
        try (Result result = session.run(given)) {
          return arrays(result, target);
        }
      } finally {
        given.values().forEach(Tensor::close);
      }
    }
  }

  /** By their names; arrays without one are the model's inputs in order. */
  private Map<String, NDArray> named(NDList inputs) {
    List<String> names = new ArrayList<>(info.inputs().keySet());
    boolean byName = inputs.stream().allMatch(it -> it.getName() != null);
    if (inputs.size() > names.size()) {
      throw new IllegalArgumentException("more arrays than inputs: arrays=%d inputs=%s".formatted(inputs.size(),
        names));
    }
    Map<String, NDArray> found = new LinkedHashMap<>();
    for (int i = 0; i < inputs.size(); i++) {
      found.put(byName ? inputs.get(i).getName() : names.get(i), inputs.get(i));
    }
    return found;
  }

  private NDList arrays(Result result, NDManager target) {
    var list = new NDList();
    for (String name : info.outputs()) {
      Tensor output = result.get(name);
      CairnNDManager own = target instanceof CairnNDManager it ? it : CairnNDManager.SYSTEM;
      ByteBuffer bytes = own.allocateDirect(Math.toIntExact(output.segment().byteSize()));
      bytes.put(output.segment().asByteBuffer()).rewind();
      CairnNDArray array = own.over(bytes, new Shape(output.shape().extents()), ArrayTypes.of(output.dtype()));
      array.setName(name);
      list.add(array);
    }
    return list;
  }

  @Override
  public PairList<String, Shape> describeInput() {
    return described(info.inputs());
  }

  @Override
  public PairList<String, Shape> describeOutput() {
    return described(info.outputTypes());
  }

  /** Open extents are -1. */
  private static PairList<String, Shape> described(Map<String, DeclaredType> types) {
    var list = new PairList<String, Shape>();
    types.forEach((name, type) -> list.add(name, new Shape(type.hasRank()
      ? type.dimensions().stream().mapToLong(
        it -> it instanceof Dimension.Fixed(long extent) ? extent : -1).toArray()
      : new long[] {-1})));
    return list;
  }

  @Override
  public ParameterList getDirectParameters() {
    return new ParameterList();
  }

  @Override
  public void removeLastBlock() {
    throw new UnsupportedOperationException("the blocks of an ONNX model cannot be removed");
  }

  @Override
  public void close() {
    session.close();
  }
}
