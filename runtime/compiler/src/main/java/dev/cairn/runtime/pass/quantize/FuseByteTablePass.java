package dev.cairn.runtime.pass.quantize;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.quantized.CpuByteTable;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes a table of a function of one quantised tensor whose result is quantised:
 *
 * <pre>
 * d = DequantizeLinear(x, xs, xz)
 * s = Sigmoid(d)                       →    y = ByteTable(x, table)
 * m = Mul(d, s)
 * y = QuantizeLinear(m, ys, yz)
 * </pre>
 *
 * The function has operators that compute each element by itself, and single constants. The same nodes over all 256
 * bytes compute the table, which is folded then by the processor's kernels.
 */
final class FuseByteTablePass implements NodeRule {
  /** Larger functions are rather mistakes of an exporter. */
  private static final int MOST_NODES = 16;

  private final BiPredicate<String, KernelSignature> serves;

  /** @param serves whether the device has a kernel for an operator with these types */
  FuseByteTablePass(BiPredicate<String, KernelSignature> serves) {
    this.serves = serves;
  }

  @Override
  public String name() {
    return "fuse-byte-table";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    return old.operator().equals(Quantized.QUANTIZE) ? new Function(context, old, current).table(serves) : null;
  }

  /** A function that ends at one node, while it is rewritten as a table. */
  private static final class Function {
    private final RewriteContext context;
    private final Node old;
    private final Node current;
    private final Map<NodeEntry, NodeEntry> ofTable = new HashMap<>();
    /** The function's input, before and after other rewriting. */
    private @Nullable NodeEntry oldOperand;
    private @Nullable NodeEntry operand;
    private int nodes;

    Function(RewriteContext context, Node old, Node current) {
      this.context = context;
      this.old = old;
      this.current = current;
    }

    @Nullable
    NodeEntry table(BiPredicate<String, KernelSignature> serves) {
      TensorType result = context.type(old.entry());
      if (!Quantized.BYTES.contains(result.dtype()) || !isSingle(Quantized.result(old))) {
        return null;
      }
      Optional<NodeEntry> real = rewritten(old.inputs().getFirst(), current.inputs().getFirst());
      NodeEntry read = operand;
      NodeEntry oldRead = oldOperand;
      if (real.isEmpty() || read == null || oldRead == null || !(current.kind() instanceof NodeKind.Apply kind)) {
        return null;
      }
      TensorType given = context.type(oldRead);
      if (!given.shape().equals(result.shape())) {
        return null;
      }
      TensorType table = TensorType.of(result.dtype(), ByteTableOperator.ENTRIES);
      if (!serves.test(CpuByteTable.OPERATOR, KernelSignature.of(List.of(given, table), List.of(
        result), Attributes.NONE))) {
        return null;
      }
      List<NodeEntry> inputs = new ArrayList<>(current.inputs());
      inputs.set(0, real.get());
      return Node.apply(old.name(), CpuByteTable.OPERATOR, Attributes.NONE, List.of(read, Node.apply(context.unique(old
        .name() + "/table"), kind, inputs).entry())).entry();
    }

    /** Whether all elements have one constant scale and zero point. */
    private static boolean isSingle(Quantized tensor) {
      return tensor.form().block() == 0
        && Quantized.value(tensor.scale()).filter(it -> it.elementCount() == 1).isPresent() && (tensor.zero()
          .isAbsent() || Quantized.value(tensor.zero()).filter(it -> it.elementCount() == 1).isPresent());
    }

    /** The same value for each of all bytes; empty where it depends on anything else. */
    private Optional<NodeEntry> rewritten(NodeEntry before, NodeEntry now) {
      NodeEntry known = ofTable.get(before);
      if (known != null || before.isAbsent() || isNumber(before)) {
        return Optional.of(known == null ? now : known);
      }
      boolean isFunction = before.node().kind().outputs() == 1 && context.row(before.node()).filter(it -> it.memory()
        .elementwise()).isPresent();
      Optional<NodeEntry> made = isFunction ? function(before, now) : dequantized(before, now);
      made.ifPresent(it -> ofTable.put(before, it));
      return made;
    }

    private static boolean isNumber(NodeEntry entry) {
      return Quantized.value(entry).filter(it -> it.elementCount() == 1 && it.shape().rank() <= 1).isPresent();
    }

    private Optional<NodeEntry> function(NodeEntry before, NodeEntry now) {
      if (++nodes > MOST_NODES) {
        return Optional.empty();
      }
      List<NodeEntry> inputs = new ArrayList<>();
      for (int i = 0; i < before.node().inputs().size(); i++) {
        Optional<NodeEntry> input = rewritten(before.node().inputs().get(i), now.node().inputs().get(i));
        if (input.isEmpty()) {
          return Optional.empty();
        }
        inputs.add(input.get());
      }
      return again(now, inputs);
    }

    private Optional<NodeEntry> again(NodeEntry now, List<NodeEntry> inputs) {
      return now.node().kind() instanceof NodeKind.Apply kind
        ? Optional.of(Node.apply(context.unique(old.name() + "/" + now.node().name()), kind, inputs).entry())
        : Optional.empty();
    }

    private Optional<NodeEntry> dequantized(NodeEntry before, NodeEntry now) {
      Optional<Quantized> tensor = Quantized.dequantized(before);
      boolean isOther = oldOperand != null && tensor.filter(it -> it.tensor().equals(oldOperand)).isEmpty();
      if (isOther || tensor.filter(Function::isSingle).isEmpty()) {
        return Optional.empty();
      }
      NodeEntry read = tensor.get().tensor();
      DType dtype = context.type(read).dtype();
      if (!Quantized.BYTES.contains(dtype) || context.types().value(read).isPresent()) {
        return Optional.empty();
      }
      oldOperand = read;
      operand = now.node().inputs().getFirst();
      List<NodeEntry> inputs = new ArrayList<>(now.node().inputs());
      inputs.set(0, context.constant(old.name() + "/bytes", allBytes(dtype)));
      return again(now, inputs);
    }

    private static TensorView allBytes(DType dtype) {
      byte[] bytes = new byte[ByteTableOperator.ENTRIES];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) i;
      }
      return new TensorView(new TensorType(dtype, Shape.of(bytes.length)), MemorySegment.ofArray(bytes));
    }
  }
}
