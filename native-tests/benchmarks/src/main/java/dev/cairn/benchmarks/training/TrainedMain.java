package dev.cairn.benchmarks.training;

import dev.cairn.benchmarks.harness.Warmup;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.zoo.Zoo;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Trains a network of the zoo, as far as standard input asks: the process that {@link TrainedProcess} starts. */
final class TrainedMain {
  private static final Path STATUS = Path.of("/proc/self/status");
  /** Writing 5 there makes the present resident memory the highest so far. */
  private static final Path CLEAR = Path.of("/proc/self/clear_refs");
  private static final int CLASSES = 1_000;

  private TrainedMain() {}

  /** @param words model and batch */
  public static void main(String[] words) throws IOException {
    int batch = Integer.parseInt(words[1]);
    boolean isLenet = words[0].equals("lenet");
    Shape shape = isLenet ? Shape.of(batch, 1, 28, 28) : Shape.of(batch, 3, 224, 224);
    float[] pixels = new float[Math.toIntExact(shape.elementCount())];
    long[] classes = new long[batch];
    var random = new Random(1);
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = random.nextFloat();
    }
    for (int i = 0; i < batch; i++) {
      classes[i] = random.nextInt(isLenet ? 10 : CLASSES);
    }
    Files.writeString(CLEAR, "5");
    long before = kibibytes("VmRSS");
    try (Trainer trainer = Trainer.of(Zoo.classifier(words[0], isLenet ? 10 : CLASSES), Losses.softmaxCrossEntropy(),
      Optimizers.sgd(0.9).rate(1e-3), TrainerOptions.DEFAULT.withSession(SessionOptions.DEFAULT.withThreads(2)));
      Tensor data = Tensor.of(pixels, shape.extents());
      Tensor labels = Tensor.of(classes, batch);
      var questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      PrintStream answers = System.out;
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        answers.println(switch (line) {
          case "grown" -> (kibibytes("VmHWM") - before) / 1024.0;
          case "warm up" -> warmedUp(trainer, data, labels);
          default -> iterated(trainer, data, labels, Integer.parseInt(line.split(" ", -1)[1]));
        });
        answers.flush();
      }
    }
  }

  private static double warmedUp(Trainer trainer, Tensor data, Tensor labels) {
    Warmup.untilCompiled(() -> iterated(trainer, data, labels, 1));
    return 0;
  }

  private static double iterated(Trainer trainer, Tensor data, Tensor labels, int count) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      if (!Double.isFinite(trainer.iterate(data, labels))) {
        throw new IllegalStateException("the loss is not finite");
      }
    }
    return (System.nanoTime() - start) / 1e6 / count;
  }

  private static long kibibytes(String name) throws IOException {
    return Files.readAllLines(STATUS).stream().filter(it -> it.startsWith(name + ":")).mapToLong(it -> Long.parseLong(it
      .replaceAll("[^0-9]", ""))).findFirst().orElseThrow();
  }
}
