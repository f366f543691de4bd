package dev.cairn.runtime.cached;

import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The arrays of one call, one for each input of the sketch. */
record CallInputs(ArrayRuntime arrays, Sketch sketch, List<NDArray> all) {
  /** Takes the draws of the call. */
  static CallInputs of(ArrayRuntime arrays, Sketch sketch, List<NDArray> operands) {
    List<NDArray> all = new ArrayList<>();
    for (Sketch.Source source : sketch.inputs()) {
      all.add(switch (source) {
        case Sketch.Source.Operand(int index) -> operands.get(index);
        case Sketch.Source.Parameter(NDArray array) -> array;
        case Sketch.Source.Draw(var state) -> arrays.constant(state.draw());
      });
    }
    return new CallInputs(arrays, sketch, List.copyOf(all));
  }

  /** The inputs whose gradients the thread wants. */
  BitSet wanted() {
    var wanted = new BitSet();
    if (Autograd.isRecording()) {
      for (int i = 0; i < all.size(); i++) {
        wanted.set(i, Autograd.isOnTape(all.get(i)));
      }
    }
    return wanted;
  }

  Map<String, NDArray> named() {
    Map<String, NDArray> named = new LinkedHashMap<>();
    List<Node> inputs = sketch.graph().inputs();
    for (int i = 0; i < inputs.size(); i++) {
      named.put(inputs.get(i).name(), all.get(i));
    }
    return named;
  }
}
