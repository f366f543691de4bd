package dev.cairn.runtime.memory.analysis;

import java.util.Arrays;

/**
 * Which stream each step runs on, in the manner of NNVM's colouring of node groups: the longest path of steps that
 * depend on one another gets the first stream, the longest of the remaining steps the second, and all the rest the
 * last.
 */
final class StreamColouring {
  private StreamColouring() {}

  /** For each step; all 0 for one stream. */
  static int[] of(StepDependencies dependencies, int streams) {
    int[] streamOf = new int[dependencies.size()];
    Arrays.fill(streamOf, streams - 1);
    boolean[] painted = new boolean[dependencies.size()];
    for (int stream = 0; stream < streams - 1; stream++) {
      paintLongestPath(dependencies, painted, streamOf, stream);
    }
    return streamOf;
  }

  /** Lengths count unpainted steps; of equal paths the one whose first step comes last, which is NNVM's rule. */
  private static void paintLongestPath(StepDependencies dependencies, boolean[] painted, int[] streamOf, int stream) {
    int[] length = new int[dependencies.size()];
    int[] next = new int[dependencies.size()];
    Arrays.fill(next, -1);
    int start = -1;
    for (int step = dependencies.size() - 1; step >= 0; step--) {
      length[step] += painted[step] ? 0 : 1;
      if (start < 0 || length[step] > length[start]) {
        start = step;
      }
      for (int before : dependencies.before(step)) {
        if (length[step] > length[before]) {
          length[before] = length[step];
          next[before] = step;
        }
      }
    }
    for (int step = start; step >= 0 && length[step] > 0; step = next[step]) {
      if (!painted[step]) {
        painted[step] = true;
        streamOf[step] = stream;
      }
    }
  }
}
