package dev.cairn.runtime.memory.planner.inductor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The problem "deep speech" that TVM tests its planners with: 184 buffers of an unrolled recurrent network. Rows are
 * first step, last step, bytes.
 */
final class DeepSpeech {
  private static final int ROUNDS = 15;
  /** First and last step of what a round makes, from its beginning. */
  private static final int[][] CELL = {{2, 19}, {4, 29}, {8, 15}, {10, 13}, {16, 19}};

  private final List<int[]> rows = new ArrayList<>();

  private DeepSpeech() {}

  static int[][] rows() {
    DeepSpeech problem = new DeepSpeech();
    problem.add("0 159 2048, 0 151 2048, 0 13 7904, 2 49 16, 4 35 16, 6 21 16, 12 17 32768, 16 21 32768, 20 27 32768");
    problem.add("26 31 32768, 30 35 32768, 34 41 32768, 40 45 32768, 44 49 32768, 48 145 32768, 54 59 2048");
    for (int round = 0; round < ROUNDS; round++) {
      problem.add(58 + 6 * round, 483 - 22 * round, 4096);
      problem.add(60 + 6 * round, 65 + 6 * round, 2048);
    }
    problem.add("148 153 4096");
    for (int round = 0; round < ROUNDS; round++) {
      int begin = 152 + 22 * round;
      problem.add(begin, begin + 11, 8192);
      for (int[] made : CELL) {
        problem.add(begin + made[0], begin + made[1], 2048);
      }
      problem.add(begin + 18, 509 + 2 * round, 2048);
    }
    problem.add("482 493 8192, 484 501 2048, 486 497 2048, 490 497 2048, 492 495 2048, 496 626 2048, 498 501 2048");
    problem.add("500 626 2048, 504 549 16, 508 543 32768, 542 549 32768, 548 555 32768, 554 563 464, 560 563 256");
    problem.add("562 617 2048, 564 567 1856, 566 573 1024, 568 619 1024, 570 573 1024, 572 577 1024, 576 579 1024");
    problem.add("578 605 1024, 580 593 1024, 584 587 1024, 586 603 1024, 594 597 1024, 596 613 1024, 604 607 1024");
    problem.add("606 617 1024, 616 621 2048, 618 621 1024, 620 626 464");
    return problem.rows.toArray(int[][]::new);
  }

  private void add(int first, int last, int bytes) {
    rows.add(new int[] {first, last, bytes});
  }

  private void add(String text) {
    for (String row : text.split(", ", -1)) {
      rows.add(Arrays.stream(row.split(" ", -1)).mapToInt(Integer::parseInt).toArray());
    }
  }
}
