package dev.cairn.runtime.engine.queue;

import dev.cairn.runtime.engine.stream.StreamMark;
import dev.cairn.runtime.engine.stream.StreamUses;
import dev.cairn.runtime.engine.stream.VariableMarks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Work of a delete that runs while streams may still use the variable: it is told how to ask whether they are done. */
public record StreamedDelete(Variable variable, Consumer<StreamUses> work) implements Runnable {
  @Override
  public void run() {
    List<StreamMark> marks = new ArrayList<>();
    VariableMarks left = variable.marks();
    if (left != null) {
      left.addLast(marks);
    }
    work.accept(new StreamUses(marks));
  }
}
