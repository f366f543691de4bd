package dev.cairn.runtime.memory.planner.inductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.planner.inductor.LineBuffer.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rules of reuse written down straight, with lists that are walked and an array of live bytes. */
class LineReuseModelTest {
  @Test
  void equalsTheRulesWalkedThrough() {
    requireRules(0, 90);
  }

  @Test
  @Tag("long")
  void manyProgramsEqualTheRulesWalkedThrough() {
    requireRules(90, 300);
  }

  private static void requireRules(long from, long to) {
    int taken = 0;
    int refused = 0;
    for (long seed = from; seed < to; seed++) {
      MemoryProgram program = RandomPrograms.seeded(seed);
      List<Integer> takeovers = new ArrayList<>();
      for (ReuseRules rules : ReuseRules.values()) {
        List<String> planned = LineReuse.plan(program, rules).stream().map(MemoryLine::toString).toList();
        long at = seed;
        assertThat(planned).as(() -> "seed %d %s\n%s".formatted(at, rules, program))
          .isEqualTo(model(program, rules));
        assertThat(LineReuse.plan(program, rules)).hasToString(planned.toString());
        takeovers.add((int) planned.stream().filter(line -> line.startsWith("reuse")).count());
      }
      taken += takeovers.get(0);
      refused += takeovers.get(1) < takeovers.get(0) ? 1 : 0;
    }
    assertThat(taken).isGreaterThan((int) (to - from) * 10 / 3);
    assertThat(refused).isGreaterThan((int) (to - from) / 10);
  }

  private record Freed(LineBuffer buffer, int kernel, int depthId, int line) {}

  private static List<String> model(MemoryProgram program, ReuseRules rules) {
    List<MemoryLine> lines = new ArrayList<>(program.lines());
    while (!lines.isEmpty() && lines.getLast().isMemory()
      && !program.outputs().contains(named(lines.getLast()).name())) {
      lines.removeLast();
    }
    long[] live = live(program);
    long overall = Arrays.stream(live).max().orElse(0);
    String[] text = new String[lines.size()];
    List<Freed> freed = new ArrayList<>();
    List<Integer> graphs = new ArrayList<>(List.of(0));
    int graphCount = 1;
    int kernel = 0;
    for (int i = 0; i < text.length; i++) {
      text[i] = lines.get(i).toString();
      switch (lines.get(i)) {
        case MemoryLine.Kernel _ -> kernel++;
        case MemoryLine.EnterSubgraph _ -> graphs.add(graphCount++);
        case MemoryLine.ExitSubgraph _ -> graphs.removeLast();
        case MemoryLine memory when program.removed().contains(named(memory).name()) -> text[i] = null;
        case MemoryLine.Reuse _ -> {}
        case MemoryLine.Free(LineBuffer buffer) -> {
          if (buffer.layout() == Layout.OWN) {
            freed.add(new Freed(buffer, kernel, graphs.getLast(), i));
          }
        }
        case MemoryLine.Allocate(LineBuffer buffer) -> {
          int graph = graphs.getLast();
          Freed last = freed.stream().filter(f -> f.depthId == graph && alike(f.buffer, buffer, rules))
            .reduce(null, (a, b) -> b);
          int now = kernel;
          long bytes = buffer.bytes().hint().orElse(0);
          if (last != null && (rules == ReuseRules.PLAIN || last.kernel == now
            || bytes + IntStream.range(last.kernel, now).mapToLong(k -> live[k]).max().orElse(0) <= overall)) {
            IntStream.range(last.kernel, now).forEach(k -> live[k] += bytes);
            freed.remove(last);
            text[last.line] = null;
            text[i] = "reuse " + last.buffer + " as " + buffer;
          }
        }
      }
    }
    return Arrays.stream(text).filter(line -> line != null).toList();
  }

  private static boolean alike(LineBuffer a, LineBuffer b, ReuseRules rules) {
    boolean plain = a.device().equals(b.device()) && a.dtype().equals(b.dtype()) && a.bytes().equals(b.bytes());
    return plain && (rules == ReuseRules.PLAIN || (a.alignment() == b.alignment() && a.stream() == b.stream()));
  }

  /** For each kernel, what is live while it runs. */
  private static long[] live(MemoryProgram program) {
    long[] live = new long[(int) program.lines().stream().filter(line -> line instanceof MemoryLine.Kernel).count()];
    List<LineBuffer> now = new ArrayList<>();
    int kernel = 0;
    for (MemoryLine line : program.lines()) {
      if (line.isMemory() && program.removed().contains(named(line).name())) {
        continue;
      }
      switch (line) {
        case MemoryLine.Kernel _ ->
          live[kernel++] = now.stream().mapToLong(buffer -> buffer.bytes().hint().orElse(0)).sum();
        case MemoryLine.Allocate(LineBuffer buffer) -> now.add(buffer);
        case MemoryLine.Free(LineBuffer buffer) -> now.remove(buffer);
        case MemoryLine.Reuse(LineBuffer from, LineBuffer to) -> now.set(now.indexOf(from), to);
        case MemoryLine.EnterSubgraph _,MemoryLine.ExitSubgraph _ -> {}
      }
    }
    return live;
  }

  private static LineBuffer named(MemoryLine line) {
    return switch (line) {
      case MemoryLine.Allocate(LineBuffer buffer) -> buffer;
      case MemoryLine.Free(LineBuffer buffer) -> buffer;
      case MemoryLine.Reuse(LineBuffer from, LineBuffer _) -> from;
      default -> throw new AssertionError("not a memory line: " + line);
    };
  }
}
