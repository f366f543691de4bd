package dev.cairn.langchain4j;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The same embeddings by ONNX Runtime: mean over the tokens, length 1. */
final class OrtEmbeddings implements AutoCloseable {
  /** ONNX Runtime 1.29 matches the command line by recursion when it starts, which a usual stack may not hold. */
  private static final long STACK_BYTES = 64L << 20;
  private final OrtEnvironment environment = environment();
  private final HuggingFaceTokenizer tokenizer;
  private final OrtSession session;

  OrtEmbeddings(Path model, HuggingFaceTokenizer tokenizer, int threads) throws OrtException {
    this(model, tokenizer, threads, OptLevel.ALL_OPT);
  }

  OrtEmbeddings(Path model, HuggingFaceTokenizer tokenizer, int threads, OptLevel level) throws OrtException {
    this.tokenizer = tokenizer;
    try (var options = new OrtSession.SessionOptions()) {
      options.setOptimizationLevel(level);
      options.setIntraOpNumThreads(threads);
      // Without it, processors of some generations add pairs of 8-bit products in 16 bits that saturate.
      options.addConfigEntry("session.x64quantprecision", "1");
      session = environment.createSession(model.toString(), options);
    }
  }

  private static OrtEnvironment environment() {
    var made = new CompletableFuture<OrtEnvironment>();
    Thread.ofPlatform().stackSize(STACK_BYTES).start(() -> {
      try {
        made.complete(OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL));
      } catch (RuntimeException | Error e) {
        made.completeExceptionally(e);
      }
    });
    return made.join();
  }

  float[] embed(String text) throws OrtException {
    Encoding tokens = tokenizer.encode(text);
    try (OnnxTensor ids = OnnxTensor.createTensor(environment, new long[][] {tokens.getIds()});
      OnnxTensor mask = OnnxTensor.createTensor(environment, new long[][] {tokens.getAttentionMask()});
      OrtSession.Result result = session.run(Map.of("input_ids", ids, "attention_mask", mask))) {
      FloatBuffer values = ((OnnxTensor) result.get(0)).getFloatBuffer();
      int width = values.remaining() / tokens.getIds().length;
      double[] sum = new double[width];
      for (int i = 0; values.hasRemaining(); i++) {
        sum[i % width] += values.get();
      }
      double square = 0;
      for (double value : sum) {
        square += value * value;
      }
      float[] vector = new float[width];
      for (int i = 0; i < width; i++) {
        vector[i] = (float) (sum[i] / Math.sqrt(square));
      }
      return vector;
    }
  }

  @Override
  public void close() throws OrtException {
    session.close();
  }
}
