package dev.cairn.runtime.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** ONNX Runtime's opinion on a model file. */
final class Oracle {
  private static final OrtEnvironment ENVIRONMENT = OrtEnvironment
    .getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);

  private Oracle() {}

  /** Runs a model once; the outputs in the model's order. */
  static List<TensorView> run(Path model, Map<String, TensorView> inputs) throws OrtException {
    Map<String, OnnxTensor> given = new HashMap<>();
    try (var options = new OrtSession.SessionOptions()) {
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.NO_OPT);
      try (OrtSession session = ENVIRONMENT.createSession(model.toString(), options)) {
        for (var input : inputs.entrySet()) {
          given.put(input.getKey(), tensor(input.getValue()));
        }
        try (OrtSession.Result result = session.run(given)) {
          List<TensorView> outputs = new ArrayList<>();
          for (var output : result) {
            outputs.add(view((OnnxTensor) output.getValue()));
          }
          return outputs;
        }
      }
    } finally {
      given.values().forEach(OnnxTensor::close);
    }
  }

  private static OnnxTensor tensor(TensorView view) throws OrtException {
    if (view.dtype() == DType.STRING) {
      return OnnxTensor.createTensor(ENVIRONMENT, StringElements.toArray(view), view.shape().extents());
    }
    byte[] bytes = view.segment().toArray(ValueLayout.JAVA_BYTE);
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).order(ByteOrder.nativeOrder()).put(bytes).flip();
    return OnnxTensor.createTensor(ENVIRONMENT, buffer, view.shape().extents(), javaType(view.dtype()));
  }

  private static OnnxJavaType javaType(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> OnnxJavaType.FLOAT;
      case FLOAT64 -> OnnxJavaType.DOUBLE;
      case FLOAT16 -> OnnxJavaType.FLOAT16;
      case BFLOAT16 -> OnnxJavaType.BFLOAT16;
      case INT8 -> OnnxJavaType.INT8;
      case INT16 -> OnnxJavaType.INT16;
      case INT32 -> OnnxJavaType.INT32;
      case INT64 -> OnnxJavaType.INT64;
      case UINT8 -> OnnxJavaType.UINT8;
      case BOOL -> OnnxJavaType.BOOL;
      default -> throw new UnsupportedOperationException("not in ONNX Runtime's Java interface");
    };
  }

  private static TensorView view(OnnxTensor tensor) throws OrtException {
    TensorInfo info = tensor.getInfo();
    if (info.type == OnnxJavaType.STRING) {
      return StringElements.of(Shape.of(info.getShape()), strings(tensor.getValue()).toList());
    }
    DType dtype = switch (info.type) {
      case FLOAT -> DType.FLOAT32;
      case DOUBLE -> DType.FLOAT64;
      case FLOAT16 -> DType.FLOAT16;
      case BFLOAT16 -> DType.BFLOAT16;
      case INT8 -> DType.INT8;
      case INT16 -> DType.INT16;
      case INT32 -> DType.INT32;
      case INT64 -> DType.INT64;
      case UINT8 -> DType.UINT8;
      case BOOL -> DType.BOOL;
      case STRING, UNKNOWN -> throw new UnsupportedOperationException("not a tensor of numbers: " + info.type);
    };
    ByteBuffer buffer = tensor.getByteBuffer();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return new TensorView(new TensorType(dtype, Shape.of(info.getShape())), MemorySegment.ofArray(bytes));
  }

  /** The strings of nested arrays, or one. */
  private static Stream<String> strings(Object value) {
    return value instanceof Object[] array
      ? Arrays.stream(array).flatMap(Oracle::strings)
      : Stream.of((String) value);
  }
}
