package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.operator.ContainerOperators;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedStep;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run of a {@link DynamicExecutor}, and its outputs until closed. Steps may run side by side; other than that, not
 * thread-safe.
 */
public final class DynamicRun implements ValueExecutor.Run {
  private final DynamicExecutor executor;
  private final DynamicCalls calls;
  private final RunLimit limit;
  private final Map<NodeEntry, Held> held = new ConcurrentHashMap<>();

  /** A value that is there, and how many will still read it. */
  private static final class Held {
    private final RunValue value;
    private final AtomicInteger readers;

    Held(RunValue value, int readers) {
      this.value = value;
      this.readers = new AtomicInteger(readers);
    }
  }

  DynamicRun(DynamicExecutor executor, Allocator allocator, RunLimit limit) {
    this.executor = executor;
    this.calls = new DynamicCalls(executor, allocator);
    this.limit = limit;
  }

  /** Adds a value that another holder keeps, too. */
  void give(NodeEntry entry, RunValue value) {
    value.retain();
    hold(entry, value);
  }

  /** Takes over the caller's hold on a value. */
  void hold(NodeEntry entry, RunValue value) {
    held.put(entry, new Held(value, executor.readers(entry)));
  }

  /** @param together whether steps may run side by side; then they are not observed */
  void runAll(RunObserver observer, boolean together) {
    for (Node node : executor.graph().graph().nodes()) {
      if (!node.isComputed()) {
        dropIfUnread(node.entry());
      }
    }
    executor.operations().run(step -> {
      limit.check(step);
      run(executor.steps().get(step), step, observer);
    }, together);
  }

  private void run(Node node, int step, RunObserver observer) {
    observer.stepBegan(step, 0);
    try {
      String kernel = named(node, step, limit.within(step));
      if (!observer.equals(RunObserver.NONE)) {
        observer.stepFound(step, found(node, kernel));
      }
    } catch (RuntimeException | Error e) {
      try {
        observer.stepEnded(step, 0);
      } catch (RuntimeException | Error later) {
        RunFailure.suppress(e, later);
      }
      throw e;
    }
    observer.stepEnded(step, 0);
    for (int output = 0; output < node.kind().outputs(); output++) {
      dropIfUnread(node.entry(output));
    }
    for (NodeEntry entry : node.operands()) {
      if (!entry.isAbsent() && find(entry).readers.decrementAndGet() == 0) {
        drop(entry);
      }
    }
  }

  /** Runs a node; failures that do not name the node are replaced by failures that do. */
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
    if (ContainerOperators.find(node.operator()).isPresent()) {
      return new ContainerStep(this, node).run();
    }
    List<NodeEntry> entries = node.operands();
    if (node.operator().equals(Operators.IDENTITY)) {
      give(node.entry(), value(entries.get(0)));
      return "alias";
    }
    @Nullable
    TensorView[] operands = new TensorView[entries.size()];
    for (int i = 0; i < operands.length; i++) {
      operands[i] = entries.get(i).isAbsent() ? null : view(node, i);
    }
    Dispatch dispatch = calls.dispatch(node, node.operator(), node.kind().attributes(), node.kind().outputs(),
      operands);
    if (dispatch instanceof Dispatch.Alias(TensorType result)) {
      RunValue.OfTensor source = tensor(node, 0);
      give(node.entry(), new RunValue.OfTensor(source.view().reshaped(result.shape()), source.block()));
      return "alias";
    }
    List<RunValue.OfTensor> results = calls.computed(node, dispatch, operands);
    for (int i = 0; i < results.size(); i++) {
      hold(node.entry(i), results.get(i));
    }
    return dispatch instanceof Dispatch.Compute compute
      ? compute.row().twin().name().toLowerCase(Locale.ROOT)
      : "value";
  }

  /** Runs single operators for this run. */
  DynamicCalls calls() {
    return calls;
  }

  /** The inputs of a node. */
  RunValue value(NodeEntry entry) {
    return find(entry).value;
  }

  /** The tensor that a node reads. */
  TensorView view(Node node, int input) {
    return tensor(node, input).view();
  }

  /** @throws InvalidGraph when the operand is a sequence or an optional */
  RunValue.OfTensor tensor(Node node, int input) {
    RunValue value = value(node.operands().get(input));
    if (value instanceof RunValue.OfTensor tensor) {
      return tensor;
    }
    throw new InvalidGraph(node.name(), "%s: a tensor is needed: input=%d given=%s".formatted(node.operator(), input,
      ContainerStep.kind(value)));
  }

  private TracedStep found(Node node, String kernel) {
    List<TensorType> read = types(node.operands());
    List<TensorType> written = types(node.entries());
    Set<SharedBlock> blocks = Collections.newSetFromMap(new IdentityHashMap<>());
    held.values().forEach(it -> tensors(it.value).map(RunValue.OfTensor::block).filter(Objects::nonNull).forEach(
      blocks::add));
    return new TracedStep(node.name(), node.operator(), kernel, TraceFacts.words(read) + " -> " + TraceFacts.words(
      written), TraceFacts.bytes(read), TraceFacts.bytes(written), blocks.stream().mapToLong(SharedBlock::bytes).sum(),
      List.of());
  }

  /** The types of all tensors, elements of containers included. */
  private List<TensorType> types(List<NodeEntry> entries) {
    return entries.stream().filter(it -> !it.isAbsent()).flatMap(it -> tensors(value(it))).map(it -> it.view().type())
      .toList();
  }

  private static Stream<RunValue.OfTensor> tensors(@Nullable RunValue value) {
    return switch (value) {
      case null -> Stream.of();
      case RunValue.OfTensor tensor -> Stream.of(tensor);
      case RunValue.OfSequence sequence -> sequence.elements().stream();
      case RunValue.OfOptional optional -> tensors(optional.value());
      case RunValue.OfMap map -> Stream.of(map.keys(), map.values());
    };
  }

  private void dropIfUnread(NodeEntry entry) {
    Held it = held.get(entry);
    if (it != null && it.readers.get() == 0) {
      drop(entry);
    }
  }

  private void drop(NodeEntry entry) {
    Held it = held.remove(entry);
    if (it != null) {
      it.value.release();
    }
  }

  private Held find(NodeEntry entry) {
    Held found = held.get(entry);
    if (found == null) {
      throw new AssertionError("read before it was made, or after it was dropped: entry=" + entry);
    }
    return found;
  }

  @Override
  public RunValue value(int output) {
    return value(executor.graph().graph().outputs().get(output).entry());
  }

  /** One output that is a tensor. */
  public TensorView output(int index) {
    if (value(index) instanceof RunValue.OfTensor tensor) {
      return tensor.view();
    }
    throw new IllegalArgumentException("an output is no tensor: output=" + executor.graph().graph().outputs().get(index)
      .name());
  }

  @Override
  public Optional<Block> takeOutput(int index) {
    NodeEntry entry = executor.graph().graph().outputs().get(index).entry();
    if (isOutputTwice(index) || !(value(entry) instanceof RunValue.OfTensor tensor)) {
      return Optional.empty();
    }
    SharedBlock shared = tensor.block();
    Optional<Block> own = shared == null ? Optional.empty() : shared.handOver();
    if (own.isPresent()) {
      held.put(entry, new Held(RunValue.of(tensor.view()), 0));
    }
    return own;
  }

  private boolean isOutputTwice(int index) {
    List<Graph.Output> outputs = executor.graph().graph().outputs();
    return outputs.stream().filter(it -> it.entry().equals(outputs.get(index).entry())).count() > 1;
  }

  @Override
  public void close() {
    held.values().forEach(it -> it.value.release());
    held.clear();
  }
}
