package dev.cairn.benchmarks.models;

import ai.onnxruntime.OrtEnvironment;
import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.ChildJvm;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code models}: plans, latency and resident memory of whole models, beside ONNX Runtime. */
public final class ModelsBenchmark implements Benchmark {
  static final Duration LIMIT_OF_A_PROCESS = Duration.ofMinutes(10);
  private static final int CALLERS = 2;
  /** Models that are also measured in {@code bfloat16}. */
  private static final Set<String> IN_BFLOAT16 = Set.of("resnet50", "bert_base");

  @Override
  public String name() {
    return "models";
  }

  @Override
  public String description() {
    return "plan quality, latency and resident memory of whole models, beside ONNX Runtime in the same run";
  }

  @Override
  public String options() {
    return ModelsOptions.USAGE;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException, InterruptedException {
    ModelsOptions options = ModelsOptions.parse(arguments, Runtime.getRuntime().availableProcessors());
    if (options.classes()) {
      return ClassesRun.run(name(), options, Origin.here(name(), arguments), places);
    }
    List<Subject> wanted = wanted(options, places);
    List<String> skipped = wanted.stream().filter(it -> !it.isThere()).map(Subject::name).toList();
    skipped.forEach(name -> System.err.printf("%-20s skipped: no data%n", name));
    Origin origin = Origin.here(name(), arguments);
    // This table comes first, since it builds the launcher: a failure there should not come after half an hour of
    // measuring.
    var machine = MachineFigures.measured(places.root(), options.rounds());
    List<ModelFigures> figures = measure(wanted.stream().filter(Subject::isThere).toList(), options);
    Outcome outcome = ModelsVerdict.of(figures, skipped, machine);
    String page = new ModelsPage(figures, skipped, options, machine).text(origin,
      OrtEnvironment.getEnvironment().getVersion(),
      outcome.line(name()));
    System.out.println(page);
    if (options.write()) {
      Files.createDirectories(places.page(name()).getParent());
      Files.writeString(places.page(name()), page);
    }
    return outcome;
  }

  private static List<Subject> wanted(ModelsOptions options, Places places) {
    List<Subject> all = Subject.all(places);
    List<String> names = all.stream().map(Subject::name).toList();
    if (!names.containsAll(options.models())) {
      throw new IllegalArgumentException("no such model: given=%s models=%s".formatted(options.models(), names));
    }
    List<Subject> wanted = all.stream().filter(options::wants).toList();
    if (wanted.stream().noneMatch(Subject::isThere)) {
      throw new IllegalArgumentException("skipped: no data for any of the models: models=" + options.models());
    }
    return wanted;
  }

  private static List<ModelFigures> measure(List<Subject> subjects, ModelsOptions options) throws IOException,
    InterruptedException {
    try (var folder = new TemporaryFolder()) {
      List<ModelFigures> figures = new ArrayList<>();
      for (Subject subject : subjects) {
        figures.add(measure(subject, options, folder.path()));
        folder.clear();
      }
      return figures;
    }
  }

  private static ModelFigures measure(Subject subject, ModelsOptions options, Path folder) throws IOException,
    InterruptedException {
    System.err.printf("%-20s planning%n", subject.name());
    Path file = subject.file(folder);
    PlanFigures plan = PlanFigures.of(file, options.planRepeats());
    // The graphs read for the plan hold native memory until they are collected: it should be free for the children.
    System.gc();
    var children = new ChildJvm(folder, LIMIT_OF_A_PROCESS);
    List<Comparison> comparisons = new ArrayList<>();
    for (int threads : options.threads()) {
      Comparison one = Comparison.measured(EngineChoice.CAIRN, file, threads, 1, options, children);
      System.err.printf("%-20s threads=%d cairn=%.2fms ort=%.2fms speedup=%s%n", subject.name(), threads, one.cairn(
        Measurement::millis), one.ort(Measurement::millis), one.speedups().withSpread());
      comparisons.add(one);
    }
    Optional<Comparison> bfloat16 = IN_BFLOAT16.contains(subject.name())
      ? Optional
        .of(Comparison.measured(EngineChoice.BFLOAT16, file, options.threads().getFirst(), 1, options, children))
      : Optional.empty();
    return options.parts()
      ? new ModelFigures(subject.name(), plan, comparisons, Optional.of(Comparison.measured(EngineChoice.CAIRN, file, 1,
        CALLERS, options, children)), bfloat16, parts(file, options, children))
      : new ModelFigures(subject.name(), plan, comparisons, Optional.empty(), bfloat16, Map.of());
  }

  private static Map<EngineChoice, Measurement> parts(Path file, ModelsOptions options, ChildJvm children)
    throws IOException, InterruptedException {
    Map<EngineChoice, Measurement> parts = new EnumMap<>(EngineChoice.class);
    for (EngineChoice without : EngineChoice.PARTS) {
      parts.put(without, Comparison.measure(without, file, options.threads().getFirst(), 1, options, children));
    }
    return parts;
  }
}
