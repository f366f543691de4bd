package dev.cairn.benchmarks.busy;

import dev.cairn.benchmarks.harness.Warmup;
import dev.cairn.kernels.cpu.vector.VectorModule;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;

/** Does the works of {@link BusyWork} on a number of threads, as far as standard input asks. */
final class BusyMain {
  private static final int BATCH = 64;
  private static final int CLASSES = 10;
  private static final int SIDE = 256;
  private static final int PRODUCTS = 10;

  private BusyMain() {}

  /**
   * Answers milliseconds of each time that a work was done, in the mean, to a question such as {@code CHAIN 500}:
   * a work, and for how many milliseconds to do it; 0 means until the JVM compiles no more.
   *
   * @param words the number of threads
   */
  public static void main(String[] words) throws IOException {
    boolean _ = VectorModule.load();
    SessionOptions options = SessionOptions.DEFAULT.withThreads(Integer.parseInt(words[0]));
    var random = new Random(1);
    try (
      Trainer trainer = Trainer.of(Zoo.classifier("lenet", CLASSES), Losses.softmaxCrossEntropy(), Optimizers.sgd(0.9)
        .rate(1e-3), TrainerOptions.DEFAULT.withSession(options));
      Tensor images = Tensor.of(floats(BATCH * 28 * 28, random), BATCH, 1, 28, 28);
      Tensor labels = Tensor.of(random.longs(BATCH, 0, CLASSES).toArray(), BATCH);
      Session perceptron = Session.of(Zoo.build("mlp", ZooOptions.DEFAULT.withBatch(1)), options);
      Tensor row = Tensor.of(floats(784, random), 1, 784);
      Session chain = Session.of(chain(random), options);
      Tensor square = Tensor.of(floats(SIDE * SIDE, random), SIDE, SIDE);
      var questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      String input = perceptron.info().inputs().keySet().iterator().next();
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        String[] question = line.split(" ", -1);
        Runnable work = switch (BusyWork.valueOf(question[0])) {
          case TRAINING -> () -> trainer.iterate(images, labels);
          case PERCEPTRON -> () -> perceptron.run(Map.of(input, row)).close();
          case CHAIN -> () -> chain.run(Map.of("x", square)).close();
        };
        System.out.println(answer(work, Long.parseLong(question[1])));
        System.out.flush();
      }
    }
  }

  private static double answer(Runnable work, long millis) {
    if (millis == 0) {
      Warmup.untilCompiled(work::run);
      return 0;
    }
    long start = System.nanoTime();
    long count = 0;
    while (System.nanoTime() - start < millis * 1_000_000) {
      work.run();
      count++;
    }
    return (System.nanoTime() - start) / 1e6 / count;
  }

  private static Graph chain(Random random) {
    var builder = new GraphBuilder("chain");
    NodeEntry at = builder.input("x", TensorType.of(DType.FLOAT32, SIDE, SIDE));
    for (int i = 0; i < PRODUCTS; i++) {
      at = builder.apply("MatMul", at, builder.constant("w" + i, TensorView.ofFloats(Shape.of(SIDE, SIDE), floats(SIDE
        * SIDE, random))));
    }
    builder.output("y", at);
    return builder.build();
  }

  /** Small enough for a chain of products to stay near 1. */
  private static float[] floats(int count, Random random) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (random.nextFloat() - 0.5f) / 5;
    }
    return values;
  }
}
