package dev.cairn.benchmarks.models;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * ONNX Runtime with its defaults (all graph optimisations, arena, spinning workers), but for the number of threads
 * that one operator may use, the caller's included. Operators run one after another, as in Cairn.
 */
public final class OrtUnderTest implements EngineUnderTest {
  private static final OrtEnvironment ENVIRONMENT = OrtEnvironment.getEnvironment(
    OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);

  private static final Map<DType, OnnxJavaType> TYPES = new EnumMap<>(Map.of(DType.FLOAT32, OnnxJavaType.FLOAT,
    DType.FLOAT64, OnnxJavaType.DOUBLE, DType.FLOAT16, OnnxJavaType.FLOAT16, DType.INT64, OnnxJavaType.INT64,
    DType.INT32, OnnxJavaType.INT32, DType.INT8, OnnxJavaType.INT8, DType.UINT8, OnnxJavaType.UINT8, DType.BOOL,
    OnnxJavaType.BOOL));

  private final OrtSession session;
  private final Map<String, OnnxTensor> bound = new LinkedHashMap<>();

  private OrtUnderTest(OrtSession session) {
    this.session = session;
  }

  /** Opens a model. */
  public static OrtUnderTest open(Path model, int threads) throws OrtException {
    try (var options = new OrtSession.SessionOptions()) {
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      options.setIntraOpNumThreads(threads);
      options.setInterOpNumThreads(1);
      return new OrtUnderTest(ENVIRONMENT.createSession(model.toString(), options));
    }
  }

  @Override
  public Map<String, TensorType> inputs() throws OrtException {
    Map<String, TensorType> types = new LinkedHashMap<>();
    for (Map.Entry<String, NodeInfo> input : session.getInputInfo().entrySet()) {
      if (!(input.getValue().getInfo() instanceof TensorInfo tensor)) {
        throw new IllegalArgumentException("an input is not a tensor: input=" + input.getValue());
      }
      types.put(input.getKey(), new TensorType(dtype(tensor.type), Shape.of(tensor.getShape())));
    }
    return types;
  }

  @Override
  public void bind(Map<String, TensorView> inputs) throws OrtException {
    for (Map.Entry<String, TensorView> input : inputs.entrySet()) {
      TensorView view = input.getValue();
      bound.put(input.getKey(), OnnxTensor.createTensor(ENVIRONMENT,
        view.segment().asByteBuffer().order(ByteOrder.nativeOrder()), view.shape().extents(), javaType(view.dtype())));
    }
  }

  @Override
  public void run() throws OrtException {
    session.run(bound).close();
  }

  @Override
  public OutputDigest digest() throws OrtException {
    try (OrtSession.Result result = session.run(bound)) {
      List<TensorView> outputs = new ArrayList<>();
      for (var output : result) {
        var tensor = (OnnxTensor) output.getValue();
        var type = new TensorType(dtype(tensor.getInfo().type), Shape.of(tensor.getInfo().getShape()));
        outputs.add(new TensorView(type, MemorySegment.ofBuffer(tensor.getByteBuffer())));
      }
      return OutputDigest.of(outputs);
    }
  }

  private static DType dtype(OnnxJavaType type) {
    return TYPES.entrySet().stream().filter(it -> it.getValue() == type).map(Map.Entry::getKey).findFirst().orElseThrow(
      () -> new IllegalArgumentException("no model here has it: type=" + type));
  }

  private static OnnxJavaType javaType(DType dtype) {
    OnnxJavaType type = TYPES.get(dtype);
    if (type == null) {
      throw new IllegalArgumentException("no model here has it: dtype=" + dtype);
    }
    return type;
  }

  @Override
  public void close() throws OrtException {
    bound.values().forEach(OnnxTensor::close);
    session.close();
  }
}
