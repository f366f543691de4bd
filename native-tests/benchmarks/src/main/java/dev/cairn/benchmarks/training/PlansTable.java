package dev.cairn.benchmarks.training;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.written.TrainedZooModel;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.IterationPlan;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.Conv;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Dropout;
import dev.cairn.runtime.train.layer.Flatten;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.MaxPool;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.zoo.Zoo;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** N7 and N8: planned iterations beside the lower bound, no sharing, NNVM's plan, and updates at the end. */
final class PlansTable {
  private static final double MIB = 1 << 20;
  private static final Goal OF_BOUND = Goal.atMost(1.005);
  private static final Goal OF_UNSHARED = Goal.atMost(0.5);
  private static final Goal OF_NNVM = Goal.atMost(0.9);
  private static final Goal OF_DEFINED = Goal.atMost(0.85);
  private static final Goal OF_PLANNED = Goal.atMost(1);
  private static final String TEXT = """
    Reference models with a loss, gradients and SGD with momentum, planned by the planner that a session has by
    default. Unshared: every result with bytes of its own, nothing in place. NNVM: the same steps, in the order of the
    graph, planned by MXNet's PlanMemory pass, which `--planner nnvm-graph` repeats to the bit. As defined: the steps in
    the order of the graph, with all updates last, planned as by default. Parameters and states come beside the plan;
    gradients are the most that live together. Measured: what two iterations took at most, of parameters, states, plan
    and results, beside what the plan says of all of it. Of the ratios to bound, unshared and planned bytes the worst is
    judged, of the others the mean.""";

  private static final String ALEXNET = "alexnet";

  private PlansTable() {}

  /** Five convolutions and three dense layers, with torchvision's widths. */
  private static Layer alexnet() {
    Sequential net = Sequential.of(Conv.conv2d(64, 11).stride(4).padding(2), Activation.relu(), pool(), Conv.conv2d(192,
      5).padding(2), Activation.relu(), pool());
    for (int channels : new int[] {384, 256, 256}) {
      net.add(Conv.conv2d(channels, 3).padding(1)).add(Activation.relu());
    }
    net.add(pool()).add(Flatten.of());
    for (int width : new int[] {4096, 4096}) {
      net.add(Dropout.of(0.5)).add(Dense.of(width)).add(Activation.relu());
    }
    return net.add(Dense.of(1000));
  }

  private static Layer pool() {
    return MaxPool.window(3, 3).stride(2);
  }

  /** A network of layers, or a graph of the zoo with a batch. */
  private record Subject(String model, long batch, List<Long> extents) {
    String title() {
      return "%s b%d".formatted(model, batch);
    }

    IterationPlan plan(CompileOptions compile) {
      try (Trainer trainer = trainer(compile)) {
        return trainer.plan(types());
      }
    }

    Trainer trainer(CompileOptions compile) {
      SessionOptions session = SessionOptions.DEFAULT.withCompile(compile);
      if (extents.isEmpty()) {
        return TrainedZooModel.of(model, batch).trainer(session);
      }
      var loss = Losses.softmaxCrossEntropy();
      return Trainer.of(model.equals(ALEXNET) ? alexnet() : Zoo.network(model), isText() ? loss.alongLastAxis() : loss,
        Optimizers.sgd(0.9), TrainerOptions.DEFAULT.withSession(session));
    }

    Map<String, TensorType> types() {
      if (extents.isEmpty()) {
        return TrainedZooModel.of(model, batch).types();
      }
      long[] shape = LongStream.concat(LongStream.of(batch), extents.stream().mapToLong(it -> it)).toArray();
      TensorType labels = isText() ? TensorType.of(DType.INT64, shape) : TensorType.of(DType.INT64, batch);
      return Map.of(Trainer.DATA, TensorType.of(isText() ? DType.INT64 : DType.FLOAT32, shape), Trainer.LABELS, labels);
    }

    private boolean isText() {
      return extents.size() == 1;
    }

    /** Runs two iterations on ones; the memory that all tensors took at once, beside the plan's. */
    double measuredOfPlanned() {
      Map<String, Tensor> ones = new LinkedHashMap<>();
      types().forEach((name, type) -> ones.put(name, ones(type)));
      try (Trainer trainer = trainer(CompileOptions.DEFAULT)) {
        for (int i = 0; i < 2; i++) {
          trainer.iterate(ones);
        }
        return (double) trainer.memoryStats().pool().peak() / trainer.plan().totalBytes();
      } finally {
        ones.values().forEach(Tensor::close);
      }
    }

    private static Tensor ones(TensorType type) {
      int count = Math.toIntExact(type.shape().elementCount());
      if (type.dtype() == DType.FLOAT32) {
        float[] values = new float[count];
        Arrays.fill(values, 1);
        return Tensor.of(values, type.shape().extents());
      }
      long[] values = new long[count];
      Arrays.fill(values, 1);
      return Tensor.of(values, type.shape().extents());
    }
  }

  private static final List<Subject> SUBJECTS = List.of(new Subject("mlp", 128, List.of()), new Subject("lenet", 128,
    List.of(1L, 28L, 28L)), new Subject("resnet18", 8, List.of(3L, 224L, 224L)), new Subject("resnet50", 32, List.of()),
    new Subject(ALEXNET, 32, List.of(3L, 224L, 224L)), new Subject("bert_base", 8, List.of()),
    new Subject("gpt2", 4, List.of()),
    new Subject("lstm_lm", 20, List.of(35L)));

  static Section measured(boolean quick) {
    var table = new MarkdownTable("model", "peak, MiB", "/ lower bound", "/ unshared", "/ NNVM", "/ as defined",
      "measured / planned", "parameters, MiB", "states, MiB", "gradients, MiB", "s to compile and plan");
    double ofBound = 0;
    double ofUnshared = 0;
    double ofNnvm = 0;
    double ofDefined = 0;
    double ofPlanned = 0;
    List<Subject> subjects = quick ? SUBJECTS.subList(0, 2) : SUBJECTS;
    for (Subject subject : subjects) {
      System.err.printf("training         %s%n", subject.title());
      long started = System.nanoTime();
      IterationPlan plan = subject.plan(CompileOptions.DEFAULT);
      double seconds = (System.nanoTime() - started) / 1e9;
      CompileOptions asDefined = CompileOptions.DEFAULT.withReorder(false);
      double peak = plan.peakBytes();
      double bound = peak / plan.boundBytes();
      double unshared = peak / plan.unsharedBytes();
      double nnvm = peak / subject.plan(asDefined.withPlanner(PlannerChoice.NNVM_GRAPH)).peakBytes();
      double defined = peak / subject.plan(asDefined).peakBytes();
      double measured = subject.measuredOfPlanned();
      ofPlanned = Math.max(ofPlanned, measured);
      ofBound = Math.max(ofBound, bound);
      ofUnshared = Math.max(ofUnshared, unshared);
      ofNnvm += nnvm / subjects.size();
      ofDefined += defined / subjects.size();
      table.row(subject.title(), number(1, peak / MIB), number(4, bound), number(3, unshared), number(3, nnvm),
        number(3, defined), number(4, measured), number(1, plan.parameterBytes() / MIB),
        number(1, plan.stateBytes() / MIB), number(1, plan
          .gradientBytes() / MIB),
        number(1, seconds));
    }
    return new Section("Planned iterations", TEXT, table, List.of(Figure.judged("of-bound", ofBound, 4, OF_BOUND),
      Figure.judged("of-unshared", ofUnshared, 3, OF_UNSHARED), Figure.judged("of-nnvm", ofNnvm, 3, OF_NNVM), Figure
        .judged("of-defined", ofDefined, 3, OF_DEFINED),
      Figure.judged("measured-of-planned", ofPlanned, 4, OF_PLANNED)));
  }
}
