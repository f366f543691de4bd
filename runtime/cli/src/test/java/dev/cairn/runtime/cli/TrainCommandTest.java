package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case 174: the digits are learned, from the command line. */
class TrainCommandTest {
  private static final Path DIGITS = ProductSources.ROOT.resolve("../shared/data/digits/digits.csv.gz");
  @TempDir
  Path folder;

  @BeforeEach
  void requireDigits() {
    assumeTrue(Files.exists(DIGITS), "no data: " + DIGITS);
  }

  private static Outcome train(String... words) {
    List<String> all = new ArrayList<>(List.of("train", "mlp", "--threads", "1", "--data", DIGITS.toString()));
    all.addAll(Arrays.asList(words));
    return Outcome.of(all.toArray()).unwrapped();
  }

  @Test
  void learnsTheDigits() {
    Outcome outcome = train("--widths", "64,128,10", "--epochs", "6", "--seed", "1");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    String last = outcome.out().lines().filter(it -> it.startsWith("6 ")).findFirst().orElseThrow();
    assertThat(Double.parseDouble(last.split(" +", -1)[2])).isGreaterThanOrEqualTo(0.95);
    assertThat(outcome.out()).contains("parameters", "states", "bound", "unshared", "gradients", "activations",
      "of the planned");
  }

  @Test
  void aResumedTrainingEndsWithTheBytesOfAnUnbrokenOne() throws IOException {
    Path whole = folder.resolve("whole.safetensors");
    Path parts = folder.resolve("parts.safetensors");
    Outcome unbroken = train("--epochs", "3", "--optimizer", "adamw", "--checkpoint", whole.toString());
    assertThat(unbroken.code()).as(unbroken.err()).isZero();
    assertThat(train("--epochs", "1", "--optimizer", "adamw", "--checkpoint", parts.toString()).code()).isZero();
    Outcome resumed = train("--epochs", "3", "--optimizer", "adamw", "--resume", parts.toString(), "--checkpoint", parts
      .toString());
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(Files.readAllBytes(parts)).isEqualTo(Files.readAllBytes(whole));
    assertThat(figures(resumed)).isEqualTo(figures(unbroken).subList(1, 3));
    Outcome other = train("--epochs", "3", "--rate", "0.5", "--resume", parts.toString());
    assertThat(other.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(other.err()).contains("other settings");
  }

  /** P-5: float16 resumes to the byte, with the scale of its loss; bfloat16 learns as much. */
  @Test
  void precisionsOf16BitsLearnAndResume() throws IOException {
    Path whole = folder.resolve("half-whole.safetensors");
    Path parts = folder.resolve("half-parts.safetensors");
    Outcome unbroken = train("--epochs", "3", "--precision", "float16", "--checkpoint", whole.toString());
    assertThat(accuracy(unbroken)).isGreaterThan(0.93);
    assertThat(train("--epochs", "1", "--precision", "float16", "--checkpoint", parts.toString()).code()).isZero();
    assertThat(train("--epochs", "3", "--resume", parts.toString()).err()).contains("precision is float16");
    assertThat(train("--epochs", "3", "--precision", "float16", "--resume", parts.toString(), "--checkpoint", parts
      .toString()).code()).isZero();
    assertThat(Files.mismatch(whole, parts)).isEqualTo(-1);
    assertThat(accuracy(train("--epochs", "3", "--precision", "bfloat16"))).isGreaterThan(0.93);
  }

  private static double accuracy(Outcome outcome) {
    assertThat(outcome.code()).as(outcome.err()).isZero();
    String last = outcome.out().lines().filter(it -> it.startsWith("3 ")).findFirst().orElseThrow();
    return Double.parseDouble(last.split(" +", -1)[2]);
  }

  @Test
  void aFinishedTrainingIsResumedToWriteItsModel() {
    String file = folder.resolve("done.safetensors").toString();
    Path model = folder.resolve("done.onnx");
    assertThat(train("--epochs", "1", "--checkpoint", file).code()).isZero();
    Outcome resumed = train("--epochs", "1", "--resume", file, "-o", model.toString());
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(figures(resumed)).isEmpty();
    assertThat(model).isNotEmptyFile();
  }

  /** Epoch, loss and accuracy of each line. */
  private static List<String> figures(Outcome outcome) {
    return outcome.out().lines().filter(it -> it.matches("\\d+ .*")).map(it -> String.join(" ", Arrays.asList(it.split(
      " +")).subList(0, 3))).toList();
  }

  @Test
  void aLimitThatIsTooSmallIsSaidBeforeTheFirstIteration() {
    Outcome refused = train("--memory-limit", "100KiB", "--batch", "256");
    assertThat(refused.code()).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
    assertThat(refused.err()).contains("does not fit", "raise --memory-limit to ");
    assertThat(refused.out()).doesNotContain("accuracy");
    String needed = refused.err().replaceAll("(?s).*raise --memory-limit to (\\d+).*", "$1");
    assertThat(train("--memory-limit", needed, "--batch", "256", "--epochs", "1").code()).isZero();
  }

  @Test
  void aPartOfTheIterationsPlanIsALimitWithAPrice() {
    String[] words = {"--batch", "1024", "--widths", "64,256,256,10", "--epochs", "1", "--memory-limit"};
    Outcome whole = train(with(words, "100%"));
    assertThat(whole.code()).as(whole.err()).isZero();
    Outcome part = train(with(words, "90%"));
    assertThat(part.code()).as(part.err()).isZero();
    assertThat(part.out()).contains("limit: by recompute: ", " steps run again, +");
    assertThat(figures(part)).as("to the bit").isEqualTo(figures(whole));
    Outcome off = train(with(words, "90%", "--recompute", "off"));
    assertThat(off.code()).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
    assertThat(off.err()).contains("--recompute auto, which needs ", "by recompute: ");
    Outcome low = train(with(words, "20%"));
    assertThat(low.code()).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
    String advised = low.err().replaceAll("(?s).*raise --memory-limit to (\\d+), with which it fits by recompute.*",
      "$1");
    assertThat(train(with(words, advised)).out()).contains("limit: by recompute: ");
  }

  private static String[] with(String[] words, String... more) {
    return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
  }

  @Test
  void rowsThatTestFitWhereAnIterationFits() {
    Outcome refused = train("--memory-limit", "100KiB", "--batch", "32");
    assertThat(refused.code()).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
    String needed = refused.err().replaceAll("(?s).*raise --memory-limit to (\\d+).*", "$1");
    Outcome outcome = train("--memory-limit", needed, "--batch", "32", "--epochs", "1");
    assertThat(outcome.code()).as(outcome.err()).isZero();
  }

  @Test
  @Tag("long")
  void lenetLearnsTheDigits() {
    String model = folder.resolve("lenet.onnx").toString();
    Outcome outcome = Outcome.of("train", "lenet", "--data", DIGITS, "--threads", "1", "--optimizer", "adam",
      "--epochs",
      "1", "-o", model);
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("lenet of images 1x28x28, 10 classes", "1437 rows to train");
    String last = outcome.out().lines().filter(it -> it.startsWith("1 ")).findFirst().orElseThrow();
    assertThat(Double.parseDouble(last.split(" +", -1)[2])).isGreaterThanOrEqualTo(0.6);
    assertThat(Outcome.of("run", model, "--shapes", "data:2x1x28x28").code()).isZero();
  }

  @Test
  void aFolderOfImagesIsTrained() throws IOException {
    Path images = IdxFolder.write(folder.resolve("images"), 8, 16, 3);
    assertThat(Outcome.of("train", "mlp", "--widths", "64,3", "--data", images, "--batch", "8", "--epochs", "1").code())
      .isZero();
    Outcome resized = Outcome.of("train", "lenet", "--data", images, "--batch", "8", "--epochs", "1", "--resize",
      "12x14");
    assertThat(resized.code()).as(resized.err()).isZero();
    assertThat(resized.out()).contains("lenet of images 1x12x14, 3 classes", "16 rows to train in batches of 8, 3");
  }

  @Test
  @Tag("soak")
  void resnetIsTrained() throws IOException {
    Path images = IdxFolder.write(folder.resolve("images"), 8, 16, 3);
    Outcome outcome = Outcome.of("train", "resnet18", "--data", images, "--batch", "8", "--epochs", "1", "--rate",
      "0.01");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("resnet18 of images 1x8x8, 3 classes");
  }

  @Test
  @Tag("soak")
  void lenetLearnsFashion() {
    Path fashion = Path.of("/usr/share/datasets/fashion-mnist");
    assumeTrue(Files.isDirectory(fashion), "no data: " + fashion);
    Outcome outcome = Outcome.of("train", "lenet", "--data", fashion, "--optimizer", "adam", "--epochs", "1");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    String last = outcome.out().lines().filter(it -> it.startsWith("1 ")).findFirst().orElseThrow();
    assertThat(Double.parseDouble(last.split(" +", -1)[2])).isGreaterThanOrEqualTo(0.84);
  }

  @Test
  void unfitNetworksAndFoldersAreNamed() throws IOException {
    assertThat(Outcome.of("train", "lenet", "--data", folder).err()).contains("lacks files", "t10k-labels-idx1");
    assertThat(Outcome.of("train", "gpt2", "--data", DIGITS).err()).contains("no image classifier", "lenet, resnet18");
    assertThat(Outcome.of("train", "lenet", "--data", DIGITS, "--resize", "28").err()).contains("example=28x28");
    Path rows = folder.resolve("rows.csv");
    Files.writeString(rows, "1,2,0\n3,4,1\n".repeat(5));
    assertThat(Outcome.of("train", "lenet", "--data", rows, "--batch", "2").err()).contains("columns=2");
    Files.writeString(rows, "1,2,3,4,0\n1,2,3,4,123456\n".repeat(5));
    assertThat(Outcome.of("train", "lenet", "--data", rows, "--batch", "2").err()).contains("largest=123456");
    Files.writeString(rows, "1,2,3,4,0\n1,2,3,4,-1\n".repeat(5));
    assertThat(Outcome.of("train", "lenet", "--data", rows, "--batch", "2").err()).contains("row=1 label=-1");
  }

  @Test
  void badDataIsNamedWithItsRow() throws IOException {
    assertThat(train("--widths", "64,32,9").err()).contains("label=9", "classes=9", "row=");
    assertThat(train("--widths", "63,10").err()).contains("features=64", "'cairn help train' says").doesNotContain(
      "cairn inspect");
    Path file = folder.resolve("bad.csv");
    Files.writeString(file, "1,2,0\n3,NaN,1\n".repeat(4));
    assertThat(Outcome.of("train", "--data", file.toString(), "--widths", "2,2", "--batch", "2").err()).contains(
      "line=2", "column=2");
    Files.writeString(file, "1,2,0\n3,4,1\n1,2,0\n".repeat(3));
    Outcome small = Outcome.of("train", "--data", file.toString(), "--widths", "2,2", "--batch", "7", "--epochs", "1");
    assertThat(small.code()).as(small.err()).isZero();
    assertThat(Outcome.of("train", "--data", file.toString(), "--widths", "2,2", "--batch", "8").err()).contains(
      "rows=7 batch=8");
    String endless = train("--rate", "1e20", "--epochs", "2").err();
    assertThat(endless).contains("the loss is not finite", "epoch=1", "batch=", "counted from 0");
    String rows = endless.replaceAll("(?s).*firstRows=\\[([\\d, ]+)].*", "$1");
    assertThat(rows.split(", ", -1)).hasSize(8).allMatch(row -> Integer.parseInt(row) % 5 != 0, "no row that tests");
  }

  /** The remedy works when it is followed. */
  @Test
  void aTrainingThatDivergesSaysSoOnceWithARateThatWorks() {
    String[] words = {"--widths", "64,128,64,10", "--epochs", "2", "--rate"};
    Outcome high = train(with(words, "10"));
    assertThat(high.code()).as(high.err()).isZero();
    assertThat(high.err().lines()).singleElement().asString().startsWith("cairn: the loss is more than 1,000 times ")
      .contains(" first=", " iteration=", " epoch=1 batch=");
    assertThat(train(with(words, "10", "--quiet")).err()).isEmpty();
    Outcome advised = train(with(words, high.err().replaceAll("(?s).*--rate (\\S+).*", "$1")));
    assertThat(advised.err()).isEmpty();
    assertThat(Double.parseDouble(figures(advised).getLast().split(" ", -1)[2])).isGreaterThan(0.8);
  }

  @Test
  void theTrainedModelIsWrittenAsOnnx() throws IOException {
    Path file = folder.resolve("digits.onnx");
    assertThat(train("--epochs", "1", "-o", file.toString()).code()).isZero();
    Outcome run = Outcome.of("run", file.toString(), "--shapes", "data:2x64");
    assertThat(run.code()).as(run.err()).isZero();
    Outcome tuned = Outcome.of("train", file.toString(), "--data", DIGITS.toString(), "--epochs", "1", "--rate", "0.01",
      "--trainable", "2.*", "-o", folder.resolve("tuned.onnx").toString());
    assertThat(tuned.code()).as(tuned.err()).isZero();
    Path other = folder.resolve("other.csv");
    Files.writeString(other, ("1,".repeat(64) + "9\n").repeat(7) + "1,".repeat(64) + "10\n");
    Outcome refused = Outcome.of("train", file.toString(), "--data", other.toString(), "--batch", "2");
    assertThat(refused.err()).contains("a label is out of range: row=7 label=10");
  }

  /** Rows that test are as many as an iteration has, too. */
  @Test
  void aModelWithAFixedBatchIsTrained() throws IOException {
    Path file = folder.resolve("fixed.onnx");
    assertThat(Outcome.of("zoo", "lenet", "--batch", "8", "-o", file.toString()).code()).isZero();
    Path images = folder.resolve("images.csv");
    Files.writeString(images, ("3,".repeat(784) + "1\n").repeat(20));
    Outcome outcome = Outcome.of("train", file.toString(), "--data", images.toString(), "--batch", "8", "--epochs",
      "1");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    Outcome smaller = Outcome.of("train", file.toString(), "--data", images.toString(), "--batch", "4");
    assertThat(smaller.err()).contains("the model has a fixed batch", "model=8 batch=4");
    Outcome unknown = Outcome.of("train", file.toString(), "--data", images.toString(), "--batch", "8", "--trainable",
      "fc.*");
    assertThat(unknown.err()).contains("no constant's name fits --trainable", "trainable=fc.*", "fc1.weight");
    Path small = folder.resolve("small.csv");
    Files.writeString(small, ("3,".repeat(64) + "1\n").repeat(20));
    Outcome refused = Outcome.of("train", file.toString(), "--data", small.toString(), "--batch", "8");
    assertThat(refused.err()).contains("--resize scales images: columns=64 input=[1, 28, 28]");
    Outcome turned = Outcome.of("train", file.toString(), "--data", small.toString(), "--batch", "8", "--resize",
      "14x56");
    assertThat(turned.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(turned.err()).contains("images have other extents than the model's input", "input=[1, 28, 28]");
    Outcome resized = Outcome.of("train", file.toString(), "--data", small.toString(), "--batch", "8", "--epochs", "1",
      "--resize", "28x28", "--trainable", "fc*", "-o", folder.resolve("tuned.onnx").toString());
    assertThat(resized.code()).as(resized.err()).isZero();
  }

  @Test
  void anIterationOfAModelIsPlanned() throws IOException {
    Path page = folder.resolve("plan.html");
    Outcome plan = Outcome.of("plan", "mlp", "--train", "adamw", "--shapes", "input:32x784", "--html", page);
    assertThat(plan.code()).as(plan.err()).isZero();
    assertThat(Files.readString(page)).contains(">forward<", ">backward<", ">update<");
    assertThat(plan.out()).contains("variables");
    Outcome refused = Outcome.of("plan", "mlp", "--train", "sgd", "--shapes", "input:32x784", "--memory-limit", "1MiB");
    assertThat(refused.code()).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
  }
}
