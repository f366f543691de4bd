package dev.cairn.runtime.memory.planner.inductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.planner.inductor.TreeNode.Allocation;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** One test for each rule of the two splits, on trees filled by hand. */
class AllocationTreeTest {
  private int allocations;

  @Test
  void equalSizeAndDisjointInTimeAreSideBySideInTime() {
    AllocationTree tree = tree(allocation(100, 0, 2));
    assertThat(tree.allocate(allocation(100, 2, 4), false)).isTrue();
    assertThat(text(tree)).isEqualTo("T100[100, 100]");
  }

  @Test
  void smallerLeavesRoomBesideIt() {
    AllocationTree tree = tree(allocation(100, 0, 2));
    assertThat(tree.allocate(allocation(60, 2, 4), false)).isTrue();
    assertThat(text(tree)).isEqualTo("T100[100, (T60[60] | T40[empty 40])]");
  }

  @Test
  void biggerAtTheEndWrapsEveryChild() {
    AllocationTree tree = tree(allocation(100, 0, 2));
    tree.allocate(allocation(100, 2, 4), true);
    assertThat(tree.allocate(allocation(130, 4, 6), true)).isTrue();
    assertThat(text(tree))
      .isEqualTo("T130[(T100[100] | T30[empty 30]), (T100[100] | T30[empty 30]), 130]");
  }

  @Test
  void biggerElsewhereDoesNotFit() {
    AllocationTree tree = tree(allocation(100, 0, 2));
    assertThat(tree.allocate(allocation(101, 2, 4), false)).isFalse();
    assertThat(text(tree)).isEqualTo("T100[100]");
  }

  @Test
  void oneOverlapIsAskedAndABlockAnswersNo() {
    AllocationTree tree = tree(allocation(100, 0, 2));
    assertThat(tree.allocate(allocation(10, 1, 3), true)).isFalse();
    tree.allocate(allocation(60, 2, 4), false);
    assertThat(tree.allocate(allocation(40, 3, 5), false)).isTrue();
    assertThat(text(tree)).isEqualTo("T100[100, (T60[60] | T40[40])]");
  }

  @Test
  void twoOverlapsAreTooMany() {
    AllocationTree tree = tree(allocation(100, 0, 2));
    tree.allocate(allocation(60, 2, 4), false);
    assertThat(tree.allocate(allocation(10, 1, 3), true)).isFalse();
  }

  @Test
  void whatFitsNowhereGoesToTheEndOfThePool() {
    AllocationPool pool = new AllocationPool(allocation(100, 0, 2), true, 64);
    assertThat(pool.allocate(allocation(30, 1, 3), false)).isFalse();
    assertThat(pool.allocate(allocation(30, 1, 3), true)).isTrue();
    assertThat(text(pool.root())).isEqualTo("T158[(T100[100] | T30[30])]");
    assertThat(new AllocationPool(allocation(100, 0, 2), false, 64).allocate(allocation(30, 1, 3), true)).isFalse();
  }

  @Test
  void aLoneEmptyChildIsDropped() {
    AllocationTree tree = tree(allocation(100, 0, 2));
    tree.allocate(allocation(60, 2, 4), false);
    tree.allocate(allocation(10, 2, 4), false);
    assertThat(text(tree)).isEqualTo("T100[100, (T60[60] | T40[(T10[10] | T30[empty 30])])]");
  }

  @Test
  void theLeftSideIsAskedFirstAndNeverGrows() {
    AllocationPool pool = new AllocationPool(allocation(100, 0, 2), true, 1);
    pool.allocate(allocation(50, 0, 2), true);
    pool.allocate(allocation(50, 2, 4), true);
    assertThat(text(pool.root())).isEqualTo("T150[(T100[100] | T50[50]), (T50[50] | T100[empty 100])]");
    pool.allocate(allocation(90, 2, 4), true);
    assertThat(text(pool.root())).contains("(T50[50] | T100[(T90[90] | T10[empty 10])])");
  }

  @Test
  void theRightSideGrowsIfItIsTheLastOfAll() {
    AllocationTree tree = tree(allocation(100, 0, 2));
    tree.allocateAtEnd(allocation(10, 1, 3));
    assertThat(tree.allocate(allocation(30, 0, 1), false)).isFalse();
    assertThat(tree.allocate(allocation(30, 0, 1), true)).isTrue();
    assertThat(text(tree)).isEqualTo("T130[(T100[100] | T30[(T10[10] | T20[empty 20]), 30])]");
  }

  @Test
  void leftSidesAreRoundedUpRightSidesAreNot() {
    AllocationTree tree = new AllocationTree(allocation(100, 0, 2), 64);
    tree.allocate(allocation(50, 2, 4), false);
    assertThat(text(tree)).isEqualTo("T114[100, (T50[50] | T50[empty 50])]");
    assertThat(new TreeLayout("0", tree.root(), 64).bytes()).hasToString("100");
  }

  @Test
  void aBlockOfNoBytesHasAPlaceToo() {
    AllocationTree tree = tree(allocation(0, 0, 2));
    assertThat(tree.allocate(allocation(0, 2, 4), false)).isTrue();
    assertThat(tree.allocate(allocation(8, 4, 6), true)).isTrue();
    assertThat(tree.allocate(allocation(0, 6, 7), false)).isTrue();
    assertThat(text(tree))
      .isEqualTo("T8[(T0[0] | T8[empty 8]), (T0[0] | T8[empty 8]), 8, (T0[0] | T8[empty 8])]");
  }

  private AllocationTree tree(Allocation allocation) {
    return new AllocationTree(allocation, 1);
  }

  private Allocation allocation(long bytes, long begin, long end) {
    return new Allocation(allocations, LineBuffer.of("b" + allocations++, bytes), new LiveRange(begin, end), false);
  }

  private static String text(AllocationTree tree) {
    return text(tree.root());
  }

  private static String text(TemporalSplit split) {
    return split.children.stream().map(AllocationTreeTest::text)
      .collect(Collectors.joining(", ", "T" + split.hintBytes() + "[", "]"));
  }

  private static String text(TreeNode node) {
    return switch (node) {
      case Allocation allocation -> Long.toString(allocation.hintBytes);
      case TreeNode.Empty empty -> "empty " + empty.hintBytes();
      case TreeNode.SpatialSplit sides -> "(" + text(sides.left) + " | " + text(sides.right) + ")";
    };
  }
}
