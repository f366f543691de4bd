package dev.cairn.benchmarks.training;

import dev.cairn.benchmarks.harness.AskedProcess;
import dev.cairn.benchmarks.harness.ChildJvm;
import dev.cairn.benchmarks.harness.PythonScript;
import java.util.List;

/**
 * A network in training in a process of its own. Questions: {@code iterate N}: milliseconds of each of N iterations;
 * {@code warm up}: 0, of Cairn alone; {@code grown}: MiB.
 */
final class TrainedProcess {
  /** The heap that the launcher gives a user's training, whose resident memory is compared. */
  private static final List<String> HEAP = List.of("-XX:-UseTransparentHugePages", "-XX:InitialHeapSize=32m");

  private TrainedProcess() {}

  static AskedProcess cairn(String model, int batch) {
    return new AskedProcess(new ProcessBuilder(ChildJvm.command(TrainedMain.class, List.of(model, Integer.toString(
      batch)), HEAP)));
  }

  static AskedProcess torch(PythonScript script, String model, int batch) {
    return new AskedProcess(script.process(model, Integer.toString(batch)));
  }
}
