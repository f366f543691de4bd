package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** Writes programs for tests: {@code lines.allocate("a", 8).kernel().free("a")}. */
final class Lines {
  private final List<MemoryLine> lines = new ArrayList<>();
  private final Map<String, LineBuffer> buffers = new LinkedHashMap<>();
  private final Set<String> outputs = new TreeSet<>();
  private final Set<String> removed = new TreeSet<>();
  private int kernels;

  Lines allocate(String name, long bytes) {
    return allocate(LineBuffer.of(name, bytes));
  }

  Lines allocate(String name, SymbolicSize bytes) {
    return allocate(LineBuffer.of(name, bytes));
  }

  Lines allocate(String name, long bytes, UnaryOperator<LineBuffer> as) {
    return allocate(as.apply(LineBuffer.of(name, bytes)));
  }

  Lines allocate(LineBuffer buffer) {
    buffers.put(buffer.name(), buffer);
    lines.add(new MemoryLine.Allocate(buffer));
    return this;
  }

  /** A result of an operator that allocates by itself. */
  Lines made(String name, long bytes, UnaryOperator<LineBuffer> as) {
    buffers.put(name, as.apply(LineBuffer.of(name, bytes)));
    return this;
  }

  Lines free(String... names) {
    for (String name : names) {
      lines.add(new MemoryLine.Free(buffer(name)));
    }
    return this;
  }

  Lines reuse(String from, String to) {
    LineBuffer old = buffer(from);
    LineBuffer buffer = new LineBuffer(to, old.bytes(), old.device(), old.dtype(), old.layout(), old.alignment(),
      old.stream());
    buffers.put(to, buffer);
    lines.add(new MemoryLine.Reuse(old, buffer));
    return this;
  }

  Lines kernel() {
    lines.add(new MemoryLine.Kernel("k" + kernels++));
    return this;
  }

  Lines enter() {
    lines.add(new MemoryLine.EnterSubgraph("g"));
    return this;
  }

  Lines exit() {
    lines.add(new MemoryLine.ExitSubgraph("g"));
    return this;
  }

  Lines output(String... names) {
    outputs.addAll(List.of(names));
    return this;
  }

  Lines removed(String... names) {
    removed.addAll(List.of(names));
    return this;
  }

  LineBuffer buffer(String name) {
    LineBuffer buffer = buffers.get(name);
    if (buffer == null) {
      throw new AssertionError("no such buffer: " + name);
    }
    return buffer;
  }

  MemoryProgram program() {
    return new MemoryProgram(lines, outputs, removed);
  }

  /** What remains, one line a line, joined by {@code "; "}. */
  String reused(ReuseRules rules) {
    return String.join("; ", LineReuse.plan(program(), rules).stream().map(MemoryLine::toString).toList());
  }

  PooledProgram pooled(PoolMode mode, long alignment) {
    return LinePools.plan(program(), new PoolOptions(mode, alignment));
  }
}
