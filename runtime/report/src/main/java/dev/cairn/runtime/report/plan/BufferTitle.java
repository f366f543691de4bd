package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.Placement;
import java.util.List;
import java.util.stream.Collectors;

/** The text of a buffer under the pointer: owner and operator, tensors, bytes, lifetime, address. */
final class BufferTitle {
  private final PlanView view;
  private final List<Lifetime> held;
  private final PoolStack stack;

  BufferTitle(PlanView view) {
    this.view = view;
    this.held = view.problem().held();
    this.stack = PoolStack.of(view.plan());
  }

  String of(int index) {
    Buffer buffer = view.problem().buffer(index);
    BufferLabel label = view.labels().get(index);
    StringBuilder title = new StringBuilder(label.owner());
    if (!label.kind().isEmpty()) {
      title.append(" (").append(label.kind()).append(')');
    }
    if (!label.tensors().isEmpty()) {
      title.append('\n').append(label.tensors());
    }
    title.append('\n').append(PictureNumbers.bytes(buffer.bytes()));
    if (buffer.reservedBytes() != buffer.bytes()) {
      title.append(", takes ").append(PictureNumbers.grouped(buffer.reservedBytes())).append(" B");
    }
    Lifetime life = held.get(index);
    title.append('\n').append(view.timeUnit()).append(' ').append(life).append(", ").append(count(life.length()));
    if (!buffer.gaps().isEmpty()) {
      title.append(", but for ")
        .append(buffer.gaps().stream().map(Lifetime::toString).collect(Collectors.joining(" ")));
    }
    if (buffer.output()) {
      title.append(", output");
    }
    Placement placement = view.plan().placements().get(index);
    title.append("\naddress ").append(PictureNumbers.grouped(stack.address(placement)));
    if (view.plan().pools().size() > 1) {
      title.append(", pool ").append(placement.pool());
    }
    if (buffer.device() != 0) {
      title.append(", device ").append(buffer.device());
    }
    return title.toString();
  }

  private String count(int length) {
    return view.timeUnit().equals("step")
      ? PictureNumbers.count(length, "step")
      : PictureNumbers.grouped(length) + " long";
  }
}
