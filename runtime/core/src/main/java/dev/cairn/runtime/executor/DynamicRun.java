package dev.cairn.runtime.executor;

import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedStep;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.invoke.OperatorUse;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run of a {@link DynamicExecutor}, and its outputs until closed. Not thread-safe. */
public final class DynamicRun implements AutoCloseable {
  private final DynamicExecutor executor;
  private final Allocator allocator;
  private final RunLimit limit;
  private final Map<NodeEntry, Held> held = new HashMap<>();
  /** By block, how many entries lie in it. */
  private final Map<Block, Integer> tenants = new LinkedHashMap<>();

  /** A value that is there, and how many will still read it; without a block when it is somebody else's. */
  private static final class Held {
    private final TensorView view;
    private final @Nullable Block block;
    private int readers;

    Held(TensorView view, @Nullable Block block, int readers) {
      this.view = view;
      this.block = block;
      this.readers = readers;
    }
  }

  DynamicRun(DynamicExecutor executor, Allocator allocator, RunLimit limit) {
    this.executor = executor;
    this.allocator = allocator;
    this.limit = limit;
  }

  /** A value that lies elsewhere. */
  void give(NodeEntry entry, TensorView view) {
    hold(entry, view, null);
  }

  /** @param block where the value lies, given up with it; null when it lies elsewhere */
  void hold(NodeEntry entry, TensorView view, @Nullable Block block) {
    if (block != null) {
      tenants.merge(block, 1, Integer::sum);
    }
    held.put(entry, new Held(view, block, executor.readers(entry)));
  }

  void runAll(RunObserver observer) {
    int step = 0;
    for (Node node : executor.graph().graph().nodes()) {
      if (node.isComputed()) {
        limit.check(step);
        run(node, step++, observer);
      }
      for (int output = 0; output < node.kind().outputs(); output++) {
        dropIfUnread(node.entry(output));
      }
    }
  }

  private void run(Node node, int step, RunObserver observer) {
    observer.stepBegan(step, 0);
    try {
      String kernel = named(node, step, limit.within(step));
      if (!observer.equals(RunObserver.NONE)) {
        observer.stepFound(step, found(node, kernel));
      }
    } catch (RuntimeException | Error e) {
      RunFailure.tellOf(e, () -> observer.stepEnded(step, 0));
      throw e;
    }
    observer.stepEnded(step, 0);
    for (NodeEntry entry : node.operands()) {
      if (!entry.isAbsent()) {
        find(entry).readers--;
        dropIfUnread(entry);
      }
    }
  }

  /** Whatever goes wrong names the node. */
  private String named(Node node, int step, RunLimit inside) {
    try {
      return attempt(node, inside);
    } catch (OutOfMemory | InvalidGraph | UnsupportedOperators | RunStopped | StepFailed e) {
      throw e;
    } catch (RuntimeException | Error e) {
      throw StepFailed.of(node, step, e);
    }
  }

  /** All results of the node; says which kernel made them. */
  private String attempt(Node node, RunLimit inside) {
    return switch (node.kind()) {
      case NodeKind.Branch branch -> new DynamicBranch(this, executor, node).run(inside);
      case NodeKind.Repeat repeat -> new DynamicRepeat(this, executor, node, repeat).run(inside);
      default -> applied(node);
    };
  }

  private String applied(Node node) {
    List<NodeEntry> entries = node.operands();
    @Nullable
    TensorView[] operands = new TensorView[entries.size()];
    @Nullable
    TensorType[] types = new TensorType[operands.length];
    for (int i = 0; i < operands.length; i++) {
      if (!entries.get(i).isAbsent()) {
        TensorView view = view(entries.get(i));
        operands[i] = view;
        types[i] = view.type();
      }
    }
    var use = OperatorUse.of(node.operator(), node.kind().attributes(), node.kind().outputs(), types, operands);
    return switch (executor.dispatches().find(node.name(), use)) {
      case Dispatch.Alias(TensorType result) -> {
        Held source = find(entries.get(0));
        hold(node.entry(), source.view.reshaped(result.shape()), source.block);
        yield "alias";
      }
      case Dispatch.Fixed(TensorView value) -> {
        newValue(node.entry(), value.type()).segment().copyFrom(value.segment());
        yield "value";
      }
      case Dispatch.Compute compute -> computed(node, compute, operands);
    };
  }

  /** Memory for a result. */
  TensorView newValue(NodeEntry entry, TensorType type) {
    Block block = allocator.allocate(Math.max(1, type.bytes()), "value/" + entry.node().name());
    var view = new TensorView(type, block.segment().asSlice(0, type.bytes()));
    hold(entry, view, block);
    return view;
  }

  /** An output of a body becomes a result: its memory, or a copy where it is a value that was passed in. */
  void take(NodeEntry entry, DynamicRun inside, int output) {
    TensorView view = inside.output(output);
    Optional<Block> own = inside.takeOutput(output);
    if (own.isPresent()) {
      hold(entry, view, own.get());
    } else {
      newValue(entry, view.type()).segment().copyFrom(view.segment());
    }
  }

  Allocator allocator() {
    return allocator;
  }

  /** What a node reads. */
  TensorView view(NodeEntry entry) {
    return find(entry).view;
  }

  private TracedStep found(Node node, String kernel) {
    List<TensorType> read = node.operands().stream().filter(it -> !it.isAbsent()).map(it -> find(it).view.type())
      .toList();
    List<TensorType> written = GraphRewriter.entries(node).stream().map(it -> find(it).view.type()).toList();
    long heldBytes = tenants.keySet().stream().mapToLong(block -> block.segment().byteSize()).sum();
    return new TracedStep(node.name(), node.operator(), kernel, TraceFacts.words(read) + " -> " + TraceFacts.words(
      written), TraceFacts.bytes(read), TraceFacts.bytes(written), heldBytes, List.of());
  }

  /** Runs the node's kernel, and says which it was. */
  private String computed(Node node, Dispatch.Compute compute, @Nullable TensorView[] operands) {
    TensorView[] results = new TensorView[compute.results().size()];
    for (int i = 0; i < results.length; i++) {
      results[i] = newValue(node.entry(i), compute.results().get(i));
    }
    long scratchBytes = compute.scratchBytes();
    Block scratch = scratchBytes == 0 ? null : allocator.allocate(scratchBytes, "workspace/" + node.name());
    try {
      MemorySegment workspace = scratch == null ? MemorySegment.NULL : scratch.segment().asSlice(0, scratchBytes);
      compute.run(operands, results, workspace, executor.device().defaultStream());
      // The next node's types may depend on these values.
      executor.device().defaultStream().synchronize();
      return compute.row().twin().name().toLowerCase(Locale.ROOT);
    } finally {
      if (scratch != null) {
        allocator.free(scratch);
      }
    }
  }

  private void dropIfUnread(NodeEntry entry) {
    Held it = held.get(entry);
    if (it != null && it.readers == 0) {
      held.remove(entry);
      release(it.block);
    }
  }

  private void release(@Nullable Block block) {
    if (block != null && tenants.merge(block, -1, Integer::sum) == 0) {
      tenants.remove(block);
      allocator.free(block);
    }
  }

  private Held find(NodeEntry entry) {
    Held found = held.get(entry);
    if (found == null) {
      throw new AssertionError("read before it was made, or after it was dropped: entry=" + entry);
    }
    return found;
  }

  /** One output, in the run's own memory, a constant's or the caller's. */
  public TensorView output(int index) {
    Graph.Output output = executor.graph().graph().outputs().get(index);
    return find(output.entry()).view;
  }

  /**
   * The memory of an output, which is the caller's from then on; empty when it is not the run's own to give, since it
   * is an input, a constant or a variable, or another output lies in it.
   */
  public Optional<Block> takeOutput(int index) {
    Block block = find(executor.graph().graph().outputs().get(index).entry()).block;
    if (block == null || tenants.getOrDefault(block, 0) != 1 || isOutputTwice(index)) {
      return Optional.empty();
    }
    tenants.remove(block);
    return Optional.of(block);
  }

  private boolean isOutputTwice(int index) {
    List<Graph.Output> outputs = executor.graph().graph().outputs();
    return outputs.stream().filter(it -> it.entry().equals(outputs.get(index).entry())).count() > 1;
  }

  /** Gives up the outputs. */
  @Override
  public void close() {
    tenants.keySet().forEach(allocator::free);
    tenants.clear();
    held.clear();
  }
}
