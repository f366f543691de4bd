package dev.cairn.langchain4j;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.session.ModelInfo;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A session whose model takes tokens, and the tokenizer that makes them. Thread-safe. */
final class TextEncoder implements AutoCloseable {
  private static final String IDS = "input_ids";
  private static final String MASK = "attention_mask";
  private static final String TYPES = "token_type_ids";
  private static final String TRACKING = "OPT_OUT_TRACKING";
  private final Session session;
  private final HuggingFaceTokenizer tokenizer;
  private final EncoderOptions options;
  private final Map<String, DeclaredType> inputs;
  private final String output;
  /** Held for reading while the tokenizer works. */
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
  private boolean isClosed;

  private TextEncoder(Session session, HuggingFaceTokenizer tokenizer, EncoderOptions options,
    Function<ModelInfo, String> usualOutput) {
    this.session = session;
    this.tokenizer = tokenizer;
    this.options = options;
    ModelInfo info = session.info();
    this.inputs = info.inputs();
    if (!inputs.containsKey(IDS) || !Set.of(IDS, MASK, TYPES).containsAll(inputs.keySet())) {
      throw new IllegalArgumentException(("not a model of tokens: it must take %s, may take %s and %s, nothing else:"
        + " model=%s inputs=%s").formatted(IDS, MASK, TYPES, info.name(), inputs.keySet()));
    }
    this.output = options.output().orElseGet(() -> usualOutput.apply(info));
    if (!info.outputs().contains(output)) {
      throw new IllegalArgumentException("no such output: name=%s outputs=%s".formatted(output, info.outputs()));
    }
  }

  /**
   * @param tokenizer the file {@code tokenizer.json}, or its folder
   * @param usualOutput the output to read where the options name none
   */
  static TextEncoder open(Path model, Path tokenizer, EncoderOptions options,
    Function<ModelInfo, String> usualOutput) {
    HuggingFaceTokenizer words = tokenizer(tokenizer, options.maxTokens());
    Session session = null;
    try {
      session = Session.open(model, options.session());
      return new TextEncoder(session, words, options, usualOutput);
    } catch (RuntimeException | Error e) {
      words.close();
      if (session != null) {
        session.close();
      }
      throw e;
    }
  }

  /** The library's own failures say what is wrong, but do not name the file. */
  private static HuggingFaceTokenizer tokenizer(Path file, int maxTokens) {
    optOutOfTracking();
    try {
      return HuggingFaceTokenizer.builder().optTokenizerPath(file).optTruncation(true).optPadding(false)
        .optMaxLength(maxTokens).build();
    } catch (IOException e) {
      throw new UncheckedIOException("the tokenizer cannot be read: file=" + file, e);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("the tokenizer cannot be read: file=%s reason=%s".formatted(file, e
        .getMessage()), e);
    }
  }

  /** DJL, which loads the tokenizer, would ask the network for the cloud it runs in, and report to its makers. */
  private static void optOutOfTracking() {
    if (System.getenv(TRACKING) == null && System.getProperty(TRACKING) == null) {
      System.setProperty(TRACKING, "true");
    }
  }

  Encoding tokens(String text) {
    return whileOpen(() -> tokenizer.encode(text));
  }

  Encoding tokens(String text, String pair) {
    return whileOpen(() -> tokenizer.encode(text, pair));
  }

  /** The tokenizer reads freed memory if it is closed while it encodes. */
  private Encoding whileOpen(Supplier<Encoding> encoding) {
    use.readLock().lock();
    try {
      if (isClosed) {
        throw new IllegalStateException("the model is closed: model=" + session.info().name());
      }
      Encoding made = encoding.get();
      if (made.getIds().length > options.maxTokens()) {
        throw new IllegalArgumentException("fewer tokens are allowed than the tokenizer adds: maxTokens=%d tokens=%d"
          .formatted(options.maxTokens(), made.getIds().length));
      }
      return made;
    } finally {
      use.readLock().unlock();
    }
  }

  /**
   * Runs the model over texts, those of similar length together.
   *
   * @param reader what to take from a batch: one for each text
   * @return one for each text, in their order
   */
  <T> List<T> run(List<Encoding> texts, Function<Batch, List<T>> reader) {
    List<Integer> order = IntStream.range(0, texts.size()).boxed()
      .sorted(Comparator.comparingInt(i -> texts.get(i).getIds().length)).toList();
    Map<Integer, T> found = new LinkedHashMap<>();
    int from = 0;
    while (from < order.size()) {
      List<Integer> part = order.subList(from, endOfBatch(texts, order, from));
      List<T> read = runOnce(part.stream().map(texts::get).toList(), reader);
      for (int i = 0; i < read.size(); i++) {
        found.put(part.get(i), read.get(i));
      }
      from += part.size();
    }
    return IntStream.range(0, texts.size()).mapToObj(i -> Objects.requireNonNull(found.get(i))).toList();
  }

  /** Texts of several lengths come together only where the model knows the padding. */
  private int endOfBatch(List<Encoding> texts, List<Integer> order, int from) {
    int tokens = texts.get(order.get(from)).getIds().length;
    int end = from + 1;
    while (end < order.size() && end - from < options.batchSize()
      && (inputs.containsKey(MASK) || texts.get(order.get(end)).getIds().length == tokens)) {
      end++;
    }
    return end;
  }

  /** The next of 8, 10, 12, 14, 16, 20, 24, 28, 32, 40 and so on, but no more than the most. */
  private int paddedLength(int tokens) {
    if (!options.padsLengths() || !inputs.containsKey(MASK)) {
      return tokens;
    }
    int step = Math.max(2, Integer.highestOneBit(Math.max(1, tokens - 1)) / 4);
    int padded = Math.max(8, (tokens + step - 1) / step * step);
    return Math.max(tokens, Math.min(padded, options.maxTokens()));
  }

  private <T> T runOnce(List<Encoding> texts, Function<Batch, T> reader) {
    int tokens = paddedLength(texts.stream().mapToInt(it -> it.getIds().length).max().orElseThrow());
    Map<String, Tensor> given = new LinkedHashMap<>();
    try {
      for (Map.Entry<String, DeclaredType> input : inputs.entrySet()) {
        given.put(input.getKey(), tensor(texts, tokens, of(input.getKey()), input.getValue()));
      }
      try (Result result = session.run(given)) {
        Tensor values = result.get(output);
        return reader.apply(new Batch(texts, output, values.shape(), FloatBuffer.wrap(values.toFloatArray())));
      }
    } finally {
      given.values().forEach(Tensor::close);
    }
  }

  private static Function<Encoding, long[]> of(String input) {
    return switch (input) {
      case IDS -> Encoding::getIds;
      case MASK -> Encoding::getAttentionMask;
      default -> Encoding::getTypeIds;
    };
  }

  private static Tensor tensor(List<Encoding> texts, int tokens, Function<Encoding, long[]> row, DeclaredType type) {
    long[] values = new long[texts.size() * tokens];
    for (int i = 0; i < texts.size(); i++) {
      long[] numbers = row.apply(texts.get(i));
      System.arraycopy(numbers, 0, values, i * tokens, numbers.length);
    }
    return type.dtype() == DType.INT32
      ? Tensor.of(IntStream.range(0, values.length).map(i -> (int) values[i]).toArray(), texts.size(), tokens)
      : Tensor.of(values, texts.size(), tokens);
  }

  /** The model's outputs for some texts. */
  record Batch(List<Encoding> texts, String output, Shape shape, FloatBuffer values) {
    /** A text's numbers: its row of a matrix, or one row for each of its tokens. */
    float[] row(int text, int token) {
      int width = Math.toIntExact(shape.extent(shape.rank() - 1));
      int tokens = shape.rank() == 2 ? 1 : Math.toIntExact(shape.extent(1));
      float[] row = new float[width];
      values.get((text * tokens + token) * width, row);
      return row;
    }

    /** @throws IllegalArgumentException when the output is neither one row a text nor one row a token */
    <T> List<T> each(Function<Integer, T> reader) {
      boolean isRows = (shape.rank() == 2 || shape.rank() == 3) && shape.extent(0) == texts.size();
      if (!isRows) {
        throw new IllegalArgumentException(("wanted one row for each text, or for each of its tokens: output=%s"
          + " shape=%s texts=%d; choose another output with EncoderOptions.withOutput")
          .formatted(output, shape, texts.size()));
      }
      List<T> found = new ArrayList<>();
      for (int i = 0; i < texts.size(); i++) {
        found.add(reader.apply(i));
      }
      return found;
    }
  }

  @Override
  public void close() {
    use.writeLock().lock();
    try {
      if (!isClosed) {
        isClosed = true;
        session.close();
        tokenizer.close();
      }
    } finally {
      use.writeLock().unlock();
    }
  }
}
