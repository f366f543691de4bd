package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.cli.option.BytesOrPart;
import dev.cairn.runtime.cli.option.CompileOption;
import dev.cairn.runtime.cli.option.DeviceOption;
import dev.cairn.runtime.cli.option.InputFilesOption;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.NamedFile;
import dev.cairn.runtime.cli.option.PlanFilesOption;
import dev.cairn.runtime.cli.option.PlannedTrainingOption;
import dev.cairn.runtime.cli.option.PlanningOption;
import dev.cairn.runtime.cli.option.RecomputeOption;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.TrainerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code cairn plan}: what a model will take on a device, without running it; or a problem by itself, from a file.
 */
@Command
final class PlanCommand extends CairnCommand {
  /** The modes that choose for a graph without operators. */
  private static final Set<RecomputeMode> OF_GRAPHS = EnumSet.of(RecomputeMode.AUTO, RecomputeMode.SEARCH,
    RecomputeMode.EXACT);

  @Mixin
  private ModelOption model = new ModelOption();
  @Mixin
  private PlanningOption planning = new PlanningOption();
  @Mixin
  private PlanFilesOption files = new PlanFilesOption();
  @Mixin
  private RecomputeOption recompute = new RecomputeOption();
  @Mixin
  private InputFilesOption inputs = new InputFilesOption();
  @Mixin
  private PlannedTrainingOption training = new PlannedTrainingOption();
  @Mixin
  private CompileOption steps = new CompileOption();
  @Mixin
  private DeviceOption device = new DeviceOption();
  private final RuntimeOptions runtime;

  PlanCommand(RuntimeOptions runtime) {
    this.runtime = runtime;
  }

  @Override
  ExitCode execute() throws IOException {
    requireOneSubject();
    DeviceOptions wanted = device.options(runtime.environment());
    if (recompute.csv().isPresent()) {
      return recompute(recompute.csv().get());
    }
    List<Path> curve = new ArrayList<>();
    PlanReport report = planning.csv().isPresent()
      ? ProblemPlanning.report(planning.csv().get(), planning)
      : ofModel(wanted, curve);
    List<Path> written = new ArrayList<>(files.write(report.view(), report.facts()));
    written.addAll(curve);
    Map<String, Object> document = report.document();
    document.put("files", written.stream().map(Path::toString).toList());
    StringBuilder text = new StringBuilder(report.text());
    written.forEach(it -> text.append("wrote    ").append(it).append(System.lineSeparator()));
    print(text.toString(), document);
    if (report.failure().isPresent()) {
      throw report.failure().get();
    }
    return ExitCode.OK;
  }

  private ExitCode recompute(Path file) throws IOException {
    RecomputePlanning planned = RecomputePlanning.of(file, planning.capacityOrPart(), steps.recomputeMode(), recompute);
    print(planned.text(), planned.document());
    if (planned.failure().isPresent()) {
      throw planned.failure().get();
    }
    return ExitCode.OK;
  }

  /** @param curve gets the files of the curve, where one is wanted */
  private PlanReport ofModel(DeviceOptions wanted, List<Path> curve) throws IOException {
    DeviceOptions device = planning.memoryLimit().isPresent() ? wanted.withLimitedMemory() : wanted;
    SessionOptions options = steps.sessionOptions(planning.modelPlanner()).withDevice(device);
    Graph graph = model.load();
    Map<String, TensorView> values = NamedFile.read(inputs.inputs(), graph);
    try (var tensors = new RunInputs(values); ModelCompiler compiler = ModelCompiler.open(options, values)) {
      Map<String, Shape> shapes = tensors.shapes(model.shapes());
      ModelPlanning subject = training.optimizer().map(optimizer -> PlannedIteration.of(graph, shapes, training,
        optimizer, compiler, TrainerOptions.DEFAULT.withPrecision(options.compile().precision())))
        .map(it -> new ModelPlanning(model, it.graph(), it.shapes(), compiler)).orElseGet(
          () -> new ModelPlanning(model, graph, shapes, compiler));
      if (recompute.curve().isPresent()) {
        var drawn = BudgetCurve.of(model.name(), subject.recomputation(options.compile()));
        curve.addAll(drawn.write(recompute.curve().get()));
        return subject.report(planning, options.compile(), verbosity().isVerbose()).withCurve(drawn.svg());
      }
      return subject.report(planning, options.compile(), verbosity().isVerbose());
    }
  }

  private void requireOneSubject() {
    if (recompute.csv().isPresent()) {
      requireOnlyGraph(recompute.csv().get());
      return;
    }
    if (recompute.curve().isPresent() && planning.csv().isPresent()) {
      throw misuse("--curve is for a model or a graph of recomputation: --csv=" + planning.csv().get(),
        "give a model, or --recompute-csv FILE");
    }
    if (planning.capacityOrPart().filter(BytesOrPart::isPart).isPresent()) {
      throw misuse("--capacity in percent is for a graph of recomputation: there is no --recompute-csv",
        "give --capacity in bytes");
    }
    if (planning.csv().isPresent() && model.isNamed()) {
      throw misuse("both a model and a problem were given: model=%s csv=%s".formatted(model.name(), planning.csv()
        .get()), "give only one of them");
    }
    if (planning.csv().isPresent() && planning.memoryLimit().isPresent()) {
      throw misuse("--memory-limit is for a model, with its weights and results", "give --capacity with --csv");
    }
    List<String> ofModels = given("model", "training", "inputs", "steps", "device");
    if (planning.csv().isPresent() && !ofModels.isEmpty()) {
      throw misuse("%s is for a model: --csv=%s".formatted(String.join(" ", ofModels), planning.csv().get()),
        "omit it: a problem already has its buffers");
    }
    if (planning.csv().isEmpty() && planning.capacity().isPresent()) {
      throw misuse("--capacity is for a problem: there is no --csv", "give --memory-limit for a model");
    }
  }

  private void requireOnlyGraph(Path file) {
    List<String> others = new ArrayList<>(given("model", "inputs", "training", "steps", "device", "files", "planning"));
    others.removeAll(List.of("--capacity", "--recompute"));
    if (model.isNamed() || !others.isEmpty()) {
      throw misuse("%s is not for a graph of recomputation: --recompute-csv=%s".formatted(model.isNamed()
        ? "model " + model.name()
        : String.join(" ", others), file), "omit it: only --capacity, --recompute and --curve go with --recompute-csv");
    }
    RecomputeMode mode = steps.recomputeMode();
    if (!OF_GRAPHS.contains(mode)) {
      throw misuse("--recompute %s needs the operators of a model: --recompute-csv=%s".formatted(mode, file),
        "give a model, or one of --recompute " + OF_GRAPHS);
    }
    if (planning.capacityOrPart().isEmpty() && recompute.curve().isEmpty()) {
      throw misuse("nothing to find out: --recompute-csv=%s without --capacity and --curve".formatted(file),
        "give --capacity 50%, or bytes, or --curve FILE.svg");
    }
  }

  private static Failure.Known misuse(String evidence, String remedy) {
    return new Failure.Known(ExitCode.USAGE, "conflicting options", evidence, remedy);
  }
}
