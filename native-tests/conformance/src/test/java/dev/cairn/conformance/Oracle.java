package dev.cairn.conformance;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxSparseTensor;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** ONNX Runtime's opinion on a model file. One file opened; closing lets go of it. */
final class Oracle implements AutoCloseable {
  /**
   * While it starts, ONNX Runtime 1.29 matches this process's command line against regular expressions by recursion,
   * a thousand frames for each kilobyte, for its telemetry; with a long class path that is more than a usual thread's
   * stack holds.
   */
  private static final long STACK_BYTES = 64L << 20;

  private static final OrtEnvironment ENVIRONMENT = environment();

  private final OrtSession session;

  private Oracle(OrtSession session) {
    this.session = session;
  }

  private static OrtEnvironment environment() {
    var start = new Start(new CompletableFuture<>());
    Thread.ofPlatform().name("oracle-start").stackSize(STACK_BYTES).start(start);
    return start.made().join();
  }

  /**
   * A class of its own, not a lambda: the thread must not wait for this class, which waits for the thread while it is
   * initialised.
   */
  private record Start(CompletableFuture<OrtEnvironment> made) implements Runnable {
    @Override
    public void run() {
      try {
        OrtEnvironment environment = OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
        environment.setTelemetry(false);
        made.complete(environment);
      } catch (OrtException | RuntimeException | Error e) {
        made.completeExceptionally(e);
      }
    }
  }

  /** @throws OrtException when ONNX Runtime does not load the model, or has no kernel for it */
  static Oracle open(Path model) throws OrtException {
    return open(model, OrtSession.SessionOptions.OptLevel.ALL_OPT);
  }

  /** Like {@link #open}, with every operator as it is written. */
  static Oracle openAsWritten(Path model) throws OrtException {
    return open(model, OrtSession.SessionOptions.OptLevel.NO_OPT);
  }

  private static Oracle open(Path model, OrtSession.SessionOptions.OptLevel level) throws OrtException {
    try (var options = new OrtSession.SessionOptions()) {
      options.setOptimizationLevel(level);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
      // More threads would wait for each other by spinning, on processors that other tests need.
      options.setIntraOpNumThreads(1);
      // Without it, processors of some generations add pairs of 8-bit products in 16 bits that saturate.
      options.addConfigEntry("session.x64quantprecision", "1");
      return new Oracle(ENVIRONMENT.createSession(model.toString(), options));
    }
  }

  /** The outputs by name, in the model's order, in memory of their own. */
  Map<String, TensorView> run(Map<String, TensorView> inputs) throws OrtException {
    return runWithSparse(inputs, "");
  }

  /** Like {@link #run}, with one input, a matrix of {@code float32}, given as a sparse tensor. */
  Map<String, TensorView> runWithSparse(Map<String, TensorView> inputs, String sparse) throws OrtException {
    Map<String, OnnxTensorLike> given = new HashMap<>();
    try {
      for (var input : inputs.entrySet()) {
        given.put(input.getKey(), input.getKey().equals(sparse)
          ? sparse(input.getValue())
          : tensor(input.getValue()));
      }
      try (OrtSession.Result result = session.run(given)) {
        Map<String, TensorView> outputs = new LinkedHashMap<>();
        for (var output : result) {
          outputs.put(output.getKey(), view((OnnxTensor) output.getValue()));
        }
        return outputs;
      }
    } finally {
      given.values().forEach(OnnxTensorLike::close);
    }
  }

  /** The elements that are not 0, and their places. */
  private static OnnxSparseTensor sparse(TensorView view) throws OrtException {
    long[] places = LongStream.range(0, view.elementCount()).filter(i -> view.doubleAt(i) != 0).toArray();
    FloatBuffer values = ByteBuffer.allocateDirect(places.length * Float.BYTES).order(ByteOrder.nativeOrder())
      .asFloatBuffer();
    LongBuffer indexes = ByteBuffer.allocateDirect(2 * places.length * Long.BYTES).order(ByteOrder.nativeOrder())
      .asLongBuffer();
    for (long place : places) {
      values.put((float) view.doubleAt(place));
      indexes.put(place / view.shape().extent(1)).put(place % view.shape().extent(1));
    }
    return OnnxSparseTensor.createSparseTensor(ENVIRONMENT, new OnnxSparseTensor.COOTensor(indexes.rewind(),
      new long[] {places.length, 2}, values.rewind(), view.shape().extents(), OnnxJavaType.FLOAT, places.length));
  }

  private static OnnxTensor tensor(TensorView view) throws OrtException {
    if (view.dtype() == DType.STRING) {
      return OnnxTensor.createTensor(ENVIRONMENT, StringElements.toArray(view), view.shape().extents());
    }
    ByteBuffer buffer = ByteBuffer.allocateDirect(Math.toIntExact(view.type().bytes())).order(ByteOrder.nativeOrder());
    MemorySegment.ofBuffer(buffer).copyFrom(view.segment());
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
      case STRING -> OnnxJavaType.STRING;
      default -> throw new IllegalArgumentException("not in its Java interface: dtype=" + dtype);
    };
  }

  private static TensorView view(OnnxTensor tensor) throws OrtException {
    if (tensor.getInfo().type == OnnxJavaType.STRING) {
      return StringElements.of(Shape.of(tensor.getInfo().getShape()), strings(tensor.getValue()).toList());
    }
    DType dtype = switch (tensor.getInfo().type) {
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
      case STRING, UNKNOWN -> throw new IllegalArgumentException("not numbers: type=" + tensor.getInfo().type);
    };
    ByteBuffer buffer = tensor.getByteBuffer();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return new TensorView(new TensorType(dtype, Shape.of(tensor.getInfo().getShape())), MemorySegment.ofArray(bytes));
  }

  /** The strings of nested arrays, or one. */
  private static Stream<String> strings(Object value) {
    return value instanceof Object[] array
      ? Arrays.stream(array).flatMap(Oracle::strings)
      : Stream.of((String) value);
  }

  @Override
  public void close() throws OrtException {
    session.close();
  }
}
