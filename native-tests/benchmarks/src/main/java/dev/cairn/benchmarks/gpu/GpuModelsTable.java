package dev.cairn.benchmarks.gpu;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.PythonScript;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.cuda.CudaFailure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/** Whole models beside PyTorch's eager mode, torch.compile and CUDA graphs, where a Python with PyTorch is there. */
final class GpuModelsTable implements GpuTable {
  private static final double LEAST_OF_EAGER = 1.0;
  private static final double LEAST_OF_GRAPHS = 0.8;
  private static final double MOST_OF_MEMORY = 0.7;
  private static final String NONE = "–";
  private static final double MIB = 1 << 20;

  private final GpuOptions options;

  GpuModelsTable(GpuOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return "models";
  }

  @Override
  public Section measured(GpuUnderTest gpu, GpuEffort effort) {
    PythonScript script = TorchModel.script();
    String torch = gpu.isSimulated() ? "PyTorch: not asked, the GPU is simulated" : TorchModel.describe(script);
    var table = new MarkdownTable("model", "Cairn, ms", "eager, ms", "compile, ms", "graphs, ms", "eager / Cairn",
      "graphs / Cairn", "Cairn, MiB", "eager, MiB");
    List<Figure> figures = new ArrayList<>();
    List<String> lacking = new ArrayList<>();
    Set<TorchModel.Mode> modes = torch.startsWith("PyTorch ") ? options.torch() : Set.of();
    List<ModelCase> cases = gpu.isSimulated() ? ModelCase.tiny() : ModelCase.all();
    for (ModelCase which : cases.stream().filter(options::wants).toList()) {
      System.err.println("  " + which.key() + " ...");
      try (var sides = Sides.open(gpu, which, mode -> TorchModel.open(script, which, mode, gpu.device().id()
        .ordinal()), modes, lacking)) {
        sides.measure(effort, which, table, figures);
      } catch (IllegalStateException | IllegalArgumentException | CudaFailure e) {
        // The other models are still measured; the verdict leaves this one out.
        e.printStackTrace();
        lacking.add("%s (%s)".formatted(which.key(), String.valueOf(e.getMessage()).replace('\n', ' ')));
        figures.add(Figure.judged(which.key() + "-ran", 0, 0, Goal.atLeast(1)));
      }
      figures.stream().filter(it -> it.toString().contains(which.key())).forEach(it -> System.err.println("    " + it));
    }
    String without = lacking.isEmpty() ? "" : "\nWithout: %s.".formatted(String.join("; ", lacking));
    return new Section("Models beside PyTorch", """
      %s. What a run takes, inputs and outputs in the host's memory: the median of each side's turns, of %d runs each,
      in %d rounds. Memory is the most that tensors took at a time; PyTorch's is its eager mode's. "float32" is exact on
      both sides, "tf32" has products of 10 bits of fraction; in "float16" PyTorch's whole model is of that type,
      Cairn's as `--precision float16` makes it.%s""".formatted(torch, effort.modelRuns(), effort.rounds(),
      without), table, figures);
  }

  /** All engines with one model, at the same time on the same device. */
  private record Sides(CairnModel cairn, Map<TorchModel.Mode, TorchModel> torch) implements AutoCloseable {
    /** Opens PyTorch's modes beside each other, since most of that time is one thread's, and Cairn after them. */
    static Sides open(GpuUnderTest gpu, ModelCase which, Function<TorchModel.Mode, TorchModel> torch,
      Set<TorchModel.Mode> modes, List<String> lacking) {
      Map<TorchModel.Mode, TorchModel> opened = new EnumMap<>(TorchModel.Mode.class);
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        Map<TorchModel.Mode, Future<TorchModel>> opening = new EnumMap<>(TorchModel.Mode.class);
        modes.forEach(mode -> opening.put(mode, threads.submit(() -> torch.apply(mode))));
        opening.forEach((mode, process) -> {
          try {
            opened.put(mode, process.get());
          } catch (ExecutionException e) {
            lacking.add("%s %s (%s)".formatted(which.key(), mode, String.valueOf(e.getMessage()).replace('\n', ' ')));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted: model=" + which.key(), e);
          }
        });
      }
      try {
        return new Sides(CairnModel.open(which, gpu.deviceOptions()), opened);
      } catch (RuntimeException | Error e) {
        opened.values().forEach(TorchModel::close);
        throw e;
      }
    }

    void measure(GpuEffort effort, ModelCase which, MarkdownTable table, List<Figure> figures) {
      List<TorchModel.Mode> modes = List.copyOf(torch.keySet());
      List<DoubleSupplier> turns = new ArrayList<>();
      turns.add(() -> cairn.medianMillis(effort.modelRuns()));
      modes.forEach(mode -> turns.add(() -> side(mode).medianMillis(effort.modelRuns())));
      Turns measured = Turns.of(effort.rounds(), turns);
      table.row(which.key(), number(3, measured.side(0).median()), millis(measured, modes, TorchModel.Mode.EAGER),
        millis(measured, modes, TorchModel.Mode.COMPILE), millis(measured, modes, TorchModel.Mode.GRAPHS), ratio(
          measured, modes, TorchModel.Mode.EAGER),
        ratio(measured, modes, TorchModel.Mode.GRAPHS), number(1, cairn
          .peakBytes() / MIB),
        torch.containsKey(TorchModel.Mode.EAGER)
          ? number(1, side(TorchModel.Mode.EAGER).peakBytes() / MIB)
          : NONE);
      judge(which, measured, modes, figures);
    }

    private TorchModel side(TorchModel.Mode mode) {
      TorchModel side = torch.get(mode);
      if (side == null) {
        throw new AssertionError("not open: mode=" + mode);
      }
      return side;
    }

    private static String millis(Turns measured, List<TorchModel.Mode> modes, TorchModel.Mode mode) {
      return modes.contains(mode) ? number(3, measured.side(1 + modes.indexOf(mode)).median()) : NONE;
    }

    private static String ratio(Turns measured, List<TorchModel.Mode> modes, TorchModel.Mode mode) {
      return modes.contains(mode) ? times(measured, modes, mode).withSpread() : NONE;
    }

    private static Sample times(Turns measured, List<TorchModel.Mode> modes, TorchModel.Mode mode) {
      return measured.ratios(1 + modes.indexOf(mode), 0);
    }

    private void judge(ModelCase which, Turns measured, List<TorchModel.Mode> modes, List<Figure> figures) {
      figures.add(Figure.told(which.key() + "-ms", measured.side(0).median(), 3));
      if (modes.contains(TorchModel.Mode.EAGER)) {
        double times = times(measured, modes, TorchModel.Mode.EAGER).median();
        String key = which.key() + "-times-eager";
        figures.add(which.batch() == 1
          ? Figure.judged(key, times, 2, Goal.atLeast(LEAST_OF_EAGER))
          : Figure.told(key, times, 2));
        figures.add(Figure.judged(which.key() + "-memory", (double) cairn.peakBytes() / side(TorchModel.Mode.EAGER)
          .peakBytes(), 2, Goal.atMost(MOST_OF_MEMORY)));
      }
      if (modes.contains(TorchModel.Mode.GRAPHS)) {
        figures.add(Figure.judged(which.key() + "-times-graphs", times(measured, modes, TorchModel.Mode.GRAPHS)
          .median(), 2, Goal.atLeast(LEAST_OF_GRAPHS)));
      }
    }

    @Override
    public void close() {
      cairn.close();
      torch.values().forEach(TorchModel::close);
    }
  }
}
