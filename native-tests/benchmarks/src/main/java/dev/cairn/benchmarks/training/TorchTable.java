package dev.cairn.benchmarks.training;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.PythonScript;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** N9 and N10: iterations beside PyTorch's, in processes of their own that take turns. */
final class TorchTable {
  private static final String TEXT = """
    Iterations of the same networks with SGD and momentum 0.9, on two threads: milliseconds, and how far the resident
    memory of the process grew beyond what it was before the network was made, in MiB. Both sides run in processes of
    their own, Cairn's with the launcher's heap, which take turns when the JVM compiles no more; the median of the
    rounds. Images are random numbers: their values do not change the time. Items a second are the batch over the
    median. PyTorch, eager:""";

  private record Subject(String model, int batch, int iterations, Goal time, Optional<Goal> memory) {}

  private static final List<Subject> SUBJECTS = List.of(new Subject("lenet", 128, 10, Goal.atMost(1 / 0.7), Optional
    .empty()), new Subject("resnet18", 8, 1, Goal.atMost(2.5), Optional.of(Goal.atMost(0.8))));

  private TorchTable() {}

  /** Empty without PyTorch. */
  static Optional<Section> measured(boolean quick) {
    PythonScript script = PythonScript.of(TorchTable.class, "torch_training.py");
    Optional<String> version = script.line("version");
    return version.map(it -> measured(script, it, quick));
  }

  private static Section measured(PythonScript script, String version, boolean quick) {
    var table = new MarkdownTable("network", "Cairn, ms", "PyTorch, ms", "Cairn / PyTorch (spread)", "Cairn, images/s",
      "PyTorch, images/s", "Cairn, MiB", "PyTorch, MiB", "Cairn / PyTorch");
    List<Figure> figures = new ArrayList<>();
    for (Subject subject : quick ? SUBJECTS.subList(0, 1) : SUBJECTS) {
      System.err.printf("training         %s beside PyTorch%n", subject);
      try (var cairn = TrainedProcess.cairn(subject.model, subject.batch);
        var torch = TrainedProcess.torch(script,
          subject.model, subject.batch)) {
        if (!quick) {
          cairn.ask("warm up");
        }
        String iterate = "iterate " + (quick ? 1 : subject.iterations);
        Rounds rounds = Rounds.played(quick ? 2 : 9, List.of(() -> cairn.ask(iterate), () -> torch.ask(iterate)));
        double cairnBytes = cairn.ask("grown");
        double torchBytes = torch.ask("grown");
        table.row("%s b%d".formatted(subject.model, subject.batch), number(1, rounds.of(0).median()), number(1, rounds
          .of(1).median()), rounds.ratios(0, 1).withSpread(), perSecond(subject, rounds.of(0)),
          perSecond(subject, rounds
            .of(1)),
          number(0, cairnBytes), number(0, torchBytes), number(2,
            cairnBytes / torchBytes));
        figures.add(Figure.judged(subject.model + "-time", rounds.ratios(0, 1).median(), 2, subject.time));
        subject.memory.ifPresent(it -> figures.add(Figure.judged(subject.model + "-memory", cairnBytes / torchBytes, 2,
          it)));
      }
    }
    return new Section("Beside PyTorch", TEXT + " " + version + ".", table, figures);
  }

  private static String perSecond(Subject subject, Sample millis) {
    return "%,.0f".formatted(1_000 * subject.batch / millis.median());
  }
}
